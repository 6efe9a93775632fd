"""A plan over one table, row by row: memory does not grow with the table."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from summetry.arrays.types import Ints
from summetry.engine.fingerprints import fingerprint_of_numbers, number_of_texts
from summetry.engine.plan import Facts, Item, Plan
from summetry.errors import FormatError
from summetry.formats.table import TableRow, read_rows
from summetry.metrics import Needs
from summetry.records.builder import OnError
from summetry.records.scores import Row


@dataclass(frozen=True)
class TablePlan(Plan):
    """Each row's candidate against the row's own references and source.

    The table is read twice: once to check every row, to count them and to take the
    fingerprint, so that a broken row is found before anything is computed; and once to score.
    """

    path: Path
    columns: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    on_error: OnError = "stop"
    problems: list[str] = field(default_factory=list)
    # Rows that repeat an earlier one and are left out.
    _repeated: set[int] = field(default_factory=set)

    @property
    def name(self) -> str:
        return f"the table {self.path}"

    @property
    def facts(self) -> Facts:
        return self._first_reading[0]

    @property
    def fingerprint(self) -> str:
        return self._first_reading[1]

    @cached_property
    def _first_reading(self) -> tuple[Facts, str]:
        names, numbers = array("q"), array("Q")
        offered = Needs.NOTHING
        fewest, most = None, 0
        for row in read_rows(self.path, self.columns, self._report, rest=False):
            numbers.append(
                number_of_texts(row.candidate, row.references, row.source, self.language)
            )
            name = hashlib.sha256(f"{row.id}\x00{row.system}".encode("utf-8", "surrogatepass"))
            names.append(int.from_bytes(name.digest()[:8], "little", signed=True))
            count = len(row.references)
            fewest, most = min(count, count if fewest is None else fewest), max(count, most)
            if count:
                offered |= Needs.REFERENCES
            if row.source is not None:
                offered |= Needs.SOURCE
        self._no_row_twice(np.frombuffer(names, dtype=np.int64))
        kept = [number for place, number in enumerate(numbers) if place not in self._repeated]
        facts = Facts(len(kept), offered, (fewest or 0, most), languages=(self.language,))
        return facts, fingerprint_of_numbers(kept)

    def items(self) -> Iterator[Item]:
        # What is wrong with a row was reported when the facts were taken.
        repeated = self._repeated if self.facts.items else set()
        for number, row in enumerate(self._rows()):
            if number not in repeated:
                key = Row(self.protocol, row.id, row.system, "candidate")
                yield Item(key, (row.comparison(self.language),))

    def _rows(self) -> Iterator[TableRow]:
        return read_rows(self.path, self.columns, lambda error: None, rest=False)

    def _report(self, error: FormatError) -> None:
        if self.on_error == "stop":
            raise error
        self.problems.append(str(error))

    def _no_row_twice(self, names: Ints) -> None:
        """Refuse a summary that is there twice; eight bytes per row are kept to see it."""
        order = np.argsort(names, kind="stable")
        ascending = names[order]
        again = np.flatnonzero(ascending[1:] == ascending[:-1]) + 1
        if not len(again):
            return
        first_of = np.searchsorted(ascending, ascending[again])
        earlier = dict(zip(order[again].tolist(), order[first_of].tolist(), strict=True))
        both = {*earlier, *earlier.values()}
        rows = enumerate(self._rows())
        repeated = {number: row for number, row in rows if number in both}
        for number in sorted(earlier):
            row, first = repeated[number], repeated[earlier[number]]
            self._report(
                FormatError(
                    row.place,
                    f"one row for id {row.id!r} and system {row.system!r}",
                    f"a second one, the first is {first.place}",
                    "give every row its own id, or name the column of systems with "
                    "--columns system=NAME",
                )
            )
            self._repeated.add(number)
