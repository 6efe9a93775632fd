"""Tables for people."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Column as RichColumn
from rich.table import Table
from rich.text import Text

from summetry.metaeval.columns import better_of, first_to_rank_by, headlines, sign_of
from summetry.records.scores import Column, SystemMeans

# More values than this do not fit beside one another; then each metric shows its headline.
MOST_COLUMNS = 8
# Nobody reads more lines than this.
MOST_SYSTEMS = 1000

# On a narrow line words are folded to this width, and nothing else is.
FOLDED = 8


class UncutTable(Table):
    """A table that is wider than the line rather than cut: half a number is a wrong number."""

    def __init__(self) -> None:
        super().__init__(box=None, header_style="bold", pad_edge=False)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        # Two blanks stand between columns.
        needed = sum(map(_least_width, self.columns)) + 2 * (len(self.columns) - 1)
        room = options.update(max_width=max(options.max_width, needed))
        yield from super().__rich_console__(console, room)


def _least_width(column: RichColumn) -> int:
    lines = [line for cell in (column.header, *column.cells) for line in str(cell).split("\n")]
    widest = max(map(cell_len, lines))
    return widest if column.no_wrap else min(widest, FOLDED)


class UncutConsole(Console):
    """A console that leaves it to the terminal what to do with a line that is too long."""

    def print(self, *objects: Any, **how: Any) -> None:
        super().print(*objects, **{"crop": False, **how})


def number(value: float, digits: int = 4) -> str:
    """A number for people; a dash where there is none."""
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def system_table(means: SystemMeans, places: Sequence[int] | None = None) -> Table:
    """Systems, best first (see :func:`ranked_by`), the best value of each column in bold.

    Of very many systems the best :data:`MOST_SYSTEMS` are shown.
    ``places`` are the columns to show, all of :func:`shown_columns` where none are given.
    """
    shown = shown_columns(means.columns) if places is None else list(places)
    numbers = means.means()[:, shown]
    better = [better_of(means.columns[place]) for place in shown]
    best = [_best(values.tolist(), b) for values, b in zip(numbers.T, better, strict=True)]
    table = empty_table(
        ["system", "role"], [*(_heading(means.columns[p]) for p in shown), "topics"]
    )
    systems, topics = means.systems(), means.topics().tolist()
    for line in ranking(means)[:MOST_SYSTEMS]:
        _, author, role = systems[line]
        cells = [
            Text(number(value), style="bold" if value == top else "")
            for value, top in zip(numbers[line].tolist(), best, strict=True)
        ]
        table.add_row(author, role, *cells, str(topics[line]))
    return table


def system_tables(means: SystemMeans, width: int) -> Iterator[Table]:
    """:func:`system_table` for lines of ``width``: what does not fit stands in a further table.

    Only a column that is wider than the line by itself is folded.
    """
    numbers = means.means()
    names = [(author, role) for _, author, role in means.systems()]
    # A column takes its widest cell and two blanks.
    taken = 2 * 2 + len("topics")
    taken += max(map(cell_len, ["system", *(author for author, _ in names)]))
    taken += max(map(cell_len, ["role", *(role for _, role in names)]))
    piece: list[int] = []
    left = width - taken
    for place in shown_columns(means.columns):
        cells = [number(value) for value in numbers[:, place].tolist()]
        wide = 2 + max(map(cell_len, [*_heading(means.columns[place]).split("\n"), *cells]))
        if piece and wide > left:
            yield system_table(means, piece)
            piece, left = [], width - taken
        piece.append(place)
        left -= wide
    yield system_table(means, piece)


def print_systems(out: Console, means: SystemMeans) -> None:
    """What the systems are ranked by, and the ranking."""
    out.print(f"{ranked_by(means)}:", style="bold", soft_wrap=True)
    for place, table in enumerate(system_tables(means, out.width)):
        if place:
            out.print()
        out.print(table)
    hidden = len(means.systems()) - MOST_SYSTEMS
    if hidden > 0:
        out.print(f"({hidden} more systems in --json and in the file that --output names)")


def systems_as_json(means: SystemMeans, notes: Sequence[str]) -> dict[str, Any]:
    """Means by system with everything a program may ask."""
    numbers = (means.topics(), means.means(), means.undefined())
    rows = zip(means.systems(), *(part.tolist() for part in numbers), strict=True)
    systems = [
        {
            **dict(zip(("protocol", "author", "role"), names, strict=True)),
            "topics": topics,
            "means": _nested(means.columns, values),
            "undefined": _nested(means.columns, undefined),
        }
        for names, topics, values, undefined in rows
    ]
    signatures = {column.metric: column.signature for column in means.columns}
    return {"systems": systems, "signatures": signatures, "notes": list(notes)}


def _nested(columns: Sequence[Column], numbers: Sequence[float]) -> dict[str, dict[str, float]]:
    nested: dict[str, dict[str, float]] = {}
    for column, number in zip(columns, numbers, strict=True):
        nested.setdefault(column.metric, {})[column.value] = number
    return nested


def ranking(means: SystemMeans) -> list[int]:
    """The lines of ``means``, best first; without a value last; ties as they came."""
    order = list(range(len(means.systems())))
    place = _ranked_by(means)
    if place is not None:
        values = (means.means()[:, place] * -sign_of(means.columns[place])).tolist()
        order.sort(key=lambda line: (math.isnan(values[line]), values[line]))
    return order


def ranked_by(means: SystemMeans) -> str:
    """What the ranking goes by, in words."""
    place = _ranked_by(means)
    if place is None:
        return "Systems, as they came"
    return f"Systems, best first by {means.columns[place].name}"


def _ranked_by(means: SystemMeans) -> int | None:
    numbers = means.means()
    return first_to_rank_by(means.columns, lambda place: not np.isnan(numbers[:, place]).any())


def shown_columns(columns: Sequence[Column]) -> list[int]:
    """The places of the columns that a table for people shows."""
    return list(range(len(columns))) if len(columns) <= MOST_COLUMNS else headlines(columns)


def plain_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table of words."""
    table = empty_table(headings)
    for row in rows:
        table.add_row(*row)
    return table


