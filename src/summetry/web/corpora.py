"""A study's corpus: what was uploaded, and with it what people submitted; kept until it changes."""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Row

from summetry.records.base import Record
from summetry.records.corpus import Corpus
from summetry.records.pyramids import RULES
from summetry.records.summaries import Person
from summetry.web.store.answers import given_answers, stamp
from summetry.web.store.people import people_of
from summetry.web.store.studies import Study, stored_corpus
from summetry.web.tasks import TASKS, unit_words

T = TypeVar("T")


class Kept:
    """Results that are computed once and kept while their key stays the same."""

    def __init__(self, most: int = 64) -> None:
        self._most = most
        self._results: OrderedDict[tuple[Any, ...], tuple[Any, Any]] = OrderedDict()
        self._lock = threading.Lock()
        # What takes seconds is made by one request; others that ask for it wait.
        self._making: dict[tuple[Any, ...], threading.Lock] = {}

    def get(self, name: tuple[Any, ...], key: Any, make: Callable[[], T]) -> T:
        """The result called ``name``, made anew if it was made for another ``key``."""
        with self._lock:
            making = self._making.setdefault(name, threading.Lock())
        with making:
            with self._lock:
                found = self._results.get(name)
                if found and found[0] == key:
                    self._results.move_to_end(name)
                    return found[1]  # type: ignore[no-any-return]
            made = make()
            with self._lock:
                self._results[name] = key, made
                self._results.move_to_end(name)
                while len(self._results) > self._most:
                    gone, _ = self._results.popitem(last=False)
                    self._making.pop(gone, None)
            return made


class Corpora:
    """The corpora of all studies of one application."""

    def __init__(self) -> None:
        self.kept = Kept()

    def uploaded(self, connection: Connection, study: Study) -> Corpus:
        """What was uploaded, without what people did on the page."""
        return self.kept.get(
            ("uploaded", study.id), study.changes, lambda: stored_corpus(connection, study)
        )

    def words(self, connection: Connection, study: Study) -> dict[str, tuple[int, ...]]:
        """The number of words of every unit, by topic."""
        corpus = self.uploaded(connection, study)
        return {
            topic.id: unit_words(topic.units, corpus.language_of(topic)) for topic in corpus.topics
        }

    def key(self, connection: Connection, study: Study) -> tuple[Any, ...]:
        """Changes with anything that the whole corpus depends on."""
        return study.changes, *stamp(connection, study.id)

    def whole(self, connection: Connection, study: Study) -> Corpus:
        """Everything: what was uploaded and what people submitted."""
        uploaded = self.uploaded(connection, study)

        def make() -> Corpus:
            more = submitted_records(connection, study, uploaded)
            task = TASKS[study.task]
            scales = task.scales(study, uploaded)
            corpus = stored_corpus(connection, study, more, scales, task.replaces)
            return dataclasses.replace(corpus, meta=corpus.meta | task.meta(study, uploaded))

        return self.kept.get(("whole", study.id), self.key(connection, study), make)


def submitted_records(
    connection: Connection, study: Study, uploaded: Corpus
) -> Iterator[tuple[str, Record]]:
    """The records that the study's task makes of what was submitted, and its people."""
    given = given_answers(connection, study.id)
    known = {person.id for person in uploaded.people}
    here = {answer.person for answer in given}
    for person in people_of(connection, study.id):
        if person.name in here and person.name not in known:
            yield "people", Person(person.name, person.group, _about(person))
    counted = [answer for answer in given if not answer.repeated]
    yield from TASKS[study.task].records(study, uploaded, counted)


def _about(person: Row[Any]) -> dict[str, Any]:
    """What a person said of themselves, and the language in which they read the page."""
    about = {"language": person.language, "background": msgspec.json.decode(person.background)}
    return {name: value for name, value in about.items() if value}


def known_names(corpus: Corpus) -> set[str]:
    """The people of uploaded data: an informant of the same name would be taken for one of them.

    And the names of rules, which no annotator can have.
    """
    names = {*RULES} | {person.id for person in corpus.people}
    names |= {extract.informant for extract in corpus.extracts}
    names |= {summary.author for summary in corpus.summaries}
    names |= {pyramid.annotator for pyramid in corpus.pyramids if pyramid.annotator}
    for records in (corpus.judgments, corpus.utilities, corpus.answers):
        names |= {record.judge for record in records}
    return names
