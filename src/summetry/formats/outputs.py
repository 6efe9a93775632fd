"""Outputs of systems, one file each, and a file of references that they are matched with.

    a.jsonl     {"id": "t1", "summary": "..."}
    refs.jsonl  {"id": "t1", "references": ["...", "..."], "source": "..."}

A file is a table (JSONL, CSV, TSV, Parquet), or holds one text per line if its name ends in
``.txt``. Rows are matched by ``id``, or by their number where no file has ids. The columns are
those of a table; a summary may also be in ``summary``, ``prediction``, ``output`` or ``text``, and
a reference in ``target``, ``gold``, ``summary``, ``highlights`` or ``text``, if only one of them
is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from summetry.errors import FormatError, Place, SummetryError, counted, did_you_mean
from summetry.formats._base import first_bytes, must_be_stored
from summetry.formats.cells import Cells, kind_of_table, read_cells
from summetry.formats.lines import broken_utf8, read_lines
from summetry.formats.table import references_of, refuse_unseen, text_in
from summetry.records.builder import OnError

SUMMARIES = ("summary", "prediction", "output", "text")
REFERENCES = ("target", "gold", "summary", "highlights", "text")
# So many ids are named in a message.
_NAMED = 5
# Texts of a row, and the source where there is one.
_Texts = tuple[tuple[str, ...], str | None]


class Line(NamedTuple):
    """A row of a file: its number, its id (or nothing), and what it holds."""

    number: int
    id: str
    place: Place
    texts: tuple[str, ...]
    source: str | None


class Lines(NamedTuple):
    """What could be read of a file, and how many rows it has, be they skipped."""

    path: Path
    lines: list[Line]
    rows: int

    def has_ids(self) -> bool:
        return any(line.id for line in self.lines)


class Output(NamedTuple):
    """A system's summary with the references and the source of its row."""

    system: str
    id: str
    text: str
    references: tuple[str, ...]
    source: str | None


