"""Findings as sheets: rows of words and numbers that print, and go to JSON, CSV, LaTeX, Markdown.

One sheet is made once and shown in every way, so no output can say less than another.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from rich.console import Console, JustifyMethod
from rich.table import Table

from summetry.errors import SummetryError
from summetry.files import refuse_inputs, write_together, write_whole
from summetry.formats.cells import write_separated
from summetry.records.scores import plain_number
from summetry.reports.tables import FoldedTable, as_text, number

Cell: TypeAlias = str | int | float | None

ENDINGS = ("json", "csv", "tex", "md", "txt")
# Text files are laid out for lines without end: nothing is folded there.
_TEXT_WIDTH = 100_000


@dataclass(frozen=True)
class Heading:
    """A column of a sheet: its name for programs, its heading for people, how numbers look."""

    name: str
    title: str = ""
    digits: int = 3
    # A p is never 0: one that is too small for its digits is shown as below the last of them.
    is_p: bool = False

    @property
    def shown(self) -> str:
        return self.title or self.name.replace("_", " ")


@dataclass(frozen=True)
class Sheet:
    """A table of findings: ``name`` for programs and file names, ``title`` for people."""

    name: str
    title: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.headings):
                raise SummetryError(
                    f"the sheet {self.name!r} has {len(self.headings)} columns, "
                    f"a row of it {len(row)} cells"
                )


def headings(*names: str | Heading) -> tuple[Heading, ...]:
    """Headings of plain names, or ready ones."""
    return tuple(Heading(name) if isinstance(name, str) else name for name in names)


def without_columns(sheet: Sheet, never: Collection[str], dull: Collection[str]) -> Sheet:
    """A sheet without columns, by name: ``never``, and ``dull`` where all rows say the same."""
    places = [
        place
        for place, heading in enumerate(sheet.headings)
        if heading.name not in never
        and (heading.name not in dull or len({row[place] for row in sheet.rows}) > 1)
    ]
    return replace(
        sheet,
        headings=tuple(sheet.headings[place] for place in places),
        rows=tuple(tuple(row[place] for place in places) for row in sheet.rows),
    )


def sheet_table(sheet: Sheet) -> Table:
    """The sheet for a terminal: numbers to the right, a dash for what is undefined."""
    table = FoldedTable()
    for heading, is_right in zip(sheet.headings, numeric_columns(sheet), strict=True):
        justify: JustifyMethod = "right" if is_right else "left"
        table.add_column(heading.shown, justify=justify, overflow="fold")
    for row in sheet.rows:
        table.add_row(*shown_cells(sheet, row))
    return table


def print_sheets(out: Console, sheets: Sequence[Sheet]) -> None:
    """Each sheet under its title, with its notes below."""
    for place, sheet in enumerate(sheets):
        if place:
            out.print()
        out.print(sheet.title, style="bold")
        out.print(sheet_table(sheet))
        if sheet.notes:
            out.print()
        for note in sheet.notes:
            out.print(note, style="dim")


def sheets_text(sheets: Sequence[Sheet]) -> str:
    """What :func:`print_sheets` shows, in lines of 80."""
    return as_text(lambda out: print_sheets(out, sheets)).rstrip("\n")


def sheets_as_json(sheets: Sequence[Sheet], about: Mapping[str, Any]) -> dict[str, Any]:
    """Every sheet as a list of records, numbers in full; undefined is None.

    ``about`` is what a program needs beside them, such as the settings.
    """
    keys = distinct(sheet.name for sheet in sheets)
    return dict(about) | {
        key: {"title": sheet.title, "rows": sheet_records(sheet), "notes": list(sheet.notes)}
        for key, sheet in zip(keys, sheets, strict=True)
    }


def sheet_records(sheet: Sheet) -> list[dict[str, Cell]]:
    """The rows of a sheet by the names of its columns; undefined is None."""
    names = [heading.name for heading in sheet.headings]
    return [dict(zip(names, map(_plain, row), strict=True)) for row in sheet.rows]


def sheet_latex(sheet: Sheet) -> str:
    """The sheet as a LaTeX tabular with booktabs' rules, its title and notes as comments."""
    columns = "".join("r" if is_right else "l" for is_right in numeric_columns(sheet))
    lines = [f"% {_one_line(text)}" for text in (sheet.title, *sheet.notes)]
    lines += [f"\\begin{{tabular}}{{{columns}}}", "\\toprule"]
    lines.append(_latex_row(heading.shown for heading in sheet.headings))
    lines.append("\\midrule")
    lines += [_latex_row(shown_cells(sheet, row)) for row in sheet.rows]
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", ""])


def sheet_markdown(sheet: Sheet) -> str:
    """The sheet as a Markdown table under its title, its notes as a list."""
    rules = ["---:" if is_right else "---" for is_right in numeric_columns(sheet)]
    rows = [[heading.shown for heading in sheet.headings], rules]
    rows[2:] = [shown_cells(sheet, row) for row in sheet.rows]
    lines = [f"### {markdown_text(sheet.title)}", ""]
    for place, row in enumerate(rows):
        cells = row if place == 1 else map(markdown_text, row)
        lines.append(f"| {' | '.join(cells)} |")
    notes = [f"- {markdown_text(note)}" for note in sheet.notes]
    return "\n".join([*lines, *([""] if notes else []), *notes, ""])


