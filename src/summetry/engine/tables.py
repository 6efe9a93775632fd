"""A plan over one table, part by part: memory does not grow with the table."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.memory import room_apart
from summetry.arrays.types import Ints
from summetry.engine.fingerprints import fingerprint_of_sum, sum_of_texts
from summetry.engine.plan import (
    CHUNK_ITEMS,
    Facts,
    Item,
    Names,
    Plan,
    Reading,
    Task,
    TextChunk,
    span,
)
from summetry.errors import FormatError, Place
from summetry.formats.cells import read_blocks, rows_about, table_at
from summetry.formats.parts import Part, TableFile
from summetry.formats.table import (
    Lacking,
    Layout,
    TableRow,
    read_part,
    rows_of,
    warn_of_lacking,
)
from summetry.metrics import Needs
from summetry.records.builder import OnError


@dataclass(frozen=True)
class TableTask(Task):
    """Where some rows of a table are, and how they are to be read."""

    table: TableFile
    layout: Layout
    part: Part
    language: str
    on_error: OnError
    # Rows that repeat an earlier one.
    left_out: frozenset[int] = frozenset()

    def __str__(self) -> str:
        line = self.table.numbered(self.part).line
        return f"the rows from {self.path}:{line} on"

    def read(self) -> tuple[TextChunk, Reading]:
        problems: list[str] = []

        def report(error: FormatError) -> None:
            if self.on_error == "stop":
                raise error
            problems.append(str(error))

        (names, texts), known, lacking = read_part(
            self.table, self.part, self.layout.columns, report
        )
        chunk = TextChunk(texts._replace(language=self.language), 0, names)
        if self.left_out:
            chunk = chunk.only([row for row in range(len(chunk)) if row not in self.left_out])
        texts = chunk.columns
        return chunk, Reading(
            items=len(chunk),
            offered=int(np.bitwise_or.reduce(chunk.offered, initial=0)),
            references=tuple(sorted(set(map(len, texts.references)))),
            total=sum_of_texts(texts),
            names=Names.of(chunk.names),
            columns=tuple(known) if self.layout.asked else (),
            problems=tuple(problems),
            lacking=lacking,
            is_numbered=self.layout.columns.id in lacking,
        )

    def content(self, chunk: Any = None) -> tuple[Any, bytes]:
        content = self.table.content(self.part)
        # The number of the first row, where rows are named by their numbers.
        number = 0 if self.layout.columns.has_ids else self.table.numbered(self.part).number
        settings = self.layout.columns, self.language, number, sorted(self.left_out)
        if content is None:
            texts = self.read()[0] if chunk is None else chunk
            return (*settings, texts.content()[0]), b""
        return (*settings, self.table.heading), content

    def first_without(self, column: str) -> tuple[Place, int]:
        """Where the first row is that has nothing in a column, and its number."""
        lacking: Lacking = {}
        for block in self.table.blocks(self.table.numbered(self.part), _ignore):
            deque(rows_of(block, self.layout.columns, _ignore, lacking), maxlen=0)
        place, number, _ = lacking[column]
        return place, number

    @property
    def path(self) -> Path:
        return self.table.path

    def by_place(self) -> TableTask:
        if self.table.is_packed:
            return self
        return replace(self, part=self.part._replace(content=None))

    def at_hand(self) -> Task:
        content = self.table.content(self.part)
        if content is None:
            chunk, reading = self.read()
            return ReadTask(chunk, reading, self.content(chunk))
        part = self.table.numbered(self.part)._replace(content=content)
        return replace(self, part=part)


@dataclass(frozen=True)
class ReadTask(Task):
    """Rows that were read already, for a worker who does not see the table."""

    chunk: TextChunk
    reading: Reading
    of: tuple[Any, bytes]

    def __str__(self) -> str:
        return str(self.chunk)

    def read(self) -> tuple[TextChunk, Reading]:
        return self.chunk, self.reading

    def content(self, chunk: Any = None) -> tuple[Any, bytes]:
        return self.of


@dataclass
class TablePlan(Plan):
    """Each row's candidate against the row's own references and source.

    The table is read once, part by part: every row is checked and counted, and its share of the
    fingerprint taken, by whoever scores it. Facts that are asked for earlier take a reading of
    their own.
    """

    remedy_if_empty: ClassVar[str] = (
        "rows with a candidate (in CSV below a line with the names of the columns)"
    )
    path: Path
    columns: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    on_error: OnError = "stop"
    # What was wrong with rows when they were last read.
    problems: list[str] = field(default_factory=list)
    # What is known when the last row is read: the facts and the fingerprint.
    _known: tuple[Facts, str] | None = None

    @property
    def name(self) -> str:
        return f"the table {self.path}"

    @property
    def languages(self) -> tuple[str, ...]:
        return (self.language,)

    @property
    def facts(self) -> Facts:
        return self._all_read()[0]

    @property
    def fingerprint(self) -> str:
        return self._all_read()[1]

    @property
    def is_read(self) -> bool:
        return self._known is not None

    @property
    def items_about(self) -> int:
        return self.facts.items if self.is_read else rows_about(self.path)

    @property
    def offered(self) -> Needs:
        return self.facts.offered if self.is_read else Needs.REFERENCES | Needs.SOURCE

    @property
    def unused_columns(self) -> tuple[str, ...]:
        return self._layout.columns.unused

    def offers(self, need: Needs) -> bool:
        if self.is_read:
            return super().offers(need)
        return any((chunk.offered & need.value).any() for chunk in self.chunks())

    def items(self) -> Iterator[Item]:
        for chunk in self.chunks():
            yield from chunk.items()

    def chunks(self, size: int = CHUNK_ITEMS) -> Iterator[TextChunk]:
        for task in self.tasks(size):
            chunk, reading = task.read()
            if instead := self.take(reading, task):
                chunk, reading = instead.read()
                self.take(reading, instead)
            yield chunk
        self.end()

    def tasks(self, size: int = CHUNK_ITEMS) -> Iterator[TableTask]:
        self._gathered = _Gathered()
        table = table_at(self.path, self._layout.used)
        for part in table.parts(max(size // len(self._layout.columns.candidate), 1)):
            yield TableTask(table, self._layout, part, self.language, self.on_error)

    def take(self, reading: Reading, task: Task) -> TableTask | None:
        assert isinstance(task, TableTask)
        gathered = self._gathered
        if not task.left_out:
            again = gathered.seen.again(reading.names)
            before, gathered.rows = gathered.rows, gathered.rows + reading.items
            if again.any():
                rows = np.flatnonzero(again).tolist()
                gathered.repeated |= {before + row for row in rows}
                if self.on_error == "stop":
                    # Without a column that was asked for, rows repeat others for that reason.
                    self._layout.refuse_unseen(self.path, [*gathered.columns, *reading.columns])
                    self._report_repeated(gathered.repeated)
                return replace(task, left_out=frozenset(rows))
        gathered.add(reading)
        for column, lacking in reading.lacking.items():
            first, earlier = gathered.lacking.get(column, (task, 0))
            gathered.lacking[column] = first, earlier + lacking
        return None

    def end(self) -> None:
        gathered = self._gathered
        self.problems[:] = gathered.problems
        self._layout.refuse_unseen(self.path, gathered.columns)
        self._report_repeated(gathered.repeated)
        warn_of_lacking(
            {
                name: (*task.first_without(name), rows)
                for name, (task, rows) in gathered.lacking.items()
            },
            self._layout.columns,
        )
        facts = Facts(gathered.items, Needs(gathered.offered), span(gathered.references))
        self._known = facts, fingerprint_of_sum(gathered.total)

    @cached_property
    def _layout(self) -> Layout:
        return Layout.of(self.path, self.columns)

    def _all_read(self) -> tuple[Facts, str]:
        if self._known is None:
            for _chunk in self.chunks():
                pass
        assert self._known is not None
        return self._known

    def _report_repeated(self, repeated: set[int]) -> None:
        """Report rows that repeat another, by their numbers; the table is read again to see where
        that one is."""
        if not repeated:
            return
        names = {(row.id, row.system) for number, row in self._numbered() if number in repeated}
        first: dict[tuple[str, str], Place] = {}
        for number, row in self._numbered():
            if (row.id, row.system) in names:
                place = first.setdefault((row.id, row.system), row.place)
                if number in repeated:
                    error = FormatError(
                        row.place,
                        f"one row for id {row.id!r} and system {row.system!r}",
                        f"a second one, the first is {place}",
                        self._about_repeated,
                    )
                    if self.on_error == "stop":
                        raise error
                    self.problems.append(str(error))

    @property
    def _about_repeated(self) -> str:
        columns = self._layout.columns
        if columns.system in columns.naming:
            return "leave one of them out, or give it another id or system"
        its_own = "give every row its own id"
        if columns.is_per_system:
            return its_own
        return f"{its_own}, or name the column of systems with --columns system=NAME"

    def _numbered(self) -> Iterator[tuple[int, TableRow]]:
        """The rows that can be read, numbered from 0."""
        blocks = read_blocks(table_at(self.path, self._layout.used), _ignore)
        return enumerate(
            row for block in blocks for row in rows_of(block, self._layout.columns, _ignore, {})
        )


def _ignore(error: FormatError) -> None:
    """What is wrong was said when the rows were scored."""


@dataclass
class _Gathered:
    """What was read so far."""

    rows: int = 0
    items: int = 0
    offered: int = 0
    total: int = 0
    references: set[int] = field(default_factory=set)
    columns: dict[str, None] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    # Rows, by their numbers, whose name was there before.
    repeated: set[int] = field(default_factory=set)
    # By column of ids or systems: the first task with rows that have none, and how many rows.
    lacking: dict[str, tuple[TableTask, int]] = field(default_factory=dict)
    seen: Seen = field(default_factory=lambda: Seen())

    def add(self, reading: Reading) -> None:
        self.items += reading.items
        self.offered |= reading.offered
        self.total += reading.total
        self.references.update(reading.references)
        self.columns.update(dict.fromkeys(reading.columns))
        self.problems += reading.problems


class Seen:
    """Names that were there before, in few sorted arrays: eight bytes are kept of each topic for
    every four systems, or fewer, that have it.

    They are kept apart by their first bits, so that a merge needs room for a small share of them.
    """

    def __init__(self) -> None:
        self._systems: dict[str, int] = {}
        self._shares: list[list[NDArray[np.uint64]]] = [[] for _ in range(_SHARES)]

    def again(self, names: Names) -> NDArray[np.bool_]:
        """Which of the names were there before, here or in an earlier call."""
        known = self._systems
        numbers = [known.setdefault(system, len(known)) for system in names.systems]
        systems = np.array(numbers, np.uint64)[np.frombuffer(names.places, np.uint32)]
        # Four systems have a number of the topic to themselves, which ends with a bit for each.
        keys = np.frombuffer(names.topics, np.uint64) + systems // 4 * _NEXT_FOUR
        rows = keys & ~_SYSTEMS | np.left_shift(1, systems % 4)
        order = np.argsort(rows, kind="stable")
        rows = rows[order]
        found = np.zeros(len(rows), dtype=bool)
        found[1:] = rows[1:] == rows[:-1]
        first = _first_of_keys(rows)
        new = np.bitwise_or.reduceat(rows, first) if len(rows) else rows
        ends = [0, *np.searchsorted(new, _FIRST_OF_SHARES).tolist(), len(new)]
        before = [
            _add(share, new[start:end])
            for share, start, end in zip(self._shares, ends, ends[1:], strict=False)
        ]
        found |= np.repeat(np.concatenate(before), np.diff(first, append=len(rows))) & rows > 0
        again = np.empty_like(found)
        again[order] = found
        return again


def _add(share: list[NDArray[np.uint64]], new: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The systems that had the sorted keys of one share before; the new ones are added to it."""
    before = np.zeros_like(new)
    if not len(new):
        return before
    keys = new & ~_SYSTEMS
    for known in share:
        found = known[np.minimum(np.searchsorted(known, keys), len(known) - 1)]
        before |= np.where(found & ~_SYSTEMS == keys, found & _SYSTEMS, 0)
    together, size = [new], len(new)
    # Each is much larger than the next: to look into many takes longer than to merge them.
    while share and len(share[-1]) <= _MERGED * size:
        together.append(share.pop())
        size += len(together[-1])
    # A copy in any case: the names of other shares are not to be held with these.
    merged = np.concatenate(together, out=room_apart(size, np.uint64))
    together.clear()
    merged.sort()  # In place: a stable sort needs half as much again.
    first = _first_of_keys(merged)
    if len(first) < size:
        merged = np.bitwise_or.reduceat(merged, first, out=room_apart(len(first), np.uint64))
    share.append(merged)
    return before


def _first_of_keys(rows: NDArray[np.uint64]) -> Ints:
    """Where another key begins in sorted rows; in few copies, as there may be very many."""
    new = np.ones(len(rows), dtype=bool)
    np.greater(rows[1:] ^ rows[:-1], _SYSTEMS, out=new[1:])
    return np.flatnonzero(new)


# More shares take more time, fewer more memory.
_SHARES = 4
_MERGED = 4
_FIRST_OF_SHARES = np.arange(1, _SHARES, dtype=np.uint64) * np.uint64(2**64 // _SHARES)
# The bits of a number that tell which of its four systems have the topic.
_SYSTEMS = np.uint64(15)
# From the number of a topic to the next one; odd, and of many bits (the golden ratio of 2^64).
_NEXT_FOUR = np.uint64(0x9E3779B97F4A7C15)
