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
from summetry.engine.plan import Facts, Item
from summetry.errors import FormatError
from summetry.formats.table import read_rows
from summetry.metrics import Needs
from summetry.records.builder import OnError
from summetry.records.scores import Row


@dataclass(frozen=True)
class TablePlan:
    """Each row's candidate against the row's own references and source.

    The table is read twice: once to check every row, to count them and to take the
    fingerprint, so that a broken row is found before anything is computed; and once to score.
    """

    path: Path
    columns: Mapping[str, str] = field(default_factory=dict)
    language: str = ""
    on_error: OnError = "stop"
    protocol: str = "no_models"
    problems: list[str] = field(default_factory=list)
    # Rows that repeat an earlier one and are left out.
    _repeated: set[int] = field(default_factory=set)

    @property
    def name(self) -> str:
        return f"the table {self.path}"

    @cached_property
    def facts(self) -> Facts:
        digest = hashlib.sha256()
        seen = array("q")
        offered = Needs.NOTHING
        fewest, most = None, 0
        for row in read_rows(self.path, self.columns, self._report):
            parts = (row.id, row.system, row.candidate, *row.references, row.source or "")
            whole = hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass"))
            digest.update(whole.digest())
            name = hashlib.sha256(f"{row.id}\x00{row.system}".encode("utf-8", "surrogatepass"))
            seen.append(int.from_bytes(name.digest()[:8], "little", signed=True))
            count = len(row.references)
            fewest, most = min(count, count if fewest is None else fewest), max(count, most)
            if count:
                offered |= Needs.REFERENCES
            if row.source is not None:
                offered |= Needs.SOURCE
        self._no_row_twice(np.frombuffer(seen, dtype=np.int64))
        rows, nobody = len(seen) - len(self._repeated), (0, 0)
        found = digest.hexdigest()[:10]
        span = (fewest or 0, most)
        return Facts(rows, offered, span, nobody, nobody, found, (self.language,))

    def items(self) -> Iterator[Item]:
        # What is wrong with a row was reported when the facts were taken.
        repeated = self._repeated if self.facts.items else set()
        for number, row in enumerate(read_rows(self.path, self.columns, lambda error: None)):
            if number not in repeated:
                key = Row(self.protocol, row.id, row.system, "candidate")
                yield Item(key, (row.comparison(self.language),))

    def _report(self, error: FormatError) -> None:
        if self.on_error == "stop":
            raise error
        self.problems.append(str(error))

    def _no_row_twice(self, names: Ints) -> None:
        """Eight bytes a row are kept to see a summary that is there twice."""
        order = np.argsort(names, kind="stable")
        ascending = names[order]
        again = np.flatnonzero(ascending[1:] == ascending[:-1]) + 1
        if not len(again):
            return
        first_of = np.searchsorted(ascending, ascending[again])
        earlier = dict(zip(order[again].tolist(), order[first_of].tolist(), strict=True))
        wanted = {*earlier, *earlier.values()}
        rows = enumerate(read_rows(self.path, self.columns, lambda error: None))
        found = {number: row for number, row in rows if number in wanted}
        for number in sorted(earlier):
            row, first = found[number], found[earlier[number]]
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
