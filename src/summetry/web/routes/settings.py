"""The settings of a study; opening, closing and deleting it; its researchers; its log."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
from fastapi import APIRouter, HTTPException
from sqlalchemy import Connection, Row
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError
from summetry.web.pages import (
    CheckedForm,
    catalogue_of,
    need_admin,
    need_study,
    note,
    redirect,
    render,
    site,
)
from summetry.web.routes.studies import unfit_words
from summetry.web.settings_form import (
    CONDITIONS,
    MOST_QUESTIONS,
    QuestionRow,
    SettingsForm,
    changed_meanwhile,
    changed_words,
    filled_form,
    read_settings,
    sent_form,
    settings_seen,
    unreadable_words,
    without_question,
)
from summetry.web.store.accounts import (
    add_member,
    find_by_name,
    members_of,
    read_log,
    remove_member,
)
from summetry.web.store.answers import given_answers
from summetry.web.store.people import people_of
from summetry.web.store.studies import Study, change_study, delete_study
from summetry.web.tasks import TASKS

router = APIRouter(prefix="/studies/{study_id}")
whole_log = APIRouter()


@router.get("/settings")
def settings_page(request: Request, study_id: str) -> Response:
    with site(request).database.reading() as connection:
        researcher, study = need_study(request, connection, study_id)
        return _page(request, connection, researcher, study, filled_form(study))


@router.post("/settings")
def save_settings(request: Request, study_id: str, form: CheckedForm) -> Response:
    """Save; or add or remove a background question, which is saved with the rest later."""
    action, seen = str(form.get("do", "save")), str(form.get("seen", ""))[:5_000]
    sent = sent_form(form)
    with site(request).database.writing() as connection:
        researcher, study = need_study(request, connection, study_id)
        if action == "add-question":
            if len(sent.questions) < MOST_QUESTIONS:
                sent.questions.append(QuestionRow())
            return _page(request, connection, researcher, study, sent, unsaved=True, seen=seen)
        if action.startswith("remove-question-"):
            number = action.removeprefix("remove-question-")
            without_question(sent, int(number) if number.isdecimal() and len(number) < 4 else -1)
            return _page(request, connection, researcher, study, sent, unsaved=True, seen=seen)
        words = catalogue_of(request)
        corpus = site(request).corpora.uploaded(connection, study)
        topics = [topic.id for topic in corpus.topics]
        task = TASKS[study.task]
        read = read_settings(sent, study, task.settings, topics, words)
        if read is None:
            return _page(request, connection, researcher, study, sent, seen=seen)
        name, settings = read
        left, clashing = changed_meanwhile(seen, study, name, settings)
        if clashing:
            now = filled_form(study)
            sent.values |= {key: now.values[key] for key in left}
            sent.questions = now.questions if "questions" in left else sent.questions
            sent.problems["meanwhile"] = changed_words(clashing, study, words)
            return _page(request, connection, researcher, study, sent)
        name = study.name if "name" in left else name
        theirs = {key: getattr(study.settings, key) for key in left if key != "name"}
        settings = msgspec.structs.replace(settings, **theirs)
        given = given_answers(connection, study_id)
        after = replace(study, settings=settings)
        sent.problems |= unreadable_words(task, study, after, corpus, given, words)
        if sent.problems:
            return _page(request, connection, researcher, study, sent, seen=seen)
        change_study(connection, study_id, name=name, settings=settings)
        changed = [
            field
            for field in settings.__struct_fields__
            if getattr(settings, field) != getattr(study.settings, field)
        ]
        if changed or name != study.name:
            note(connection, researcher, "changed the settings", study_id, ", ".join(changed))
        state = str(form.get("state", ""))
        if state:
            _, saved = need_study(request, connection, study_id)
            if wrong := _set_state(request, connection, researcher, saved, state):
                return wrong
    return redirect(f"/studies/{study_id}/settings?saved=1")


@router.post("/state")
def change_state(request: Request, study_id: str, form: CheckedForm) -> Response:
    """Open or close the study."""
    with site(request).database.writing() as connection:
        researcher, study = need_study(request, connection, study_id)
        if wrong := _set_state(request, connection, researcher, study, str(form.get("state", ""))):
            return wrong
    return redirect(f"/studies/{study_id}/settings")


def _set_state(
    request: Request, connection: Connection, researcher: Row[Any], study: Study, state: str
) -> Response | None:
    """Open or close a study; the page that says why it cannot be opened, or nothing."""
    if state not in ("open", "closed"):
        raise HTTPException(400, "expected the state open or closed")
    if state == "open":
        corpus = site(request).corpora.uploaded(connection, study)
        items = TASKS[study.task].items(study, corpus)
        if not [item for item in items if item.topic != study.settings.practice]:
            wrong = catalogue_of(request).gettext(
                "The study cannot be opened: it has no text, or only the practice text."
            )
            form_now = filled_form(study)
            form_now.problems["state"] = wrong
            return _page(request, connection, researcher, study, form_now)
    change_study(connection, study.id, state=state)
    action = "opened the study" if state == "open" else "closed the study"
    note(connection, researcher, action, study.id)
    return None


@router.post("/delete")
def delete(request: Request, study_id: str, form: CheckedForm) -> Response:
    """Delete the study with everything in it, if its name was typed."""
    with site(request).database.writing() as connection:
        researcher, study = need_study(request, connection, study_id)
        if " ".join(str(form.get("typed", "")).split()) != study.name:
            words = catalogue_of(request)
            filled = filled_form(study)
            filled.problems["typed"] = words.gettext(
                "Type the name of the study exactly. Nothing was deleted."
            )
            return _page(request, connection, researcher, study, filled)
        delete_study(connection, study_id)
        note(connection, researcher, "deleted the study", study_id, study.name)
    return redirect("/studies")


@router.post("/members")
def add_researcher_to_study(request: Request, study_id: str, form: CheckedForm) -> Response:
    with site(request).database.writing() as connection:
        researcher, study = need_study(request, connection, study_id)
        found = find_by_name(connection, str(form.get("member", ""))[:200])
        if found is None:
            words = catalogue_of(request)
            filled = filled_form(study)
            filled.problems["member"] = words.gettext(
                "No researcher has an account with this name. An administrator can add one."
            )
            return _page(request, connection, researcher, study, filled)
        add_member(connection, study_id, found.id)
        note(connection, researcher, "added a researcher", study_id, found.name)
    return redirect(f"/studies/{study_id}/settings#members")


@router.post("/members/{member:int}/remove")
def remove_researcher_from_study(
    request: Request, study_id: str, member: int, form: CheckedForm
) -> Response:
    with site(request).database.writing() as connection:
        researcher, _ = need_study(request, connection, study_id)
        members = members_of(connection, study_id)
        name = next((one.name for one in members if one.id == member), None)
        if name is None:
            raise HTTPException(404, "there is no such researcher in this study")
        if len(members) == 1:
            raise SummetryError(
                "a study needs one researcher; add another one before you remove the last"
            )
        remove_member(connection, study_id, member)
        note(connection, researcher, "removed a researcher", study_id, name)
    to = "/studies" if member == researcher.id and not researcher.is_admin else None
    return redirect(to or f"/studies/{study_id}/settings#members")


@router.get("/log")
def study_log(request: Request, study_id: str) -> Response:
    with site(request).database.reading() as connection:
        researcher, study = need_study(request, connection, study_id)
        entries = read_log(connection, study_id)
    return render(
        request, "log.html", researcher=researcher, study=study, entries=entries, names={}
    )


@whole_log.get("/log")
def log_of_everything(request: Request) -> Response:
    with site(request).database.reading() as connection:
        researcher = need_admin(request, connection)
        entries = read_log(connection)
    return render(request, "log.html", researcher=researcher, entries=entries)


def _page(
    request: Request,
    connection: Connection,
    researcher: Row[Any],
    study: Study,
    filled: SettingsForm,
    unsaved: bool = False,
    seen: str = "",
) -> Response:
    corpus = site(request).corpora.uploaded(connection, study)
    task = TASKS[study.task]
    return render(
        request,
        "settings.html",
        status=409 if "meanwhile" in filled.problems else 422 if filled.problems else 200,
        researcher=researcher,
        study=study,
        task=task,
        corpus=corpus,
        values=filled.values,
        questions=filled.questions,
        problems=filled.problems,
        unsaved=unsaved,
        seen=seen or settings_seen(study),
        unfit=unfit_words(study, corpus, catalogue_of(request)),
        conditions=CONDITIONS,
        most_questions=MOST_QUESTIONS,
        members=members_of(connection, study.id),
        people=len(people_of(connection, study.id)),
    )
