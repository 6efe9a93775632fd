"""What every task says of itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, ClassVar, TypeAlias

from sqlalchemy import Row
from starlette.datastructures import FormData

from summetry.records.base import Record
from summetry.records.corpus import Corpus
from summetry.records.summaries import Role, Summary
from summetry.records.topics import Topic
from summetry.text.pipeline import LanguagePipeline
from summetry.web.catalogues import Catalogue
from summetry.web.store.answers import LONGEST_PAUSE, PRACTICE, Content, Given
from summetry.web.store.studies import Study

LONGEST_NOTE = 5_000
# Records with the kind of each.
Records: TypeAlias = Iterator[tuple[str, Record]]


@dataclass(frozen=True)
class Item:
    """One thing to do: the key starts with the topic's id, the rest is the task's own."""

    key: tuple[str, ...]

    @property
    def topic(self) -> str:
        return self.key[0]


@dataclass(frozen=True)
class Work:
    """A person at work on one item."""

    study: Study
    corpus: Corpus
    item: Item
    words: Sequence[int]
    content: Content
    catalogue: Catalogue
    # The row of the answer and of the person; templates show the time and the place.
    answer: Row[Any]
    person: Row[Any]
    # What the person was given before this item, if the task looks back.
    earlier: Sequence[Item] = ()
    extra: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def topic(self) -> Topic:
        return self.corpus.topic(self.item.topic)

    @property
    def language(self) -> str:
        return self.corpus.language_of(self.topic)

    @property
    def can_return(self) -> bool:
        """Whether the item can go back to others: it is nobody's practice, and not submitted."""
        answer = self.answer
        return answer.place > PRACTICE and not answer.repeated and answer.given is None

    def say(self, message: str, **values: object) -> str:
        """A message in the informant's language."""
        return self.catalogue.gettext(message).format(**values)

    def count(self, one: str, many: str, n: int, **values: object) -> str:
        return self.catalogue.ngettext(one, many, n).format(n=n, **values)


class Task(ABC):
    """A task: what its items are, what its form means, what becomes of the answers."""

    # As it is stored, and as people who run a study read it (a message of the catalogues).
    name: ClassVar[str]
    title: ClassVar[str]
    # Kinds of records that an uploaded corpus must have beside topics.
    needs: ClassVar[tuple[str, ...]] = ()
    # Of the settings that concern single tasks, those that concern this one.
    settings: ClassVar[tuple[str, ...]]
    # The kind of the records that say who gave an answer, beside extracts.
    makes: ClassVar[str] = ""
    # Kinds of records of which the task's own take the place of uploaded ones.
    replaces: ClassVar[tuple[str, ...]] = ()
    # Whether there is a page on which the answer is looked at before it is submitted.
    has_review: ClassVar[bool] = False
    # Whether the next item follows at once when one is submitted.
    goes_on: ClassVar[bool] = False
    # Whether a person meets a topic again as late as possible.
    apart: ClassVar[bool] = False
    # Whether a person who has had one item of a topic gets no other one of it.
    once_per_topic: ClassVar[bool] = False
    # Whether an item's page depends on what the person was given before it.
    looks_back: ClassVar[bool] = False
    # Longer pauses between two changes are not counted as time at work, in seconds.
    longest_pause: ClassVar[float] = LONGEST_PAUSE

    @property
    def template(self) -> str:
        return f"tasks/{self.name}.html"

    @property
    def panel(self) -> str:
        """The part of the page that is drawn anew after each change."""
        return f"tasks/{self.name}_panel.html"

    @abstractmethod
    def items(self, study: Study, corpus: Corpus) -> list[Item]:
        """Everything that there is to do, before anybody's order."""

    def unready(self, study: Study, corpus: Corpus, words: Catalogue) -> str:
        """Why the study cannot be open with its settings; or nothing."""
        return ""

    def unfit(self, study: Study, corpus: Corpus) -> list[Topic]:
        """The texts that nobody is given, since the settings leave no answer to them."""
        return []

    def label(self, corpus: Corpus, item: Item) -> str:
        """What an informant calls an item beside its number; empty where that tells too much."""
        topic = corpus.topic(item.topic)
        return topic.title or topic.id

    def scales(self, study: Study, corpus: Corpus) -> dict[str, tuple[str, ...]]:
        """The scales of the marks in the task's records, worst first; empty for numbers."""
        return {}

    def meta(self, study: Study, corpus: Corpus) -> dict[str, Any]:
        """What the corpus keeps of the settings, beside its own meta."""
        return {}

    @abstractmethod
    def read_form(self, work: Work, form: FormData) -> Content:
        """The new content. What the form could not have sent raises ``BadFormError``.

        What the person should be told of the form is put into ``work.extra``, which the template
        shows once.
        """

    def show(self, work: Work) -> dict[str, Any]:
        """What the template needs beside ``work``."""
        return {}

    @abstractmethod
    def missing(self, work: Work) -> str:
        """Why the answer cannot be submitted yet, in the informant's language; or nothing."""

    @abstractmethod
    def records(self, study: Study, corpus: Corpus, given: Iterable[Given]) -> Records:
        """The records that submitted answers are, with the kind of each.

        ``given`` has no answers to repeated items: they show how far people agree with themselves.
        """

    def unreadable(
        self, before: Study, after: Study, corpus: Corpus, given: Iterable[Given]
    ) -> Iterator[tuple[str, str, str]]:
        """What of submitted answers the settings ``after`` a change could not say any more.

        For each the setting, what it lacks, and whose answer it is.
        """
        yield from ()


