"""The informants of a study, for those who run it: invitations, progress, deletion on request."""

from __future__ import annotations

import msgspec
from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError
from summetry.web.acts import find_informant, forget_informant, invite_people
from summetry.web.exports import csv_text
from summetry.web.pages import CheckedForm, Desk, open_study, redirect
from summetry.web.progress import load_progress
from summetry.web.store.answers import answers_of, count_versions, key_of
from summetry.web.store.keys import make_key
from summetry.web.store.people import people_of

router = APIRouter(prefix="/studies/{study_id}")
MOST_INVITED = 1_000


@router.get("/invite")
def invite_page(request: Request, study_id: str) -> Response:
    with open_study(request, study_id) as desk:
        return _invite(desk)


@router.post("/invite")
def invite(request: Request, study_id: str, form: CheckedForm) -> Response:
    """Invite the pseudonyms that were typed, all or none; or show the links of those invited."""
    action, names = str(form.get("do", "")), str(form.get("names", ""))
    with open_study(request, study_id, writes=True) as desk:
        if action not in ("links", "csv"):
            try:
                with desk.connection.begin_nested():
                    invite_people(desk, _lines(names))
            except SummetryError as error:
                return _invite(desk, names, str(error))
        links = _new_links(desk)
        return _invitations(desk, links) if action == "csv" else _invite(desk, links=links)


def _new_links(desk: Desk) -> dict[int, str]:
    """A new personal link for everybody who was invited, by person; earlier ones stay valid."""
    start = f"{str(desk.request.base_url).rstrip('/')}/s/{desk.study.id}/as"
    return {
        person.id: f"{start}/{make_key(desk.connection, 'person', person.id)}"
        for person in people_of(desk.connection, desk.study.id)
        if person.invited is not None
    }


def _invitations(desk: Desk, links: dict[int, str]) -> Response:
    rows = (
        (
            person.name,
            person.group,
            links[person.id],
            person.joined.isoformat(timespec="seconds") if person.joined else "",
        )
        for person in people_of(desk.connection, desk.study.id)
        if person.id in links
    )
    return Response(
        csv_text(("name", "group", "link", "joined"), rows),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="invitations.csv"'},
    )


@router.get("/progress")
def show_progress(request: Request, study_id: str) -> Response:
    with open_study(request, study_id) as desk:
        titles = {topic.id: topic.title or topic.id for topic in desk.uploaded().topics}
        progress = load_progress(desk)
    people = {one.person.id: one.person for one in progress.people}
    return desk.render(
        "progress.html",
        progress=progress,
        notes=[
            (people[answer.person], titles.get(key_of(answer.item)[0], ""), told, answer.changed)
            for answer in progress.answers
            if (told := msgspec.json.decode(answer.content).get("note"))
        ],
    )


@router.get("/people/{number:int}")
def show_person(request: Request, study_id: str, number: int) -> Response:
    """Everything that an informant entered, and how to delete it."""
    with open_study(request, study_id) as desk:
        person = find_informant(desk, number)
        answers = answers_of(desk.connection, desk.study, person.id)
        versions = count_versions(desk.connection, person.id)
        corpus = desk.uploaded()
    return desk.render(
        "person.html",
        informant=person,
        answers=answers,
        titles={topic.id: topic.title or topic.id for topic in corpus.topics},
        submitted=sum(answer.given is not None for answer in answers),
        seconds=sum(answer.seconds for answer in answers),
        versions=versions,
        asked={one.name: one.question for one in desk.study.settings.questions},
        background=msgspec.json.decode(person.background),
    )


@router.post("/people/{number:int}/delete")
def delete(request: Request, study_id: str, number: int, form: CheckedForm) -> Response:
    """Forget an informant: name, answers to questions, votes, every version of them."""
    with open_study(request, study_id, writes=True) as desk:
        if form.get("confirm") != "yes":
            raise HTTPException(422, "tick the box to confirm that everything is to be deleted")
        forget_informant(desk, number)
    return redirect(f"/studies/{study_id}/progress")


def _lines(names: str) -> list[tuple[str, str, str]]:
    """One person for each line: a name, and a group after a comma; and which line it is."""
    lines = [line.strip() for line in names.replace("\0", "").splitlines()]
    rows = [(number, line) for number, line in enumerate(lines, start=1) if line]
    if not 0 < len(rows) <= MOST_INVITED:
        raise SummetryError(
            f"expected 1 to {MOST_INVITED:,} names, one per line, found {len(rows):,}"
        )
    parts = ((number, *line.partition(",")[::2]) for number, line in rows)
    return [(name.strip(), group.strip(), f"line {number}: ") for number, name, group in parts]


def _invite(
    desk: Desk, names: str = "", wrong: str = "", links: dict[int, str] | None = None
) -> Response:
    start = str(desk.request.base_url)
    people = people_of(desk.connection, desk.study.id)
    return desk.render(
        "invite.html",
        status=422 if wrong else 200,
        link=f"{start.rstrip('/')}/s/{desk.study.id}",
        start=start,
        invited=[person for person in people if person.invited is not None],
        links=links or {},
        names="" if links else names,
        wrong=wrong,
    )
