"""The texts of a study before it opens: the units as they were cut, mended by hand; more texts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
from fastapi import APIRouter, HTTPException
from sqlalchemy import Connection
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus
from summetry.records.prose import between_units, documents_in_paragraphs, main_unit
from summetry.records.topics import Topic
from summetry.records.units import (
    FIRST_LINE,
    UnitChange,
    cut_places,
    first_line_to_title,
    fixed_topics,
    join_unit,
    split_unit,
    title_line,
    title_to_first_line,
)
from summetry.text.languages import language_code
from summetry.web.acts import UPLOADED, must_suit, upload_words
from summetry.web.catalogues import Catalogue
from summetry.web.corpora import known_names
from summetry.web.pages import CheckedForm, Desk, catalogue_of, open_study, redirect, site
from summetry.web.routes.studies import language_menu, unfit_words, uploaded_corpus
from summetry.web.store.accounts import read_log
from summetry.web.store.answers import count_answers
from summetry.web.store.people import people_of
from summetry.web.store.studies import (
    Study,
    add_corpus,
    change_topic,
    check_addition,
    remove_topic,
)
from summetry.web.tasks import TASKS

router = APIRouter(prefix="/studies/{study_id}/texts")


@router.get("")
def list_texts(request: Request, study_id: str) -> Response:
    return _list(request, study_id)


@router.post("/upload")
def upload(request: Request, study_id: str, form: CheckedForm) -> Response:
    """Add the texts of a further upload."""
    with open_study(request, study_id) as desk:
        _must_be_unlocked(desk)
    try:
        uploaded = uploaded_corpus(form)
        with open_study(request, study_id) as desk:
            must_suit(TASKS[desk.study.task], uploaded.corpus)
            checked = desk.study
            addition = check_addition(desk.connection, checked, uploaded.corpus)
        with open_study(request, study_id, writes=True) as desk:
            _must_be_unlocked(desk)
            invited = {person.name for person in people_of(desk.connection, study_id)}
            for name in sorted(invited & known_names(uploaded.corpus)):
                raise SummetryError(
                    f"{name!r} is somebody in the upload and was invited too; delete the "
                    f"invitation, or rename one of the two"
                )
            add_corpus(desk.connection, checked, addition)
            desk.note(UPLOADED, upload_words(uploaded))
    except SummetryError as error:
        return _list(request, study_id, {"files": str(error)})
    return redirect(f"/studies/{study_id}/texts")


@router.get("/{number:int}")
def show_text(request: Request, study_id: str, number: int, unit: str = "") -> Response:
    """A text with its units; ``unit`` is the one that is looked at more closely."""
    return _text(request, study_id, number, _whole(unit))


@router.post("/{number:int}")
def change_text(request: Request, study_id: str, number: int, form: CheckedForm) -> Response:
    """Cut a unit, join it with the next, change what is known of the text, or remove it."""
    action, unit = str(form.get("do", "")), _whole(form.get("unit"))
    with open_study(request, study_id, writes=True) as desk:
        _must_be_unlocked(desk)
        if str(form.get("changes", "")) != str(desk.study.changes):
            # What was typed stays on the page, which now shows the text as it is.
            wrong = catalogue_of(request).gettext(
                "Nothing was changed: the study was changed in another window meanwhile. The text "
                "below is as it is now; look at it and repeat what you wanted to do."
            )
            return _text(request, study_id, number, -1, wrong, form, status=409)
        corpus = desk.uploaded()
        topic = _topic(corpus, number)
        if action == "remove":
            remove_topic(desk.connection, desk.study, topic.id)
            desk.note("removed a text", topic.id)
            return redirect(f"/studies/{study_id}/texts")
        try:
            with desk.connection.begin_nested():
                where = _changed(desk, corpus, topic, action, unit, form)
        except SummetryError as error:
            return _text(request, study_id, number, unit, str(error), form)
        desk.note("changed a text", f"{action}: {topic.id}")
    return redirect(f"/studies/{study_id}/texts/{number}{where}")


def _changed(
    desk: Desk, corpus: Corpus, topic: Topic, action: str, unit: int, form: FormData
) -> str:
    """Do what the button says; where on the page to go on."""
    connection, study_id = desk.connection, desk.study.id
    if action == "describe":
        described = msgspec.structs.replace(
            topic,
            title=_line(form, "title", 500),
            language=language_code(_line(form, "language", 40)),
            genre=_line(form, "genre", 80),
        )
        change_topic(connection, study_id, described)
        return ""
    spoken = corpus.language_of(topic)
    if action in ("title-back", "title-take"):
        if topic.id in fixed_topics(corpus):
            raise SummetryError(
                "the upload, or an editor's extract, refers to the units of this text by number, "
                "so that none can come or go"
            )
        is_back = action == "title-back"
        mended = title_to_first_line(topic, spoken) if is_back else first_line_to_title(topic)
        change_topic(connection, study_id, mended)
        return ""
    if action == "split":
        if not 0 <= unit < len(topic.units):
            raise SummetryError("there is no such unit")
        places = _places(topic, topic.units[unit], spoken)
        word = _whole(form.get("word"))
        if not 0 <= word < len(places):
            raise SummetryError("choose the word with which the second part begins")
        mended = split_unit(topic, unit, places[word])
    elif action == "join":
        mended = join_unit(topic, unit, spoken)
    else:
        raise HTTPException(400, "expected a button of the page")
    change_topic(connection, study_id, mended, UnitChange(topic.id, unit, joins=action == "join"))
    return f"?unit={unit}#unit-{unit}"


def lock_reason(connection: Connection, study: Study, words: Catalogue) -> str:
    """Why the texts of a study cannot be changed now; or nothing."""
    answers = count_answers(connection, study.id)
    if answers:
        return words.ngettext(
            "The texts are locked: informants have begun to work ({n} answer), and their answers "
            "refer to the units as they are.",
            "The texts are locked: informants have begun to work ({n} answers), and their answers "
            "refer to the units as they are.",
            answers,
        ).format(n=answers)
    if study.is_open:
        return words.gettext("The texts are locked while the study is open. Close it first.")
    return ""


def _must_be_unlocked(desk: Desk) -> None:
    if reason := lock_reason(desk.connection, desk.study, catalogue_of(desk.request)):
        raise HTTPException(403, reason)


def _list(request: Request, study_id: str, problems: dict[str, str] | None = None) -> Response:
    here = site(request)
    with open_study(request, study_id) as desk:
        corpus = desk.uploaded()
        words = here.corpora.words(desk.connection, desk.study)
        locked = lock_reason(desk.connection, desk.study, catalogue_of(request))
        logged = read_log(desk.connection, study_id)
    uploads = [entry for entry in logged if entry.action == UPLOADED]
    return desk.render(
        "texts.html",
        status=422 if problems else 200,
        corpus=corpus,
        words={topic: sum(numbers) for topic, numbers in words.items()},
        locked=locked,
        problems=problems or {},
        unfit=unfit_words(desk.study, corpus, catalogue_of(request)),
        last_upload=uploads[0] if uploads else None,
        languages=language_menu(),
        kinds={topic.unit for topic in corpus.topics},
        unit=main_unit(corpus),
        limit=here.upload_limit // 2**20,
    )


def _text(
    request: Request,
    study_id: str,
    number: int,
    unit: int,
    wrong: str = "",
    form: FormData | None = None,
    status: int = 422,
) -> Response:
    with open_study(request, study_id) as desk:
        corpus = desk.uploaded()
        locked = lock_reason(desk.connection, desk.study, catalogue_of(request))
    topic = _topic(corpus, number)
    spoken = corpus.language_of(topic)
    units = topic.units
    pieces: list[str] = []
    if 0 <= unit < len(units) and not locked:
        cuts = [0, *_places(topic, units[unit], spoken), len(units[unit])]
        pieces = [units[unit][a:b].strip() for a, b in pairwise(cuts)]
    return desk.render(
        "text.html",
        status=status if wrong else 200,
        topic=topic,
        spoken=spoken,
        number=number,
        count=len(corpus.topics),
        units=units,
        unit=unit,
        pieces=pieces,
        between=between_units(topic, spoken),
        paragraphs=[blocks for _, blocks in documents_in_paragraphs(topic)],
        first_line=topic.meta.get(FIRST_LINE, ""),
        title_line="" if topic.id in fixed_topics(corpus) else title_line(topic),
        locked=locked,
        wrong=wrong,
        form=form or FormData(),
        languages=language_menu(),
    )


def _topic(corpus: Corpus, number: int) -> Topic:
    if not 0 <= number < len(corpus.topics):
        raise HTTPException(404, "there is no such text")
    return corpus.topics[number]


def _places(topic: Topic, unit: str, spoken: str) -> list[int]:
    return cut_places(unit, spoken, at_marks=topic.unit == "word")


def _whole(value: Any) -> int:
    """A number of a form; -1 where there is none."""
    is_number = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10
    return int(value) if is_number else -1


def _line(form: FormData, name: str, longest: int) -> str:
    value = " ".join(str(form.get(name, "")).replace("\0", "").split())
    if len(value) > longest:
        raise SummetryError(f"{name}: expected at most {longest} characters, found {len(value)}")
    return value
