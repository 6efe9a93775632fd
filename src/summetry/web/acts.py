"""What is done to a study, each act by one function, whether a page or the JSON API asks for it.

An act checks what it is given, changes the study in the transaction of its desk, and logs what a
researcher did. The log outlives informants, so that it names none. What is wrong is raised, in the
reader's language where a page says it too.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace
from typing import Any

import msgspec
from fastapi import HTTPException
from sqlalchemy import Connection, Row
from starlette.requests import Request

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus, counted_records
from summetry.web.corpora import known_names
from summetry.web.exports import Exported, file_name, with_majority, zipped
from summetry.web.pages import Desk, catalogue_of, note, site
from summetry.web.settings_form import (
    SettingsForm,
    changed_meanwhile,
    changed_words,
    filled_form,
    read_settings,
    unreadable_words,
)
from summetry.web.store.accounts import add_member
from summetry.web.store.answers import answers_of, given_answers
from summetry.web.store.people import add_person, delete_person, person_by_number
from summetry.web.store.studies import (
    Study,
    change_study,
    check_name,
    delete_study,
    draft,
    find_study,
    make_study,
)
from summetry.web.study_tables import EXPORTED, read_table
from summetry.web.tasks import TASKS, Task
from summetry.web.uploads import Uploaded

LONGEST_GROUP = 80
# The action of the log whose detail lists what a reader noted.
UPLOADED = "uploaded texts"
# Which file of an upload gives what a task needs.
GIVEN_BY = {
    "summaries": "summaries.jsonl of a native folder, a column 'summary' of a table, or texts in "
    "references/ and candidates/",
    "extracts": "extracts.jsonl of a native folder, or texts in extracts/",
    "utilities": "utilities.jsonl of a native folder",
    "pyramids": "pyramids.jsonl of a native folder, or DUCView's .pyr files",
    "questions": "questions.jsonl of a native folder",
}


# ── making a study ────────────────────────────────────────────────────────


def add_study(
    request: Request, researcher: Row[Any], name: str, task: Task, uploaded: Uploaded
) -> Study:
    """A new study with the corpus of an upload, in draft."""
    name = check_name(name, "name", 200)
    must_suit(task, uploaded.corpus)
    _must_have_items(draft(name, task.name), uploaded.corpus)
    # Only what is checked keeps others from writing.
    with site(request).database.writing() as connection:
        made = make_study(connection, name, task.name, uploaded.corpus)
        add_member(connection, made, researcher.id)
        note(connection, researcher, "made the study", made, name)
        note(connection, researcher, UPLOADED, made, upload_words(uploaded))
        study = find_study(connection, made)
    assert study is not None
    return study


def must_suit(task: Task, corpus: Corpus) -> None:
    """Refuse a corpus that lacks what a task works on."""
    lacking = [kind for kind in task.needs if not getattr(corpus, kind)]
    if lacking:
        kind = lacking[0]
        raise SummetryError(
            f"this task needs {kind}, and the upload has none; "
            f"they come from {GIVEN_BY.get(kind, f'{kind}.jsonl of a native folder')}"
        )


def _must_have_items(study: Study, corpus: Corpus) -> None:
    task = TASKS[study.task]
    if task.items(study, corpus) or task.unfit(study, corpus):
        return
    if not any(topic.units for topic in corpus.topics):
        raise SummetryError(
            "the upload has nothing to work on for this task: its topics have no text (SEE, SPL "
            "and DUCView, for example, hold summaries only); upload the texts that are summarized"
        )
    raise SummetryError(
        "the upload has nothing to work on for this task: its topics lack what the task asks about"
    )


def upload_words(uploaded: Uploaded) -> str:
    """What was uploaded, and the notes on it, one per line; the log keeps it."""
    corpus = uploaded.corpus
    kinds = ("topics", "summaries", "extracts", "judgments", "utilities", "pyramids", "questions")
    counts = [counted_records(len(getattr(corpus, k)), k) for k in kinds if getattr(corpus, k)]
    shown = [note if len(note) <= 300 else f"{note[:300]}..." for note in uploaded.notes[:5]]
    if len(uploaded.notes) > len(shown):
        shown.append(f"and {len(uploaded.notes) - len(shown)} more notes")
    return "\n".join([", ".join(counts), *shown])


# ── settings, state, end ──────────────────────────────────────────────────


def change_settings(desk: Desk, sent: SettingsForm, seen: str = "") -> Study | None:
    """The study with the name and settings of a form; None where ``sent`` says what is wrong.

    ``seen`` is what the form showed: what another window has changed meanwhile is not overwritten.
    """
    study, words, corpus = desk.study, catalogue_of(desk.request), desk.uploaded()
    task = TASKS[study.task]
    topics = [topic.id for topic in corpus.topics]
    read = read_settings(sent, study, task.settings, topics, words)
    if read is None:
        return None
    name, settings = read
    left, clashing = changed_meanwhile(seen, study, name, settings)
    if clashing:
        now = filled_form(study)
        sent.values |= {key: now.values[key] for key in left}
        sent.questions = now.questions if "questions" in left else sent.questions
        sent.problems["meanwhile"] = changed_words(clashing, study, words)
        return None
    name = study.name if "name" in left else name
    theirs = {key: getattr(study.settings, key) for key in left if key != "name"}
    settings = msgspec.structs.replace(settings, **theirs)
    after = replace(study, name=name, settings=settings)
    given = given_answers(desk.connection, study.id)
    sent.problems |= unreadable_words(task, study, after, corpus, given, words)
    if study.is_open and (reason := task.unready(after, corpus, words)):
        sent.problems["categories"] = reason
    if sent.problems:
        return None
    changed = [
        field
        for field in settings.__struct_fields__
        if getattr(settings, field) != getattr(study.settings, field)
    ]
    if changed or name != study.name:
        change_study(desk.connection, study.id, name=name, settings=settings)
        desk.note("changed the settings", ", ".join(changed))
    return find_study(desk.connection, study.id)


def set_state(desk: Desk, state: str) -> None:
    """Open or close a study, which must have something to do."""
    if state not in ("open", "closed"):
        raise HTTPException(400, "expected the state open or closed")
    if state == "open":
        task, words = TASKS[desk.study.task], catalogue_of(desk.request)
        if reason := task.unready(desk.study, desk.uploaded(), words):
            raise SummetryError(reason)
        items = task.items(desk.study, desk.uploaded())
        if not [item for item in items if item.topic != desk.study.settings.practice]:
            raise SummetryError(
                words.gettext(
                    "The study cannot be opened: it has no text, or only the practice text."
                )
            )
    change_study(desk.connection, desk.study.id, state=state)
    desk.note("opened the study" if state == "open" else "closed the study")


def remove_study(desk: Desk) -> None:
    """Delete a study with everything in it."""
    delete_study(desk.connection, desk.study.id)
    desk.note("deleted the study", desk.study.name)


# ── informants ────────────────────────────────────────────────────────────


def add_informant(
    connection: Connection, study: str, taken: Container[str], name: str, **values: Any
) -> Row[Any]:
    """A new person; ``taken`` are the people of the uploaded data.

    Records name people, so that two of one name would be one.
    """
    name = " ".join(name.split())
    if name in taken:
        raise SummetryError(
            f"{name!r} is somebody in the uploaded data already; choose another name"
        )
    group = values.get("group", "")
    if len(group) > LONGEST_GROUP:
        raise SummetryError(
            f"expected a group of at most {LONGEST_GROUP} characters, found {len(group)}"
        )
    return add_person(connection, study, name, **values)


def invite_people(desk: Desk, people: Iterable[tuple[str, str, str]]) -> list[Row[Any]]:
    """People with personal links: all, or none.

    Each is a name, a group, and words that lead to the two where they are wrong.
    """
    invited, taken = [], known_names(desk.uploaded())
    more: dict[str, Any] = {"joined": False}
    for name, group, where in people:
        try:
            invited.append(
                add_informant(desk.connection, desk.study.id, taken, name, group=group, **more)
            )
        except SummetryError as error:
            raise SummetryError(f"{where}{error}; nobody was invited") from None
    desk.note("invited informants", str(len(invited)))
    return invited


def find_informant(desk: Desk, number: int) -> Row[Any]:
    """A person of the study by their number."""
    person = person_by_number(desk.connection, desk.study.id, number) if number < 2**31 else None
    if person is None:
        raise HTTPException(404, "there is no such informant")
    return person


def forget_informant(desk: Desk, number: int) -> None:
    """Delete a person: name, answers to questions, votes, every version of them."""
    person = find_informant(desk, number)
    answers = len(answers_of(desk.connection, desk.study, person.id))
    delete_person(desk.connection, person.id)
    change_study(desk.connection, desk.study.id)
    desk.note("deleted an informant", f"{answers} answers")


# ── export ────────────────────────────────────────────────────────────────


def export_study(
    request: Request, researcher: Row[Any], study: Study, form: str, length: str, ties: str
) -> Exported:
    """A study in a format, with references by majority vote where a length is given."""
    here = site(request)
    with here.database.reading() as connection:
        corpus = here.corpora.whole(connection, study)
        more = {name: read_table(name, connection, study) for name in EXPORTED}
    exported = zipped(with_majority(corpus, length, ties), form, file_name(study.name), more)
    # A transaction of its own: nobody who writes waits for the files.
    with here.database.writing() as connection:
        note(connection, researcher, "exported", study.id, form)
    return exported
