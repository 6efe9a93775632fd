"""Studies: a corpus, a task, its settings."""

from __future__ import annotations

import dataclasses
import datetime
import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from summetry.errors import Place, SummetryError, counted, shorten
from summetry.records.base import Record
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import KINDS, Corpus
from summetry.records.topics import Topic
from summetry.records.units import UnitChange
from summetry.web import tables
from summetry.web.database import now
from summetry.web.settings import StudySettings

LONGEST_ID = 500
STATES = ("draft", "open", "closed")
# No letters that can be taken for others: codes are read aloud and typed.
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_encode = msgspec.json.Encoder().encode
# Asked for by every request, so made once: building a query takes longer than answering it.
_BY_ID = select(tables.studies).where(tables.studies.c.id == bindparam("study"))
_BY_CODE = select(tables.studies).where(tables.studies.c.code == bindparam("study"))


@dataclass(frozen=True)
class Study:
    """A study without its corpus."""

    id: str
    name: str
    task: str
    state: str
    code: str
    settings: StudySettings
    created: datetime.datetime
    changes: int

    @property
    def is_open(self) -> bool:
        return self.state == "open"


def random_code(length: int = 8) -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def make_study(
    connection: Connection,
    name: str,
    task: str,
    corpus: Corpus,
    settings: StudySettings | None = None,
    state: str = "draft",
) -> str:
    """A new study with the records of a corpus; its id."""
    study = random_code(10)
    values = {
        "id": study,
        "name": name,
        "task": task,
        "state": state,
        "code": random_code(),
        "settings": json_text(settings or StudySettings()),
        # An upload has no name of its own.
        "head": head_of(corpus if corpus.name else dataclasses.replace(corpus, name=name)),
        "created": now(),
        "changes": 0,
    }
    connection.execute(insert(tables.studies).values(values))
    add_records(connection, study, corpus)
    return study


def draft(name: str, task: str) -> Study:
    """A study as it is before it is stored, with the settings of a new one."""
    return Study("", name, task, "draft", "", StudySettings(), now(), 0)


def head_of(corpus: Corpus) -> str:
    """What a corpus says of itself, as it is stored."""
    head = {"name": corpus.name, "language": corpus.language}
    return json_text({**head, "scales": corpus.scales, "meta": corpus.meta})


def add_records(connection: Connection, study: str, corpus: Corpus) -> None:
    """Add all records of a corpus to those of a study."""
    for topic in corpus.topics:
        if len(topic.id) > LONGEST_ID or "\0" in topic.id:
            raise SummetryError(
                f"topic {shorten(topic.id)}: expected an id of at most {LONGEST_ID} characters, "
                f"without a zero byte; rename it"
            )
    last = select(func.max(tables.topics.c.position)).where(tables.topics.c.study == study)
    newest = connection.execute(last).scalar_one()
    position = 0 if newest is None else newest + 1
    topics = [
        {"study": study, "position": position + place, "topic": t.id, "record": json_text(t)}
        for place, t in enumerate(corpus.topics)
    ]
    others = [
        {"study": study, "kind": kind, "record": json_text(record)}
        for kind in KINDS
        if kind != "topics"
        for record in getattr(corpus, kind)
    ]
    for table, rows in ((tables.topics, topics), (tables.records, others)):
        if rows:
            connection.execute(insert(table), rows)


def check_addition(connection: Connection, study: Study, more: Corpus) -> Corpus:
    """What has to be stored to add another corpus to a study; refused where the two do not fit."""
    known = stored_corpus(connection, study)
    twice = sorted({t.id for t in known.topics} & {t.id for t in more.topics})
    if twice:
        shown = ", ".join(shorten(name) for name in twice[:5]) + (", ..." if twice[5:] else "")
        raise SummetryError(
            f"{counted(len(twice), 'text')} of the upload have an id that the study has already: "
            f"{shown}; rename them, or remove those of the study first"
        )
    for name, scale in more.scales.items():
        if known.scales.get(name, scale) != scale:
            raise SummetryError(f"the scale {name!r} of the upload is not that of the study")
    people = {person.id: person for person in known.people}
    for person in more.people:
        if people.get(person.id, person) != person:
            raise SummetryError(f"{person.id!r} is another person in the upload than in the study")
    parts: dict[str, Any] = {kind: getattr(more, kind) for kind in KINDS}
    parts["topics"] = tuple(
        msgspec.structs.replace(topic, language=more.language_of(topic)) for topic in more.topics
    )
    parts["people"] = tuple(person for person in more.people if person.id not in people)
    addition = dataclasses.replace(known, **parts, scales={**known.scales, **more.scales})
    # Whatever else does not fit together.
    records = ((kind, record) for kind in KINDS for record in getattr(addition, kind))
    stored_corpus(connection, study, records, addition.scales)
    return addition


def add_corpus(connection: Connection, study: Study, addition: Corpus) -> None:
    """Add what was checked to a study; refused if the study was changed after it was read."""
    found = find_study(connection, study.id)
    if found is None or found.changes != study.changes:
        raise SummetryError("the study was changed in another window meanwhile; upload again")
    add_records(connection, study.id, addition)
    change_study(connection, study.id, head=head_of(addition))