@dataclass
class OutputReader:
    """Reads and matches files; what was skipped and what was assumed is in words here."""

    columns: Mapping[str, str] = field(default_factory=dict)
    on_error: OnError = "stop"
    problems: list[str] = field(default_factory=list)
    # For each role and column that was taken for it: the files.
    _taken: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        """Which columns were taken for which role without being named so."""
        return [
            f"{name!r} is taken for the {role} in {', '.join(files)}"
            for (role, name), files in self._taken.items()
        ]

    def read(self, outputs: Sequence[Path], references: Path) -> list[Output]:
        """The outputs of all systems, one system after the other."""
        if "system" in self.columns:
            raise SummetryError("--columns: with --references each file is a system of its own")
        systems = system_names(outputs)
        # The names of the roles are checked before a long file is read.
        references_of({}, self.columns, Place(str(references)))
        files = [self._lines(path, self._summary, ("candidate", "id")) for path in outputs]
        roles = ("reference", "references", "source", "id")
        known_lines = self._lines(references, self._reference, roles)
        by_id = _by_id(files, known_lines)
        known = self._keyed(known_lines.lines, by_id)
        matched = []
        for system, file in zip(systems, files, strict=True):
            mine = self._keyed(file.lines, by_id)
            self._match(file.path, mine, references, known)
            matched += [
                Output(system, name, line.texts[0], known[name].texts, known[name].source)
                for name, line in mine.items()
                if name in known
            ]
        return matched

    def _report(self, error: SummetryError) -> None:
        if self.on_error == "stop":
            raise error
        self.problems.append(str(error))

    def _lines(
        self, path: Path, texts: Callable[[Cells, Place], _Texts], roles: Sequence[str]
    ) -> Lines:
        must_be_stored(path)
        if path.is_dir():
            raise SummetryError(f"{path}: expected a file, found a folder")
        if not first_bytes(path):
            raise SummetryError(f"{path}: the file is empty")
        if path.suffix.lower() == ".txt":
            return self._plain(path)
        if not kind_of_table(path):
            raise SummetryError(
                f"{path}: expected a table (JSONL, CSV, TSV, Parquet), or a text a line in a "
                "file that ends in .txt"
            )
        lines, rows = [], 0
        known: dict[str, None] = {}

        def skip(error: FormatError) -> None:
            # A row that cannot be read has its number all the same.
            nonlocal rows
            self._report(error)
            rows += 1

        for place, cells in read_cells(path, skip):
            rows += 1
            known.update(dict.fromkeys(cells))
            try:
                lines.append(Line(rows, self._id(cells), place, *texts(cells, place)))
            except FormatError as error:
                self._report(error)
        if known:
            named = {name for role in roles for name in self.columns.get(role, "").split("+")}
            refuse_unseen(path, named - known.keys() - {""}, known)
        if not lines:
            raise SummetryError(f"{path}: expected rows, found none that can be read")
        return Lines(path, lines, rows)

    def _plain(self, path: Path) -> Lines:
        """One text per line; an empty line is an empty text."""
        lines, rows = [], 0
        for place, line in read_lines(path, blank=True):
            rows += 1
            if error := broken_utf8(line, place):
                self._report(error)
                continue
            lines.append(Line(rows, "", place, (line.decode("utf-8").rstrip("\n"),), None))
        return Lines(path, lines, rows)

    def _id(self, cells: Cells) -> str:
        name = cells.get(self.columns.get("id", "id"))
        return "" if name is None else str(name)

    def _summary(self, cells: Cells, place: Place) -> _Texts:
        name = self.columns.get("candidate") or self._meant("candidate", SUMMARIES, cells, place)
        if name not in cells:
            expected, found = f"the column {name!r} of --columns", f"the columns {', '.join(cells)}"
            hint = did_you_mean(name, cells)
            raise FormatError(place, expected, found, f"name one of them.{hint}")
        return (text_in(cells, name, place),), None

    def _reference(self, cells: Cells, place: Place) -> _Texts:
        texts, source = references_of(cells, self.columns, place)
        named = {"reference", "references", "source"} & self.columns.keys()
        if not texts and source is None and not named and not _has_references(cells):
            name = self._meant("reference", REFERENCES, cells, place)
            texts, source = (text_in(cells, name, place),), None
        return texts, source

    def _meant(self, role: str, names: Sequence[str], cells: Cells, place: Place) -> str:
        """The column of a role, by the name of the role or the only other name that is there."""
        if role in cells:
            return role
        meant = [name for name in names if name in cells]
        if len(meant) != 1:
            expected = f"a column {role!r}, or one of {', '.join(names)}"
            advice = f"name it with --columns {role}=NAME"
            raise FormatError(place, expected, f"the columns {', '.join(cells)}", advice)
        self._taken.setdefault((role, meant[0]), {})[place.path] = None
        return meant[0]

    def _keyed(self, lines: Sequence[Line], have_ids: bool) -> dict[str, Line]:
        if not have_ids:
            return {str(line.number): line for line in lines}
        by_id: dict[str, Line] = {}
        for line in lines:
            first = by_id.setdefault(line.id, line)
            if first is not line:
                found = f"a second one, the first is {first.place}"
                self._report(FormatError(line.place, f"one row for id {line.id!r}", found))
        return by_id

    def _match(
        self, path: Path, mine: Mapping[str, Line], references: Path, known: Mapping[str, Line]
    ) -> None:
        """Say which rows have no partner."""
        lacking = [name for name in known if name not in mine]
        strange = [name for name in mine if name not in known]
        if len(strange) == len(mine):
            raise SummetryError(
                f"{path}: expected ids of {references}, such as {_some(known)}, "
                f"found none of them but {_some(strange)}"
            )
        unmatched = []
        if lacking:
            unmatched.append(f"no summary for {len(lacking)} of {len(known)} ({_some(lacking)})")
        if strange:
            unmatched.append(f"{len(strange)} that have no reference ({_some(strange)})")
        if unmatched:
            advice = "" if self.on_error == "skip" else "; --on-error skip goes on without them"
            words = f"the ids of {references}, found {' and '.join(unmatched)}{advice}"
            self._report(SummetryError(f"{path}: expected {words}"))


def system_names(paths: Sequence[Path]) -> list[str]:
    """The name of each file's system: that of the file, with its folder where that is needed.

    >>> system_names([Path("old/out.jsonl"), Path("new/out.jsonl"), Path("lead.txt")])
    ['old/out', 'new/out', 'lead']
    """
    stems = Counter(path.stem for path in paths)
    names = [path.stem if stems[path.stem] == 1 else str(path.with_suffix("")) for path in paths]
    for name, count in Counter(names).items():
        if count > 1:
            raise SummetryError(f"{count} files would be the system {name!r}; rename the others")
    return names


def _has_references(cells: Cells) -> bool:
    """Whether a row has a column for references, be it empty."""
    return any(name.startswith("reference") for name in cells)


def _by_id(outputs: Sequence[Lines], references: Lines) -> bool:
    """Whether rows are matched by id: all have one, or none has."""
    having = next((file for file in (*outputs, references) if file.has_ids()), None)
    if having is None:
        for file in outputs:
            _check_rows(file, references)
        return False
    for file in (*outputs, references):
        bare = next((line for line in file.lines if not line.id), None)
        if bare and file.has_ids():
            raise FormatError(bare.place, "an id, as other rows have", "none")
        if bare:
            raise SummetryError(
                f"{having.path} has ids and {file.path} has none; rows are matched by id if all "
                "files have ids, and by their number if none has"
            )
    return True


def _check_rows(file: Lines, references: Lines) -> None:
    if file.rows != references.rows:
        raise SummetryError(
            f"{file.path} has {counted(file.rows, 'row')} and {references.path} has "
            f"{references.rows:,}; rows without ids are matched by their number, so there "
            "must be as many"
        )


def _some(names: Sequence[str] | Mapping[str, Line]) -> str:
    shown = ", ".join(repr(name) for name in list(names)[:_NAMED])
    return f"{shown}, ..." if len(names) > _NAMED else shown