class BadFormError(Exception):
    """A form holds what none of our pages sends."""


@lru_cache(maxsize=10_000)
def unit_words(units: tuple[str, ...], language: str) -> tuple[int, ...]:
    """The number of running words of every unit of a text."""
    lengths: list[int] = (
        LanguagePipeline().encode(list(units), [language] * len(units)).lengths.tolist()
    )
    return tuple(lengths)


def summaries_of(corpus: Corpus, topic: str, role: Role) -> list[Summary]:
    """The summaries of a topic in one role, as far as they have a text to be shown."""
    summaries: tuple[Summary, ...] = corpus.of_topic("summaries", topic)
    return [s for s in summaries if s.role == role and corpus.text_of(s).strip()]


def unreadable_marks(
    before: Mapping[str, Sequence[str]],
    after: Mapping[str, Sequence[str]],
    given: Iterable[Given],
) -> Iterator[tuple[str, str, str]]:
    """The marks of answers that scales after a change lack, or order otherwise."""
    marks = [
        (answer.person, dimension, mark)
        for answer in given
        for dimension, mark in answer.content.get("marks", {}).items()
    ]
    used: defaultdict[str, set[str]] = defaultdict(set)
    for _, dimension, mark in marks:
        used[dimension].add(mark)
    for person, dimension, mark in marks:
        if dimension not in after:
            yield "scales", dimension, person
        elif mark not in after[dimension]:
            yield "scales", f"{dimension}: {mark}", person
        else:
            orders = [
                [one for one in scales.get(dimension, ()) if one in used[dimension]]
                for scales in (before, after)
            ]
            if orders[0] != orders[1] and used[dimension] <= set(after[dimension]):
                yield "scales", f"{dimension}: {', '.join(orders[0])}", person


def whole_numbers(values: Iterable[Any], below: int) -> tuple[int, ...]:
    """The numbers of a form, each once and in order; others than 0 to ``below`` - 1 are refused."""
    numbers = set()
    for value in values:
        if not (isinstance(value, str) and value.isascii() and value.isdigit()):
            raise BadFormError(f"expected a number, found {str(value)[:40]!r}")
        if len(value) > 9 or int(value) >= below:
            raise BadFormError(f"expected a number below {below}, found {value[:40]}")
        numbers.add(int(value))
    return tuple(sorted(numbers))


def meta_of(answer: Given) -> dict[str, Any]:
    """What records say of an answer: how long it took, when it was given, a note."""
    meta: dict[str, Any] = {"seconds": round(answer.seconds, 1)}
    meta |= {"submitted": answer.submitted.isoformat(timespec="seconds")}
    if note := answer.content.get("note"):
        meta["note"] = note
    return meta


def read_note(work: Work, form: FormData) -> Content:
    """The note to the researcher, where the study takes notes and there is one."""
    note = free_text(form, "note", LONGEST_NOTE) if work.study.settings.notes else ""
    return {"note": note} if note else {}


def free_text(form: FormData, name: str, longest: int) -> str:
    """A field of free text, with line ends as in Unix; too long a text is refused."""
    value = form.get(name, "")
    if not isinstance(value, str) or len(value) > longest:
        raise BadFormError(f"{name}: expected a text of at most {longest} characters")
    return value.replace("\r\n", "\n").replace("\0", "")