def write_sheets(
    sheets: Sequence[Sheet],
    path: Path,
    about: Mapping[str, Any],
    inputs: Iterable[str | Path | None] = (),
) -> list[Path]:
    """Write sheets to a file, its kind by the ending; the files that were written.

    JSON holds ``about`` too, as in :func:`sheets_as_json`. A CSV file holds one sheet: of
    several the first goes to ``path``, another one to ``path`` with ``-name`` before the ending.
    Nothing is written over ``inputs``, the files that were read.
    """
    ending = check_ending(path)
    if ending == "csv":
        paths = [path, *files_beside(path, [sheet.name for sheet in sheets[1:]])]
        refuse_inputs(paths, inputs)
        write_together(dict(zip(paths, map(_as_csv, sheets), strict=True)))
        return paths
    if ending == "json":
        text = json.dumps(sheets_as_json(sheets, about), ensure_ascii=False, indent=2) + "\n"
    elif ending == "tex":
        text = "% needs \\usepackage{booktabs}\n" + "\n".join(map(sheet_latex, sheets))
    elif ending == "md":
        text = "\n".join(map(sheet_markdown, sheets))
    else:
        text = as_text(lambda out: print_sheets(out, sheets), _TEXT_WIDTH)
    write_whole(path, text)
    return [path]


def check_ending(path: Path) -> str:
    """The kind of file that ``path`` names; asked before long work begins."""
    ending = path.suffix.lower().removeprefix(".")
    if ending not in ENDINGS:
        known = ", ".join(f".{name}" for name in ENDINGS)
        raise SummetryError(f"{path}: findings are written to files ending in {known}")
    if path.is_dir():
        raise SummetryError(f"{path}: expected a file to write to, found a folder")
    return ending


def _as_csv(sheet: Sheet) -> str:
    out = io.StringIO(newline="")
    write_separated(out, [[heading.name for heading in sheet.headings]])
    write_separated(out, ([_csv(cell) for cell in row] for row in sheet.rows))
    return out.getvalue()


def shown_cells(sheet: Sheet, row: Sequence[Cell]) -> list[str]:
    """A row as people read it: numbers with the digits of their column, a dash for none."""
    return [_for_people(cell, heading) for cell, heading in zip(row, sheet.headings, strict=True)]


def _for_people(cell: Cell, heading: Heading) -> str:
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return cell
    if isinstance(cell, int):
        return f"{cell:,}"
    least = 10.0**-heading.digits
    if heading.is_p and 0 < cell < least:
        return f"<{least:.{heading.digits}f}"
    return number(cell, heading.digits)


def _plain(cell: Cell) -> Cell:
    return plain_number(cell) if isinstance(cell, float) else cell


def _csv(cell: Cell) -> Cell:
    """What a spreadsheet and our own reader take for the cell: nothing for the undefined."""
    return "" if _plain(cell) is None else cell


def numeric_columns(sheet: Sheet) -> list[bool]:
    """Whether each column holds numbers only; one that is empty counts as words."""
    filled = [
        [row[place] for row in sheet.rows if row[place] is not None]
        for place in range(len(sheet.headings))
    ]
    return [bool(cells) and not any(isinstance(cell, str) for cell in cells) for cells in filled]


_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}",
    # After the end of a line a bracket would be taken for its option.
    "[": "{[}", "]": "{]}", **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}  # fmt: skip
_NUMBER = re.compile(r"-\d[\d.,]*")


def _latex_row(cells: Iterable[str]) -> str:
    return " & ".join(map(latex_text, cells)) + " \\\\"


def latex_text(text: str) -> str:
    """Words as LaTeX shows them; a negative number with a real minus, a lone dash as one."""
    if text == "-":
        return "--"
    if _NUMBER.fullmatch(text):
        return f"$-${text[1:]}"
    return "".join(_SPECIAL.get(mark, mark) for mark in _one_line(text))


# Signs that would make something else of a cell: a column, emphasis, code, a link, HTML.
_MARKED_UP = re.compile(r"[\\`*_{}\[\]<>|~&#]")


def markdown_text(text: str) -> str:
    """Words as Markdown shows them.

    >>> print(markdown_text("a|b <i> rouge_n*"))
    a\\|b \\<i\\> rouge\\_n\\*
    """
    return _MARKED_UP.sub(r"\\\g<0>", _one_line(text))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def distinct(names: Iterable[str]) -> list[str]:
    """The names, no two alike: a later one that was there before has its number at the end.

    Large and small letters are alike, as they are for some file systems.

    >>> distinct(["news", "News", "sport", "news"])
    ['news', 'News_2', 'sport', 'news_3']
    """
    given = list(names)
    taken = {name.casefold() for name in given}
    seen: set[str] = set()
    numbered = []
    for name in given:
        free, number = name, 1
        while free.casefold() in (seen if number == 1 else taken | seen):
            number += 1
            free = f"{name}_{number}"
        seen.add(free.casefold())
        numbered.append(free)
    return numbered


def files_beside(path: Path, names: Sequence[str]) -> list[Path]:
    """A file for each name, which stands before the ending of ``path``.

    >>> [file.name for file in files_beside(Path("out.csv"), ["pairs", "a/b", "a:b"])]
    ['out-pairs.csv', 'out-a_b.csv', 'out-a_b_2.csv']
    """
    # Signs that not every system allows in file names, or that a shell takes for something else.
    plain = [re.sub(r"[^\w.-]", "_", name) for name in names]
    return [path.with_name(f"{path.stem}-{name}{path.suffix}") for name in distinct(plain)]