def print_rows(out: Console, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table of words that may have millions of rows: they are aligned, and nothing is folded."""
    widths = [cell_len(heading) for heading in headings]
    for row in rows:
        widths = [max(width, cell_len(cell)) for width, cell in zip(widths, row, strict=True)]

    def line(cells: Sequence[str]) -> str:
        pairs = zip(cells, widths, strict=True)
        return "  ".join([cell + " " * (width - cell_len(cell)) for cell, width in pairs]).rstrip()

    out.print(line(headings), style="bold", soft_wrap=True)
    out.file.writelines(f"{line(row)}\n" for row in rows)


def empty_table(words: Sequence[str], numbers: Sequence[str] = ()) -> Table:
    """A table without rows: columns of words, then columns of numbers."""
    table = UncutTable()
    for heading in words:
        table.add_column(heading, overflow="fold")
    for heading in numbers:
        # Where room is short, words and long headings are folded, not numbers.
        is_short = cell_len(heading) <= 8
        table.add_column(heading, justify="right", overflow="fold", no_wrap=is_short)
    return table


def console(width: int | None = None) -> Console:
    """Standard output; wide enough for a table where it is not a terminal."""
    # Names and texts are shown as they are: `[b]` in them is no style and `:x:` no picture.
    plain = partial(UncutConsole, highlight=False, markup=False, emoji=False)
    out = plain(width=width)
    return out if out.is_terminal or width else plain(width=160)


def _best(values: Sequence[float], better: str) -> float:
    defined = [value for value in values if not math.isnan(value)]
    if not defined or better == "neither":
        return math.nan
    return max(defined) if better == "higher" else min(defined)


def _heading(column: Column) -> str:
    return column.metric if column.value == "value" else f"{column.metric}\n{column.value}"
