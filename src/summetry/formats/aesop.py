"""Metric files of TAC's task AESOP: one line per summary, one file per metric.

    D1001-A  A  0.412          set, person or system, score; blanks or tabs between them
    D1001-A  1  0.287

A file names neither its metric nor its protocol: the metric is the name of the file without
``.aesop``, unless ``NAME.aesop.signatures.json`` beside it names another (see ``scores.py``). Files
that score people too (single large letters) are of ``all_peers``, others of
``no_models``. ``NaN`` is an undefined score.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from summetry.errors import FormatError, Place, SummetryError
from summetry.files import write_together
from summetry.formats._base import first_bytes
from summetry.formats._writing import file_name
from summetry.formats.cells import kind_of_table
from summetry.formats.duc.names import role_of
from summetry.formats.texts import number_in, read_columns
from summetry.records.scores import Column, Row, ScoreTable

ENDING = ".aesop"
PROTOCOLS = ("no_models", "all_peers")
_COLUMNS = 3
# So many metrics are named in a message.
_NAMED = 3

Cell = tuple[Place, Row, Column, float]


def is_aesop(path: Path) -> bool:
    """Whether a file is of this kind, by its ending or its first line; or a folder has one."""
    if path.is_dir():
        return any(is_aesop(file) for file in path.rglob("*") if file.is_file())
    if path.suffix.lower() == ENDING:
        return True
    cells = first_bytes(path).partition(b"\n")[0].decode("utf-8", "replace").split()
    return not kind_of_table(path) and len(cells) == _COLUMNS and number_in(cells[2]) is not None


def read_aesop(path: Path) -> Iterator[Cell]:
    """The scores of a file, or of all such files in a folder and below it, in order."""
    files = [path]
    if not path.is_file():
        files = [file for file in sorted(path.rglob("*")) if file.is_file() and is_aesop(file)]
    if not files:
        raise SummetryError(f"{path}: expected files of lines 'set peer score', found none")
    for file in files:
        yield from _read_file(file)


def write_aesop(table: ScoreTable, folder: Path) -> None:
    """A file for each metric of a table, in a folder for each protocol."""
    files: dict[Path, str | bytes] = {}
    for protocol in dict.fromkeys(row.protocol for row in table.rows):
        for place, column in enumerate(table.columns):
            records = (
                (*row, None if score != score else score)
                for row, score in zip(table.rows, table.data[:, place].tolist(), strict=True)
                if row.protocol == protocol
            )
            path = folder / file_name(protocol) / f"{file_name(column.name)}{ENDING}"
            files[path] = "".join(written_lines(records))
            if column.signature:
                beside = path.with_name(f"{path.name}.signatures.json")
                files[beside] = json.dumps({"signatures": {column.name: column.signature}}) + "\n"
    write_together(files)


def written_lines(records: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    """A line for each score, which stands behind the names of its row."""
    for _, topic, author, role, score in records:
        for name in (topic, author):
            if not name or name.split() != [name]:
                raise SummetryError(
                    f"{name!r} cannot stand in a file whose columns are separated by blanks; "
                    f"rename it, or write scores to a .csv"
                )
        if role_of(author) != role:
            raise SummetryError(
                f"the {role} {author!r} would be read as a {role_of(author)}: in AESOP's files "
                f"people are single large letters; rename it, or write scores to a .csv"
            )
        yield f"{topic}\t{author}\t{'NaN' if score is None else repr(float(score))}\n"


def check_one_metric(path: Path, columns: Sequence[Column]) -> None:
    """Refuse to write several metrics to one file."""
    if len(columns) != 1:
        named = [column.name for column in columns]
        names = ", ".join(named if len(named) <= _NAMED else [*named[:_NAMED], "..."])
        raise SummetryError(
            f"{path}: a file of AESOP holds 1 metric, got {len(columns)} ({names}); "
            f"name one value, like -m rouge-2.recall"
        )


def _read_file(path: Path) -> Iterator[Cell]:
    scores = [(place, *_score(cells, place)) for place, cells in read_columns(path)]
    roles = {author: role_of(author) for _, _, author, _ in scores}
    protocol = unquote(path.parent.name)
    if protocol not in PROTOCOLS:
        protocol = "all_peers" if "reference" in roles.values() else "no_models"
    column = _column(path)
    for place, topic, author, score in scores:
        yield place, Row(protocol, topic, author, roles[author]), column, score


def _score(cells: Sequence[str], place: Place) -> tuple[str, str, float]:
    if len(cells) != _COLUMNS:
        raise FormatError(place, "3 columns: set, peer and score", str(len(cells)))
    score = number_in(cells[2])
    if score is None:
        raise FormatError(place, "a number as score", repr(cells[2]))
    return cells[0], cells[1], score


def _column(path: Path) -> Column:
    """The metric that a file is named by; ``rouge-2.recall`` names the value as well."""
    name = path.name[: -len(ENDING)] if path.suffix.lower() == ENDING else path.name
    return Column.named(unquote(name))