def change_topic(
    connection: Connection, study: str, topic: Topic, change: UnitChange | None = None
) -> None:
    """Keep a topic as it is now; what refers to its units moves with ``change``."""
    if change:
        kinds = ("summaries", "extracts", "utilities", "labels")
        for row, record in records_of(connection, study, topic.id, kinds):
            moved = change.moved(record)
            if moved != record:
                found = update(tables.records).where(tables.records.c.id == row)
                connection.execute(found.values(record=json_text(moved)))
    found = update(tables.topics).where(tables.topics.c.study == study)
    found = found.where(tables.topics.c.topic == topic.id)
    connection.execute(found.values(record=json_text(topic)))
    change_study(connection, study)


def remove_topic(connection: Connection, study: Study, topic: str) -> None:
    """Take a topic out of a study, with everything that belongs to it."""
    for row, _ in list(records_of(connection, study.id, topic, tuple(KINDS))):
        connection.execute(delete(tables.records).where(tables.records.c.id == row))
    found = delete(tables.topics).where(tables.topics.c.study == study.id)
    connection.execute(found.where(tables.topics.c.topic == topic))
    settings = study.settings
    if settings.practice == topic:
        settings = msgspec.structs.replace(settings, practice="")
    change_study(connection, study.id, settings=settings)


def find_study(connection: Connection, study: str, *, by_code: bool = False) -> Study | None:
    query = _BY_CODE if by_code else _BY_ID
    row = connection.execute(query, {"study": study}).one_or_none()
    return _study(row) if row else None


def all_studies(connection: Connection, researcher: int | None = None) -> list[Study]:
    """The studies, newest first: all, or those of one researcher."""
    query = select(tables.studies).order_by(tables.studies.c.created.desc(), tables.studies.c.id)
    if researcher is not None:
        mine = select(tables.members.c.study).where(tables.members.c.researcher == researcher)
        query = query.where(tables.studies.c.id.in_(mine))
    return [_study(row) for row in connection.execute(query)]


def change_study(connection: Connection, study: str, **values: Any) -> None:
    """Change columns of a study; without any, note that its records have changed."""
    if settings := values.get("settings"):
        values["settings"] = json_text(settings)
    changes = tables.studies.c.changes + 1
    found = update(tables.studies).where(tables.studies.c.id == study)
    connection.execute(found.values(**values, changes=changes))


def delete_study(connection: Connection, study: str) -> None:
    connection.execute(delete(tables.studies).where(tables.studies.c.id == study))


def records_of(
    connection: Connection, study: str, topic: str, kinds: tuple[str, ...]
) -> list[tuple[int, Record]]:
    """The records of a topic, each with the number of its row."""
    rows = stored_records(connection, study, kinds)
    return [(number, one) for number, _, one in rows if getattr(one, "topic", None) == topic]


def stored_records(
    connection: Connection, study: str, kinds: Iterable[str] = tuple(KINDS)
) -> Iterator[tuple[int, str, Record]]:
    """The records of a study that are no topics and were not made on the page, with their rows."""
    row = tables.records.c
    query = select(row.id, row.kind, row.record).where(row.study == study, row.kind.in_(kinds))
    for number, kind, text in connection.execute(query.order_by(row.id)):
        yield number, kind, msgspec.json.decode(text, type=KINDS[kind])


def stored_corpus(
    connection: Connection,
    study: Study,
    more: Iterable[tuple[str, Record]] = (),
    scales: Mapping[str, tuple[str, ...]] | None = None,
    replaces: Collection[str] = (),
) -> Corpus:
    """The corpus of a study as it was uploaded, and ``more`` records beside it.

    ``scales`` are those of the marks in ``more``; they hold instead of the corpus' own. Of the
    kinds in ``replaces``, the records of ``more`` take the place of all uploaded ones of their
    topics.
    """
    row = connection.execute(select(tables.studies.c.head).where(tables.studies.c.id == study.id))
    head = msgspec.json.decode(row.scalar_one())
    merged = head["scales"] | dict(scales or {})
    kept = {name: tuple(scale) for name, scale in merged.items() if scale}
    builder = CorpusBuilder(head["name"], head["language"], kept, head["meta"])
    place = Place(study.name)
    topics = select(tables.topics.c.record).where(tables.topics.c.study == study.id)
    order = tables.topics.c.position, tables.topics.c.id
    for text in connection.execute(topics.order_by(*order)).scalars():
        builder.add("topics", msgspec.json.decode(text, type=Topic), place)
    made = list(more)
    taken = {(kind, getattr(record, "topic", "")) for kind, record in made if kind in replaces}
    for _, kind, record in stored_records(connection, study.id):
        if (kind, getattr(record, "topic", "")) not in taken:
            builder.add(kind, record, place)
    for kind, record in made:
        builder.add(kind, record, place)
    return builder.build()


def json_text(value: Any) -> str:
    return _encode(value).decode()


def check_name(name: str, what: str, longest: int) -> str:
    """A name without white space around it; refused if it is empty or too long."""
    name = " ".join(name.split())
    if not 0 < len(name) <= longest:
        found = f"{len(name)} characters" if name else "none"
        raise SummetryError(f"{what}: expected a name of 1 to {longest} characters, found {found}")
    return name


def _study(row: Any) -> Study:
    settings = msgspec.json.decode(row.settings, type=StudySettings)
    return Study(
        row.id, row.name, row.task, row.state, row.code, settings, row.created, row.changes
    )
