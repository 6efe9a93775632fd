"""Which of several files each role of ``--columns`` belongs to.

A role goes to every file that has such a column: scores have ``score``, texts ``candidate``,
judgments ``judge``, and all have ``id`` and ``system``. A name that is no role is a dimension, with
the columns of its judges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from summetry.arguments import check_string, kind_of
from summetry.errors import SummetryError, did_you_mean
from summetry.formats._base import recognise
from summetry.formats.cells import kind_of_table, read_cells
from summetry.formats.columns import LOOKED_AT, ROLES, columns_of_roles, first_columns, no_role
from summetry.formats.frames import Frame, Readable, as_frame
from summetry.formats.judgments import JUDGMENT_ROLES, is_list_of_judgments
from summetry.formats.scores import SCORE_ROLES, is_scores

_ALL_ROLES = tuple(dict.fromkeys((*ROLES, *SCORE_ROLES, *JUDGMENT_ROLES)))
_SINGLE_ROLES = {"id", "system", "source", "metric", "judge", "value"}
# In all rows of these the same columns are named.
_SAME_IN_ALL_ROWS = ("csv", "tsv", "parquet")


class FileColumns(msgspec.Struct, frozen=True):
    """What of ``--columns`` a file can have, and what it has."""

    file: str = ""
    # The names of its columns.
    names: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    has_dimensions: bool = False
    # The column of each role, where the file has it.
    own: Mapping[str, str] = {}

    def can_have(self, role: str) -> bool:
        return role in self.roles or (self.has_dimensions and role not in _ALL_ROLES)


def columns_of_file(
    file: Any, columns: Mapping[str, str] | None, format: str | None = None, judged: bool = False
) -> FileColumns:
    """What of ``columns`` belongs to one file or frame; nothing where it is no table.

    ``judged`` says that the file holds judgments; else it holds scores, if it can, or texts.
    """
    asked = _asked(columns or {})
    if not asked:
        return FileColumns()
    file = as_frame(file) or (Path(file) if isinstance(file, str) else file)
    if not isinstance(file, Frame | Path):
        return FileColumns(kind_of(file))
    if isinstance(file, Path) and not (file.is_file() and kind_of_table(file)):
        return FileColumns(str(file))
    names = _names(file, {name for of in asked.values() for name in of.split("+")})
    there = {role: [n for n in of.split("+") if n in names] for role, of in asked.items()}
    own = {role: "+".join(of) for role, of in there.items() if of}
    roles = JUDGMENT_ROLES if judged else _roles(file, own, format)
    whole = FileColumns(str(file), names, roles, judged)
    own = {role: of for role, of in own.items() if whole.can_have(role)}
    for role, of in own.items():
        if "+" in of and role in _SINGLE_ROLES:
            raise SummetryError(f"--columns: {role} is one column, got {of!r}")
    return msgspec.structs.replace(whole, own=own)


def check_columns(
    columns: Mapping[str, str] | None, scores: Any, corpus: Any = None, judgments: Any = None
) -> None:
    """Refuse ``columns`` that go with none of what is given: scores or texts, one or several of
    them, the corpus and the judgments beside them."""
    if not columns:
        return
    is_list = isinstance(scores, list | tuple) and as_frame(scores) is None
    places = [*(scores if is_list else [scores]), *([] if corpus is None else [corpus])]
    files = [columns_of_file(place, columns) for place in places]
    if judgments is not None:
        files.append(columns_of_file(judgments, columns, judged=True))
    refuse_unused(columns, files)


def refuse_unused(columns: Mapping[str, str] | None, files: Sequence[FileColumns]) -> None:
    """Refuse a role that none of the files can have, and a name that no column of them has."""
    tables = [file for file in files if file.roles]
    for role, asked in _asked(columns or {}).items():
        if not tables:
            raise SummetryError(
                f"--columns names columns of a table, and {' and '.join(f.file for f in files)} "
                f"{'is' if len(files) == 1 else 'are'} none; leave --columns out"
            )
        takers = [file for file in tables if file.can_have(role)]
        if not takers:
            raise no_role(role, dict.fromkeys(name for file in tables for name in file.roles))
        for name in asked.split("+"):
            # What no row names is for the reader of the file to say.
            if all(file.names and name not in file.names for file in takers):
                raise _no_column(name, takers)


def _no_column(name: str, files: Sequence[FileColumns]) -> SummetryError:
    hint = did_you_mean(name, [known for file in files for known in file.names])
    listed = [f"{file.file} has {first_columns(file.names)}" for file in files]
    return SummetryError(
        f"--columns names the column {name!r}, which no row has.{hint} Columns: {'; '.join(listed)}"
    )


def _asked(columns: Mapping[str, str]) -> dict[str, str]:
    """The columns by role or dimension; ``DocNo=id`` is turned round."""
    asked = columns_of_roles(columns, _ALL_ROLES)
    for role, name in columns.items():
        check_string(f"columns[{role!r}]", name)
    return asked | {
        role: name for role, name in columns.items() if not {role, name} & {*_ALL_ROLES}
    }


def _names(file: Readable, wanted: Iterable[str]) -> tuple[str, ...]:
    """The names of columns: of the first rows, and of more where a wanted one may still come."""
    wanted, names = set(wanted), dict[str, None]()
    rows = file.rows() if isinstance(file, Frame) else read_cells(file, _ignore)
    for _, cells in islice(rows, LOOKED_AT):
        names |= dict.fromkeys(cells)
    if isinstance(file, Frame) or kind_of_table(file) not in _SAME_IN_ALL_ROWS:
        for _, cells in rows:
            if wanted <= names.keys():
                break
            names |= dict.fromkeys(cells)
    return tuple(names)


def _ignore(error: SummetryError) -> None:
    """A row that cannot be read is told by the reader of the file."""


def _roles(file: Readable, own: Mapping[str, str], format: str | None) -> tuple[str, ...]:
    if format is None and is_scores(file, own):
        return SCORE_ROLES
    if format is None and is_list_of_judgments(file, own):
        return JUDGMENT_ROLES
    return ROLES if isinstance(file, Frame) else recognise(file, format).roles
