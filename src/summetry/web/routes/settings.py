"""The settings of a study; opening, closing and deleting it; its researchers; its log."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError
from summetry.web.acts import change_settings, remove_study, set_state
from summetry.web.pages import CheckedForm, Desk, catalogue_of, open_study, redirect
from summetry.web.routes.studies import unfit_words
from summetry.web.settings_form import (
    CONDITIONS,
    MOST_QUESTIONS,
    QuestionRow,
    SettingsForm,
    filled_form,
    sent_form,
    settings_seen,
    without_question,
)
from summetry.web.store.accounts import (
    add_member,
    find_by_name,
    members_of,
    read_log,
    remove_member,
)
from summetry.web.store.people import people_of
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
        if action == "add-question":
            if len(sent.questions) < MOST_QUESTIONS:
                sent.questions.append(QuestionRow())
            return _page(desk, sent, unsaved=True, seen=seen)
        if action.startswith("remove-question-"):
            number = action.removeprefix("remove-question-")
            without_question(sent, int(number) if number.isdecimal() and len(number) < 4 else -1)
            return _page(desk, sent, unsaved=True, seen=seen)
        saved = change_settings(desk, sent, seen)
        if saved is None:
            return _page(desk, sent, seen="" if "meanwhile" in sent.problems else seen)
        if state := str(form.get("state", "")):
            try:
                set_state(desk._replace(study=saved), state)
            except SummetryError as error:
                return _refused(desk._replace(study=saved), "state", str(error))
    return redirect(f"/studies/{study_id}/settings?saved=1")


@router.post("/state")
def change_state(request: Request, study_id: str, form: CheckedForm) -> Response:
    """Open or close the study."""
    with open_study(request, study_id, writes=True) as desk:
        try:
            set_state(desk, str(form.get("state", "")))
        except SummetryError as error:
            return _refused(desk, "state", str(error))
    return redirect(f"/studies/{study_id}/settings")


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
        remove_study(desk)
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
