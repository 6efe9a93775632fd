"""Tables in memory, read as files are: frames of pandas and polars, Arrow tables, lists of dicts.

    summetry.evaluate(pandas.DataFrame({"id": [...], "summary": [...], "reference": [...]}))

None of these packages is imported: a frame is known by what it can do. A missing cell is None, and
an index that has a name is a column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

import msgspec

from summetry.arguments import is_missing
from summetry.errors import FormatError, Place, RowPlace
from summetry.formats.columns import Cells


class Frame(msgspec.Struct, frozen=True):
    """A table in memory where a file could be; ``name`` stands for the path in messages."""

    records: Sequence[Mapping[Any, Any]]
    name: str = "the table"
    stem: ClassVar[str] = "table"

    def __str__(self) -> str:
        return self.name

    def is_dir(self) -> bool:
        return False

    def rows(self) -> Iterator[tuple[Place, Cells]]:
        """Every row with its place, its cells as a file would have them."""
        for number, record in enumerate(self.records, start=1):
            cells = {str(name): _plain(cell) for name, cell in record.items()}
            yield RowPlace(self.name, number), cells


# What a reader of tables takes.
Readable: TypeAlias = Path | Frame


def as_frame(value: Any, name: str = "the table") -> Frame | None:
    """A table in memory as one that can be read; None where ``value`` is something else."""
    if isinstance(value, Frame):
        return value
    if isinstance(value, list) and value and all(isinstance(row, Mapping) for row in value):
        return Frame(value, name)
    columns = getattr(value, "columns", getattr(value, "column_names", None))
    if hasattr(value, "iloc") and columns is not None:
        # An index with a name, as `set_index` leaves it, is a column.
        named = [own for own in value.index.names if own is not None and own not in columns]
        whole = value.reset_index(level=named) if named else value
        _check_names(list(map(str, whole.columns)), name)
        return Frame(whole.to_dict("records"), name)
    # Of polars, Arrow and the package datasets.
    for method in ("to_dicts", "to_pylist", "to_list"):
        if columns is not None and hasattr(value, method):
            return Frame(getattr(value, method)(), name)
    return None


def _check_names(names: Sequence[str], table: str) -> None:
    """Refuse two columns of one name: the later would take the place of the first."""
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise FormatError(Place(table), "each column once", f"{twice[0]!r} more than once")


def _plain(cell: Any) -> Any:
    """A cell without the types of numpy and pandas; None where it is missing."""
    if is_missing(cell):
        return None
    return cell.tolist() if hasattr(cell, "tolist") else cell
