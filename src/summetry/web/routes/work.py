"""The pages on which people work: the same few steps for every task.

Without JavaScript a form is sent by its buttons and a page comes back; with it, htmx sends the
same form after every change and draws the panel anew. Changes that were made while a save was on
its way come together with the next one, each as ``earlier``: the form as it was then.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import msgspec
from fastapi import APIRouter, HTTPException
from sqlalchemy import Connection, Row
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from summetry.web.pages import CheckedForm, catalogue_of, person_of, redirect, render, site
from summetry.web.progress import load_plan
from summetry.web.store.answers import (
    ConflictError,
    Content,
    NothingToUndoError,
    answers_of,
    change,
    earlier_items,
    find_answer,
    open_page,
    undo,
    was_taken_over,
)
from summetry.web.store.assignment import assign_next, lock_study
from summetry.web.store.studies import Study, find_study
from summetry.web.tasks import TASKS, BadFormError, Item, Task, Work

router = APIRouter(prefix="/s/{study_id}")

# Changes in one request; the page's script sends no more either.
MOST_STEPS = 100


@router.get("/next")
def go_on(request: Request, study_id: str) -> Response:
    """To what the person does next."""
    here = site(request)
    with here.database.writing() as connection:
        study, person = _who(request, connection, study_id)
        if not study.is_open:
            return redirect(f"/s/{study_id}")
        lock_study(connection, study_id)
        plan = load_plan(connection, study, here.corpora.uploaded(connection, study))
        place = assign_next(connection, study, person, plan)
    return redirect(f"/s/{study_id}?done=all" if place is None else f"/s/{study_id}/{place}")


@router.get("/{place:int}")
def show(request: Request, study_id: str, place: int) -> Response:
    with site(request).database.writing() as connection:
        work = _work(request, connection, study_id, place)
        if work.answer.returned:
            is_free = work.study.is_open and _can_take(connection, work)
            return _rendered(request, work, "tasks/returned.html", is_free=is_free)
        is_extra = was_taken_over(connection, work.study, work.answer)
        open_page(connection, work.answer)
    return _page(request, work, TASKS[work.study.task].template, is_extra=is_extra)


@router.post("/{place:int}/take")
def take(request: Request, study_id: str, place: int, form: CheckedForm) -> Response:
    """Take an item again that was returned, as long as others do not have it."""
    with site(request).database.writing() as connection:
        lock_study(connection, study_id)
        work = _work(request, connection, study_id, place)
        if work.study.is_open and work.answer.returned and _can_take(connection, work):
            answer = work.answer
            change(connection, answer, answer.version, work.content, "take", longest_pause=0)
    return redirect(f"/s/{study_id}/{place}")


def _can_take(connection: Connection, work: Work) -> bool:
    own = answers_of(connection, work.study, work.person.id)
    return load_plan(connection, work.study, work.corpus).can_take(own, work.answer)


@router.get("/{place:int}/review")
def review(request: Request, study_id: str, place: int) -> Response:
    with site(request).database.reading() as connection:
        work = _work(request, connection, study_id, place)
    task = TASKS[work.study.task]
    if not task.has_review or task.missing(work) or work.answer.returned:
        return redirect(f"/s/{study_id}/{place}")
    return _page(request, work, f"tasks/{task.name}_review.html")


@router.post("/{place:int}")
def save(request: Request, study_id: str, place: int, form: CheckedForm) -> Response:
    """Save what the form holds; then undo, review, return or submit, as the button says."""
    action = str(form.get("do", ""))
    base = f"/s/{study_id}"
    version = str(form.get("version", ""))
    with site(request).database.writing() as connection:
        work = _work(request, connection, study_id, place)
        if not (version.isascii() and version.isdigit() and len(version) < 10):
            raise HTTPException(400, "expected the version of the answer")
        if not work.study.is_open:
            return _problem(request, work, "closed", 403)
        task = TASKS[work.study.task]
        is_extra = was_taken_over(connection, work.study, work.answer)
        try:
            forms = [*_steps(form), form]
            if work.answer.version != int(version):
                # The answer to an earlier save has not come back: what it held is not new.
                known = [
                    n for n, one in enumerate(forms) if task.read_form(work, one) == work.content
                ]
                if action == "undo" or not known:
                    return _problem(request, work, "conflict", 409)
                forms = forms[known[-1] + 1 :]
            if action == "undo":
                with suppress(NothingToUndoError):
                    undo(connection, work.answer, work.answer.version, task.longest_pause)
                    work = _reread(connection, work)
            else:
                for one in forms:
                    work = _changed(connection, task, work, one)
        except BadFormError as error:
            raise HTTPException(400, str(error)) from None
        except ConflictError:
            # Another tab was quicker by a moment; the transaction holds nothing yet.
            return _problem(request, work, "conflict", 409)
        missing = task.missing(work)
        if (action == "submit" and not missing) or (action == "return" and work.can_return):
            _change(connection, task, work.answer, work.content, action)
    goes_on = action == "submit" or (action == "review" and task.has_review)
    if goes_on and not missing:
        # After the practice text the first real one follows; otherwise the way home shows progress.
        follows = place == 0 or task.goes_on
        submitted = f"{base}/next" if follows else f"{base}?done={place}"
        return redirect(submitted if action == "submit" else f"{base}/{place}/review")
    if "hx-request" in request.headers:
        return _page(request, work, task.panel, tried=goes_on, is_extra=is_extra)
    if work.extra or is_extra:
        # What there is to say of this change is said once, so that no address can lead to it.
        return _page(request, work, task.template, tried=goes_on, is_extra=is_extra)
    return redirect(f"{base}/{place}")


def _change(
    connection: Connection, task: Task, answer: Row[Any], content: Content, action: str = "change"
) -> None:
    change(connection, answer, answer.version, content, action, longest_pause=task.longest_pause)


def _steps(form: FormData) -> list[FormData]:
    """The form as it was after each of the changes before the last one."""
    steps = form.getlist("earlier")
    if len(steps) >= MOST_STEPS:
        raise BadFormError(f"expected at most {MOST_STEPS} changes at once, found {len(steps) + 1}")
    pairs = (parse_qsl(str(step), keep_blank_values=True) for step in steps)
    return [FormData([(name, value) for name, value in step]) for step in pairs]


def _changed(connection: Connection, task: Task, work: Work, form: FormData) -> Work:
    """The work after the form; nothing is written where nothing is different."""
    content = task.read_form(work, form)
    if content == work.content:
        return work
    _change(connection, task, work.answer, content)
    return _reread(connection, work)


def _reread(connection: Connection, work: Work) -> Work:
    row = find_answer(connection, work.answer.person, work.answer.place)
    assert row is not None
    return replace(work, answer=row, content=msgspec.json.decode(row.content))


def _who(request: Request, connection: Connection, study_id: str) -> tuple[Study, Row[Any]]:
    study = find_study(connection, study_id)
    person = person_of(request, connection, study_id) if study else None
    if study is None or person is None or person.joined is None:
        raise HTTPException(404, "there is no such page; open the link of the study again")
    return study, person


def _work(request: Request, connection: Connection, study_id: str, place: int) -> Work:
    study, person = _who(request, connection, study_id)
    answer = find_answer(connection, person.id, place) if place < 2**31 else None
    if answer is None:
        raise HTTPException(404, "there is no such text")
    corpora = site(request).corpora
    item = Item(msgspec.json.decode(answer.item, type=tuple[str, ...]))
    looks_back = TASKS[study.task].looks_back
    earlier = list(map(Item, earlier_items(connection, answer))) if looks_back else []
    return Work(
        study,
        corpora.uploaded(connection, study),
        item,
        corpora.words(connection, study)[item.topic],
        msgspec.json.decode(answer.content),
        catalogue_of(request, person.language),
        answer,
        person,
        earlier,
    )


def _page(
    request: Request, work: Work, template: str, *, tried: bool = False, is_extra: bool = False
) -> Response:
    """A page of the work; ``is_extra``: others were given the item meanwhile."""
    task = TASKS[work.study.task]
    how = {"missing": task.missing(work), "tried": tried, "goes_on": task.goes_on}
    how["is_extra"] = is_extra
    how["note"] = work.content.get("note", "")
    return _rendered(request, work, template, **how, **task.show(work))


def _problem(request: Request, work: Work, what: str, status: int) -> Response:
    """The change was not taken: the study is closed, or another tab has changed the answer."""
    template = (
        "tasks/problem_panel.html" if "hx-request" in request.headers else "tasks/problem.html"
    )
    return _rendered(request, work, template, status=status, what=what)


def _rendered(request: Request, work: Work, template: str, **more: Any) -> Response:
    who = {"wanted": work.person.language, "person": work.person}
    return render(request, template, study=work.study, work=work, **who, **more)
