"""How informants come in: a code, the link of a study, or a personal link."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException
from sqlalchemy import Connection, Row
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError
from summetry.records.prose import main_unit
from summetry.web.acts import add_informant
from summetry.web.catalogues import catalogues
from summetry.web.corpora import known_names
from summetry.web.database import now
from summetry.web.pages import (
    LANGUAGE,
    CheckedForm,
    catalogue_of,
    forgive,
    let_in,
    limit,
    person_of,
    redirect,
    render,
    researcher_of,
    site,
)
from summetry.web.progress import load_plan
from summetry.web.security import HALF_A_YEAR, set_cookie
from summetry.web.store.answers import PRACTICE, answers_of, key_of
from summetry.web.store.assignment import Plan
from summetry.web.store.keys import make_key
from summetry.web.store.people import LONGEST_NAME, change_person, find_person
from summetry.web.store.studies import Study, find_study, json_text
from summetry.web.tasks import TASKS, Item

router = APIRouter()


@router.get("/")
def front(request: Request) -> Response:
    with site(request).database.reading() as connection:
        if researcher_of(request, connection):
            return redirect("/studies")
    return render(request, "front.html", wrong="")


@router.post("/join")
def join_by_code(request: Request, form: CheckedForm) -> Response:
    limit(request, site(request).codes)
    # As it may be written down: in groups, in capitals.
    code = "".join(str(form.get("code", "")).split()).lower()
    with site(request).database.reading() as connection:
        study = find_study(connection, code, by_code=True)
    if study is None or study.settings.entry != "link":
        wrong = catalogue_of(request).gettext("No study has this code. Look at it again.")
        return render(request, "front.html", status=404, wrong=wrong)
    forgive(request, site(request).codes)
    return redirect(f"/s/{study.id}")


@router.get("/language/{code}")
def choose(request: Request, code: str, to: str = "/") -> Response:
    """Show the page in another language, and remember it."""
    # Only a path of our own: two slashes would lead to another host.
    inside = to if to.startswith("/") and not to.startswith(("//", "/\\")) else "/"
    response = redirect(inside)
    if code in catalogues():
        set_cookie(request, response, LANGUAGE, code, HALF_A_YEAR)
    return response


@router.get("/s/{study_id}")
def home(request: Request, study_id: str) -> Response:
    """Who is new is welcomed; who was here goes on."""
    with site(request).database.reading() as connection:
        study = _study(connection, study_id)
        person = person_of(request, connection, study_id)
        if person is None or person.joined is None:
            return _welcome(request, connection, study, person)
        answers = answers_of(connection, study, person.id)
        own = [answer for answer in answers if answer.place > PRACTICE]
        plan = _plan(request, connection, study)
        free = plan.open_to(answers)
        return render(
            request,
            "home.html",
            wanted=person.language,
            study=study,
            person=person,
            answers=own,
            gone={a.place for a in own if a.state == "expired" and key_of(a.item) not in free},
            done=sum(answer.state == "submitted" for answer in own),
            minutes=round(sum(answer.seconds for answer in own) / 60),
            titles=_titles(request, connection, study, own),
            all=plan.share(answers),
            step=plan.next(person.seed, answers),
            is_full=plan.is_full,
        )


@router.get("/s/{study_id}/as/{key}")
def personal_link(request: Request, study_id: str, key: str) -> Response:
    with site(request).database.reading() as connection:
        _study(connection, study_id)
        person = find_person(connection, study_id, key)
    if person is None:
        limit(request, site(request).tries)
        raise HTTPException(404, "this link does not belong to anybody; ask for a new one")
    return let_in(request, redirect(f"/s/{study_id}"), study_id, key)


@router.post("/s/{study_id}/join")
def join(request: Request, study_id: str, form: CheckedForm) -> Response:
    words = catalogue_of(request)
    with site(request).database.writing() as connection:
        study = _study(connection, study_id)
        person = person_of(request, connection, study_id)
        if person is None and study.settings.entry != "link":
            raise HTTPException(403, "this study can be joined by a personal link only")
        if not study.is_open:
            raise HTTPException(403, "this study is not open")
        background, problems = {}, {}
        for asked in study.settings.questions:
            value = str(form.get(f"q-{asked.name}", ""))
            if value in asked.choices:
                background[asked.name] = value
            else:
                problems[asked.name] = words.gettext("Please choose one.")
        if study.settings.consent and form.get("consent") != "yes":
            problems["consent"] = words.gettext("Without your consent you cannot take part.")
        name = " ".join(str(form.get("name", "")).split())
        group = background.get(study.settings.group, "")
        values: dict[str, Any] = {"group": group, "background": background}
        values["language"] = words.code
        if person is None and not 0 < len(name) <= LONGEST_NAME:
            problems["name"] = words.gettext("Choose a name of 1 to {most} letters.").format(
                most=LONGEST_NAME
            )
        elif not problems and person is None:
            try:
                taken = known_names(site(request).corpora.uploaded(connection, study))
                person = add_informant(connection, study_id, taken, name, **values)
            except SummetryError:
                problems["name"] = words.gettext(
                    "This name is taken in this study. Choose another one."
                )
                problems["yours"] = words.gettext(
                    "If it is yours, go on in the browser in which you began, or with your "
                    "personal link."
                )
        elif not problems and person is not None:
            values["background"] = json_text(background)
            values["group"] = group or person.group
            change_person(connection, person.id, joined=now(), **values)
        if problems or person is None:
            return _welcome(request, connection, study, person, form, problems)
        key = make_key(connection, "person", person.id)
    return let_in(request, redirect(f"/s/{study_id}/next"), study_id, key)


def _study(connection: Connection, study_id: str) -> Study:
    study = find_study(connection, study_id)
    if study is None:
        raise HTTPException(404, "there is no such study")
    return study


def _welcome(
    request: Request,
    connection: Connection,
    study: Study,
    person: Row[Any] | None,
    form: FormData | None = None,
    problems: dict[str, str] | None = None,
) -> Response:
    if person is None and study.settings.entry != "link":
        raise HTTPException(403, "this study can be joined by a personal link only")
    plan = _plan(request, connection, study)
    return render(
        request,
        "welcome.html",
        status=422 if problems else 200,
        wanted=study.settings.language,
        study=study,
        invited=person,
        form=form or FormData(),
        problems=problems or {},
        # Of one who has nothing yet.
        texts=plan.share([]),
        is_full=plan.is_full,
        unit=main_unit(site(request).corpora.uploaded(connection, study)),
    )


def _plan(request: Request, connection: Connection, study: Study) -> Plan:
    return load_plan(connection, study, site(request).corpora.uploaded(connection, study))


def _titles(
    request: Request, connection: Connection, study: Study, answers: list[Row[Any]]
) -> dict[int, tuple[str, str]]:
    """What a person's items are called, and in which language, by their place."""
    corpus = site(request).corpora.uploaded(connection, study)
    task = TASKS[study.task]
    items = {one.place: Item(key_of(one.item)) for one in answers}
    return {
        place: (task.label(corpus, item), corpus.language_of(corpus.topic(item.topic)))
        for place, item in items.items()
    }
