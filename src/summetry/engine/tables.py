"""A plan over one table, chunk by chunk: memory does not grow with the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from summetry.arrays.types import Ints
from summetry.engine.fingerprints import fingerprint_of_sum, sum_of_texts
from summetry.engine.plan import CHUNK_CHARACTERS, CHUNK_ITEMS, Facts, Item, Plan, TextChunk, span
from summetry.errors import FormatError, Place
from summetry.formats.cells import rows_about
from summetry.formats.table import NamedTexts, read_rows, read_texts
from summetry.metrics import Needs
from summetry.records.batches import TextColumns
from summetry.records.builder import OnError


@dataclass
class TablePlan(Plan):
    """Each row's candidate against the row's own references and source.

    The table is read once: every row is checked and counted, and the fingerprint taken, as its
    chunk comes to be scored. Facts that are asked for earlier take a reading of their own.
    """

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

    def offers(self, need: Needs) -> bool:
        if self.is_read:
            return super().offers(need)
        return any((chunk.offered & need.value).any() for chunk in self.chunks())

    def items(self) -> Iterator[Item]:
        for chunk in self.chunks():
            yield from chunk.items()

    def chunks(self, size: int = CHUNK_ITEMS) -> Iterator[TextChunk]:
        self.problems.clear()
        items, total = 0, 0
        offered, counts = Needs.NOTHING, set[int]()
        for chunk in self._cut(size):
            columns = chunk.columns
            total += sum_of_texts(columns)
            counts.update(map(len, columns.references))
            if any(source is not None for source in columns.sources):
                offered |= Needs.SOURCE
            items += len(chunk)
            yield chunk
        if any(counts):
            offered |= Needs.REFERENCES
        self._known = Facts(items, offered, span(counts)), fingerprint_of_sum(total)

    def _cut(self, size: int) -> Iterator[TextChunk]:
        """The rows in chunks of at most ``size``, fewer where texts are long."""
        held: list[NamedTexts] = []
        first, rows, characters = 1, 0, 0
        for names, texts in self._checked():
            held.append((names, texts))
            rows, characters = rows + len(names), characters + texts.characters()
            if rows >= size or characters > CHUNK_CHARACTERS:
                *whole, rest = _joined(held, first, self.language).cut(size)
                yield from whole
                held = [(list(rest.names), rest.columns)]
                first, rows, characters = rest.first, len(rest), rest.columns.characters()
        yield from _joined(held, first, self.language).cut(size)

    def _checked(self) -> Iterator[NamedTexts]:
        """Rows as they are read, without those that repeat an earlier one."""
        seen = Seen()
        # By their numbers in the table.
        repeated: dict[int, tuple[str, str]] = {}
        read = 0
        for names, texts in read_texts(self.path, self.columns, self._report):
            again = seen.again(names)
            if again.any():
                repeated |= {read + i: names[i] for i in np.flatnonzero(again).tolist()}
                if self.on_error == "stop":
                    self._report_repeated(repeated)
                kept = np.flatnonzero(~again).tolist()
                yield [names[i] for i in kept], texts.only(kept)
            elif names:
                yield names, texts
            read += len(names)
        self._report_repeated(repeated)

    def _all_read(self) -> tuple[Facts, str]:
        if self._known is None:
            for _chunk in self.chunks():
                pass
        assert self._known is not None
        return self._known

    def _report(self, error: FormatError) -> None:
        if self.on_error == "stop":
            raise error
        self.problems.append(str(error))

    def _report_repeated(self, repeated: Mapping[int, tuple[str, str]]) -> None:
        """Report rows that repeat another; the table is read again to see where that one is."""
        if not repeated:
            return
        names = set(repeated.values())
        first: dict[tuple[str, str], Place] = {}
        rows = read_rows(self.path, self.columns, lambda error: None, rest=False)
        for number, row in enumerate(rows):
            if (row.id, row.system) in names:
                place = first.setdefault((row.id, row.system), row.place)
                if number in repeated:
                    self._report(
                        FormatError(
                            row.place,
                            f"one row for id {row.id!r} and system {row.system!r}",
                            f"a second one, the first is {place}",
                            "give every row its own id, or name the column of systems with "
                            "--columns system=NAME",
                        )
                    )


class Seen:
    """Names that were there before: eight bytes are kept of each, in few sorted arrays."""

    def __init__(self) -> None:
        self._sorted: list[Ints] = []

    def again(self, names: Sequence[tuple[str, str]]) -> NDArray[np.bool_]:
        """Which of the names were there before, among these or in an earlier call."""
        hashes = np.fromiter(map(hash, names), np.int64, len(names))
        order = np.argsort(hashes, kind="stable")
        new = hashes[order]
        again = np.zeros(len(names), dtype=bool)
        again[order[1:]] = new[1:] == new[:-1]
        for known in self._sorted:
            places = np.searchsorted(known, hashes)
            again |= known[np.minimum(places, len(known) - 1)] == hashes
        # Each is larger than the next, so that there are few and none is merged often.
        while self._sorted and len(self._sorted[-1]) <= len(new):
            new = np.sort(np.concatenate([self._sorted.pop(), new]), kind="stable")
        if len(new):
            self._sorted.append(new)
        return again


def _joined(parts: Sequence[NamedTexts], first: int, language: str) -> TextChunk:
    """Rows that follow one another as one chunk."""
    columns = TextColumns(
        [candidate for _, texts in parts for candidate in texts.candidates],
        [references for _, texts in parts for references in texts.references],
        [source for _, texts in parts for source in texts.sources],
        language,
    )
    return TextChunk(columns, first, [name for names, _ in parts for name in names])
