"""The settings of a study; opening, closing and deleting it; its researchers; its log."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError
from summetry.web.pages import CheckedForm, Desk, catalogue_of, need_study, open_study, redirect
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
from summetry.web.store.studies import change_study, delete_study
from summetry.web.tasks import TASKS

router = APIRouter(prefix="/studies/{study_id}")


@router.get("/settings")
def settings_page(request: Request, study_id: str) -> Response:
    with open_study(request, study_id) as desk:
        return _page(desk, filled_form(desk.study))


@router.post("/settings")
def save_settings(request: Request, study_id: str, form: CheckedForm) -> Response:
    """Save; or add or remove a background question, which is saved with the rest later."""
    action, seen = str(form.get("do", "save")), str(form.get("seen", ""))[:5_000]
    sent = sent_form(form)
    with open_study(request, study_id, writes=True) as desk:
        connection, study = desk.connection, desk.study
        if action == "add-question":
            if len(sent.questions) < MOST_QUESTIONS:
                sent.questions.append(QuestionRow())
            return _page(desk, sent, unsaved=True, seen=seen)
        if action.startswith("remove-question-"):
            number = action.removeprefix("remove-question-")
            without_question(sent, int(number) if number.isdecimal() and len(number) < 4 else -1)
            return _page(desk, sent, unsaved=True, seen=seen)
        words = catalogue_of(request)
        corpus = desk.uploaded()
        topics = [topic.id for topic in corpus.topics]
        task = TASKS[study.task]
        read = read_settings(sent, study, task.settings, topics, words)
        if read is None:
            return _page(desk, sent, seen=seen)
        name, settings = read
        left, clashing = changed_meanwhile(seen, study, name, settings)
        if clashing:
            now = filled_form(study)
            sent.values |= {key: now.values[key] for key in left}
            sent.questions = now.questions if "questions" in left else sent.questions
            sent.problems["meanwhile"] = changed_words(clashing, study, words)
            return _page(desk, sent)
        name = study.name if "name" in left else name
        theirs = {key: getattr(study.settings, key) for key in left if key != "name"}
        settings = msgspec.structs.replace(settings, **theirs)
        given = given_answers(connection, study_id)
        after = replace(study, settings=settings)
        sent.problems |= unreadable_words(task, study, after, corpus, given, words)
        if sent.problems:
            return _page(desk, sent, seen=seen)
        change_study(connection, study_id, name=name, settings=settings)
        changed = [
            field
            for field in settings.__struct_fields__
            if getattr(settings, field) != getattr(study.settings, field)
        ]
        if changed or name != study.name:
            desk.note("changed the settings", ", ".join(changed))
        state = str(form.get("state", ""))
        if state:
            _, saved = need_study(request, connection, study_id)
            if wrong := _set_state(desk._replace(study=saved), state):
                return wrong
    return redirect(f"/studies/{study_id}/settings?saved=1")


@router.post("/state")
def change_state(request: Request, study_id: str, form: CheckedForm) -> Response:
    """Open or close the study."""
    with open_study(request, study_id, writes=True) as desk:
        if wrong := _set_state(desk, str(form.get("state", ""))):
            return wrong
    return redirect(f"/studies/{study_id}/settings")


def _set_state(desk: Desk, state: str) -> Response | None:
    """Open or close a study; the page that says why it cannot be opened, or nothing."""
    if state not in ("open", "closed"):
        raise HTTPException(400, "expected the state open or closed")
    if state == "open":
        study = desk.study
        items = TASKS[study.task].items(study, desk.uploaded())
        if not [item for item in items if item.topic != study.settings.practice]:
            words = catalogue_of(desk.request)
            wrong = words.gettext(
                "The study cannot be opened: it has no text, or only the practice text."
            )
            return _refused(desk, "state", wrong)
    change_study(desk.connection, desk.study.id, state=state)
    desk.note("opened the study" if state == "open" else "closed the study")
    return None


def _refused(desk: Desk, field: str, words: str) -> Response:
    """The settings as they are, and what was wrong with a field."""
    filled = filled_form(desk.study)
    filled.problems[field] = words
    return _page(desk, filled)


@router.post("/delete")
def delete(request: Request, study_id: str, form: CheckedForm) -> Response:
    """Delete the study with everything in it, if its name was typed."""
    with open_study(request, study_id, writes=True) as desk:
        if " ".join(str(form.get("typed", "")).split()) != desk.study.name:
            words = catalogue_of(request)
            wrong = words.gettext("Type the name of the study exactly. Nothing was deleted.")
            return _refused(desk, "typed", wrong)
        delete_study(desk.connection, study_id)
        desk.note("deleted the study", desk.study.name)
    return redirect("/studies")


@router.post("/members")
def add_researcher_to_study(request: Request, study_id: str, form: CheckedForm) -> Response:
    with open_study(request, study_id, writes=True) as desk:
        found = find_by_name(desk.connection, str(form.get("member", ""))[:200])
        if found is None:
            words = catalogue_of(request)
            wrong = words.gettext(
                "No researcher has an account with this name. An administrator can add one."
            )
            return _refused(desk, "member", wrong)
        add_member(desk.connection, study_id, found.id)
        desk.note("added a researcher", found.name)
    return redirect(f"/studies/{study_id}/settings#members")


@router.post("/members/{member:int}/remove")
def remove_researcher_from_study(
    request: Request, study_id: str, member: int, form: CheckedForm
) -> Response:
    with open_study(request, study_id, writes=True) as desk:
        members = members_of(desk.connection, study_id)
        name = next((one.name for one in members if one.id == member), None)
        if name is None:
            raise HTTPException(404, "there is no such researcher in this study")
        if len(members) == 1:
            raise SummetryError(
                "a study needs one researcher; add another one before you remove the last"
            )
        remove_member(desk.connection, study_id, member)
        desk.note("removed a researcher", name)
    to = "/studies" if member == desk.researcher.id and not desk.researcher.is_admin else None
    return redirect(to or f"/studies/{study_id}/settings#members")


@router.get("/log")
def study_log(request: Request, study_id: str) -> Response:
    with open_study(request, study_id) as desk:
        return desk.render("log.html", entries=read_log(desk.connection, study_id), names={})


def _page(desk: Desk, filled: SettingsForm, unsaved: bool = False, seen: str = "") -> Response:
    corpus, study = desk.uploaded(), desk.study
    return desk.render(
        "settings.html",
        status=409 if "meanwhile" in filled.problems else 422 if filled.problems else 200,
        task=TASKS[study.task],
        corpus=corpus,
        values=filled.values,
        questions=filled.questions,
        problems=filled.problems,
        unsaved=unsaved,
        seen=seen or settings_seen(study),
        unfit=unfit_words(study, corpus, catalogue_of(desk.request)),
        conditions=CONDITIONS,
        most_questions=MOST_QUESTIONS,
        members=members_of(desk.connection, study.id),
        people=len(people_of(desk.connection, study.id)),
    )
