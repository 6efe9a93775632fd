"""Outputs of systems, one file each, and a file of references that they are matched with.

    a.jsonl     {"id": "t1", "summary": "..."}
    refs.jsonl  {"id": "t1", "references": ["...", "..."], "source": "..."}

A file is a table (JSONL, JSON, CSV, TSV, Parquet), or holds one text per line, whatever its ending;
``.txt`` is always text. A column of a table names systems; else the file is one, with its name.
Rows are matched by ``id``, or by their number where no file has ids or where a file is text. The
columns are those of a table. Without a file of references each file must have them, the same for
one id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from summetry.errors import FormatError, Place, SummetryError, counted
from summetry.formats._base import first_bytes, must_be_stored
from summetry.formats.cells import first_cells, kind_of_table, read_cells
from summetry.formats.columns import (
    LOOKED_AT,
    NUMBERED,
    OUTPUT_ROLES,
    REFERENCE_ROLES,
    ROLES,
    Cells,
    TableColumns,
    asked_columns,
    choose_columns,
    no_column,
)
from summetry.formats.lines import broken_utf8, no_text, read_lines
from summetry.formats.table import optional_text, references_in, refuse_unseen, text_in
from summetry.records.builder import OnError

# How many ids a message names.
_NAMED = 5


class Line(NamedTuple):
    """A row of a file: its number, its id and its system (or nothing), and what it holds."""

    number: int
    id: str
    place: Place
    candidate: str
    system: str = ""
    references: tuple[str, ...] = ()
    source: str | None = None


class Lines(NamedTuple):
    """What could be read of a file, and how many rows it has, be they skipped."""

    path: Path
    lines: list[Line]
    rows: int
    is_text: bool = False

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
    # What was taken for which role, and how rows were matched, with the files.
    _assumed: dict[str, dict[str, None]] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        """Which columns were taken for which role without being named so."""
        return [f"{', '.join(files)}: {words}" for words, files in self._assumed.items()]

    def read(self, outputs: Sequence[Path], references: Path | None = None) -> list[Output]:
        """The outputs of all systems, one system after the other."""
        if references is None:
            return self._with_their_own(self._systems(outputs, ROLES))
        systems = self._systems(outputs, OUTPUT_ROLES)
        known_lines = self._lines(references, REFERENCE_ROLES)
        files = [(system, self._with_ids(file, known_lines)) for system, file in systems]
        by_id = _by_id([file for _, file in files], known_lines)
        known = self._keyed(known_lines.lines, by_id)
        matched = []
        for system, file in files:
            mine = self._keyed(file.lines, by_id)
            self._match(file.path, mine, references, known)
            matched += [
                Output(system, name, line.candidate, known[name].references, known[name].source)
                for name, line in mine.items()
                if name in known
            ]
        return matched

    def _systems(self, outputs: Sequence[Path], roles: Sequence[str]) -> list[tuple[str, Lines]]:
        """The rows of each system of each file; two of one name have that of their file, too."""
        found = []
        for name, path in zip(system_names(outputs), outputs, strict=True):
            file = self._lines(path, roles)
            by_system: dict[str, list[Line]] = {}
            for line in file.lines:
                by_system.setdefault(line.system or name, []).append(line)
            for system, lines in by_system.items():
                part = file
                if len(by_system) > 1:
                    # Rows without ids have their number among those of their system.
                    numbered = [line._replace(number=n) for n, line in enumerate(lines, start=1)]
                    part = Lines(path, numbered, len(lines))
                found.append((name, system, part))
        counts = Counter(system for _, system, _ in found)
        return [
            (system if counts[system] == 1 else f"{system} ({name})", part)
            for name, system, part in found
        ]

    def _with_their_own(self, systems: Sequence[tuple[str, Lines]]) -> list[Output]:
        """Outputs in files that each hold the references and the source, too."""
        (_, first_file), *_ = systems
        if not any(line.references or line.source is not None for line in first_file.lines):
            raise SummetryError(
                f"{first_file.path} has no references for its summaries: name a file that has, "
                "with --references FILE"
            )
        by_id = _by_id([file for _, file in systems[1:]], first_file)
        keyed = [self._keyed(file.lines, by_id) for _, file in systems]
        for (_, file), mine in zip(systems[1:], keyed[1:], strict=True):
            self._match(file.path, mine, first_file.path, keyed[0])
        for name, first in keyed[0].items():
            for mine in keyed[1:]:
                line = mine.get(name, first)
                if (line.references, line.source) != (first.references, first.source):
                    expected = f"the references and source of id {name!r} at {first.place}"
                    advice = "name the file with the right ones: --references FILE"
                    raise FormatError(line.place, expected, "others", advice)
        return [
            Output(system, name, line.candidate, line.references, line.source)
            for (system, _), mine in zip(systems, keyed, strict=True)
            for name, line in mine.items()
            if name in keyed[0]
        ]

    def _with_ids(self, file: Lines, references: Lines) -> Lines:
        """A file of text with the ids of the references, whose rows are in the same order."""
        if not (file.is_text and references.has_ids()):
            return file
        _check_rows(file, references)
        self._assumed.setdefault("lines are matched with rows by their number", {})[
            str(file.path)
        ] = None
        ids = {line.number: line.id for line in references.lines}
        lines = [line._replace(id=ids.get(line.number, "")) for line in file.lines]
        return file._replace(lines=[line for line in lines if line.id])

    def _report(self, error: SummetryError) -> None:
        if self.on_error == "stop":
            raise error
        self.problems.append(str(error))

    def _lines(self, path: Path, roles: Sequence[str]) -> Lines:
        must_be_stored(path)
        if path.is_dir():
            raise SummetryError(f"{path}: expected a file, found a folder")
        if not first_bytes(path):
            raise SummetryError(f"{path}: the file is empty")
        if path.suffix.lower() == ".txt" or not kind_of_table(path):
            return self._text(path, roles)
        rows = 0

        def skip(error: FormatError) -> None:
            # A row that cannot be read has its number all the same.
            nonlocal rows
            self._report(error)
            rows += 1

        read: list[tuple[int, Place, Cells]] = []
        only = None
        if kind_of_table(path) == "parquet":
            seen = first_cells(path, LOOKED_AT)
            asked = {r: n for r, n in asked_columns(self.columns).items() if r in roles}
            place = seen[0][0] if seen else Place(str(path))
            chosen = choose_columns([cells for _, cells in seen], asked, place, roles)
            names = seen[0][1] if seen else ()
            only = {*chosen.used, *filter(NUMBERED.fullmatch, names)}
        for place, cells in read_cells(path, skip, only):
            rows += 1
            read.append((rows, place, cells))
        lines = self._read_lines(path, read, roles) if read else []
        if not lines:
            raise SummetryError(f"{path}: expected rows, found none that can be read")
        return Lines(path, lines, rows)

    def _read_lines(
        self, path: Path, rows: Sequence[tuple[int, Place, Cells]], roles: Sequence[str]
    ) -> list[Line]:
        asked = {role: n for role, n in asked_columns(self.columns).items() if role in roles}
        first = [cells for _, _, cells in rows[:LOOKED_AT]]
        columns = choose_columns(first, asked, rows[0][1], roles)
        if columns.taken:
            self._assumed.setdefault(columns.taken, {})[str(path)] = None
        known: dict[str, None] = {}
        lines = []
        for number, place, cells in rows:
            known.update(dict.fromkeys(cells))
            try:
                lines += _lines_of(number, place, cells, columns, roles)
            except FormatError as error:
                self._report(error)
        named = {name for names in asked.values() for name in names.split("+")}
        refuse_unseen(path, named - known.keys(), known)
        return lines

    def _text(self, path: Path, roles: Sequence[str]) -> Lines:
        """One text per line; an empty line is an empty text."""
        start = first_bytes(path)
        if error := no_text(start, Place(str(path))):
            raise error
        if b"\x00" in start:
            expected = "a table (JSONL, JSON, CSV, TSV, Parquet), or one text per line"
            raise FormatError(Place(str(path)), expected, "a zero byte")
        lines, rows = [], 0
        for place, line in read_lines(path, blank=True):
            rows += 1
            if error := broken_utf8(line, place):
                self._report(error)
                continue
            text = line.decode("utf-8").rstrip("\n")
            references = () if "candidate" in roles else (text,)
            lines.append(Line(rows, "", place, text, references=references))
        return Lines(path, lines, rows, is_text=True)

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
        if words := unmatched_ids(path, mine, references, known, self.on_error):
            self._report(SummetryError(words))


def unmatched_ids(
    path: Path | str,
    mine: Collection[str],
    other: Path | str,
    known: Collection[str],
    on_error: OnError,
) -> str:
    """Which ids of two files have no partner, in words; that none has is an error in any case."""
    lacking = [name for name in known if name not in mine]
    strange = [name for name in mine if name not in known]
    if len(strange) == len(mine):
        raise SummetryError(
            f"{path}: expected ids of {other}, such as {_some(known)}, "
            f"found none of them but {_some(strange)}"
        )
    unmatched = []
    if lacking:
        unmatched.append(f"no summary for {len(lacking)} of {len(known)} ({_some(lacking)})")
    if strange:
        unmatched.append(f"{len(strange)} that are not there ({_some(strange)})")
    if not unmatched:
        return ""
    advice = "" if on_error == "skip" else "; to go on without them: --on-error skip"
    return f"{path}: expected the ids of {other}, found {' and '.join(unmatched)}{advice}"


def system_names(paths: Sequence[Path]) -> list[str]:
    """The name of each file's system: that of the file, with its folder where that is needed.

    >>> system_names([Path("old/out.jsonl"), Path("new/out.jsonl"), Path("lead.txt")])
    ['old/out', 'new/out', 'lead']
    """
    stems = Counter(path.stem for path in paths)
    names = [path.stem if stems[path.stem] == 1 else str(path.parent / path.stem) for path in paths]
    for name, count in Counter(names).items():
        if count > 1:
            raise SummetryError(f"{count} files would be the system {name!r}; rename the others")
    return names


def _lines_of(
    number: int, place: Place, cells: Cells, columns: TableColumns, roles: Sequence[str]
) -> list[Line]:
    """A row; of a table with a column for each system, each of them."""
    name = cells.get(columns.id)
    line = Line(number, "" if name is None else str(name), place, "")
    if "reference" in roles:
        source = optional_text(cells, columns.source, place)
        line = line._replace(references=references_in(cells, columns, place), source=source)
    if "candidate" not in roles:
        return [line]
    system, lines = str(cells.get(columns.system) or ""), []
    for candidate in columns.candidate:
        if candidate not in cells:
            raise no_column(candidate, cells, place)
        text = text_in(cells, candidate, place)
        of = candidate if len(columns.candidate) > 1 else system
        lines.append(line._replace(candidate=text, system=of))
    return lines


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


def _some(names: Collection[str]) -> str:
    shown = ", ".join(repr(name) for name in list(names)[:_NAMED])
    return f"{shown}, ..." if len(names) > _NAMED else shown
