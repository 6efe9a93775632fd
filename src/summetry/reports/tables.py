"""Tables for people."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Column as RichColumn
from rich.table import Table
from rich.text import Text

from summetry.errors import counted
from summetry.metaeval.columns import better_of, bounded_intervals, first_to_rank_by, sign_of
from summetry.records.scores import Column, SystemMeans
from summetry.signature import Signature

# How long a line is that is not shown on a terminal.
NARROW = 80
# Nobody reads more lines than this.
MOST_SYSTEMS = 1000

# From here on the digits before the point are more than a number has.
LARGE = 1e16

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
    if math.isnan(value):
        return "-"
    return f"{value:.{digits}f}" if abs(value) < LARGE else f"{value:.{digits}g}"


def system_table(means: SystemMeans, places: Sequence[int], intervals: bool = True) -> Table:
    """Systems, best first (see :func:`ranked_by`), with the columns at ``places``.

    The best mean of each column is bold. Of very many systems the best :data:`MOST_SYSTEMS` are
    shown. Roles and numbers of topics are shown only where they differ.
    """
    shown = list(places)
    numbers, cells = means.means()[:, shown], _means_in_words(means, shown, intervals)
    better = [better_of(means.columns[place]) for place in shown]
    best = [_best(values.tolist(), b) for values, b in zip(numbers.T, better, strict=True)]
    names = _names_of(means)
    headings = [_heading(means.columns[place]) for place in shown]
    table = empty_table(list(names), headings)
    for line in ranking(means)[:MOST_SYSTEMS]:
        words = [
            Text(cells[line][place], style="bold" if value == best[place] else "")
            for place, value in enumerate(numbers[line].tolist())
        ]
        table.add_row(*(column[line] for column in names.values()), *words)
    return table


def system_tables(
    means: SystemMeans, places: Sequence[int], width: int, intervals: bool = True
) -> Iterator[Table]:
    """:func:`system_table` for lines of ``width``: what does not fit stands in a further table.

    The values of a metric stay together; only a column that is wider than the line is folded.
    """
    # A column takes its widest cell and two blanks.
    names = _names_of(means).items()
    room = width + 2 - sum(2 + max(map(cell_len, [name, *cells])) for name, cells in names)
    piece: list[int] = []
    left = room
    for _, group in groupby(places, lambda place: means.columns[place].metric):
        together = list(group)
        cells = _means_in_words(means, together, intervals)
        headings = [_heading(means.columns[place]).split("\n") for place in together]
        columns = zip(headings, *cells, strict=True)
        wide = sum(2 + max(map(cell_len, [*heading, *column])) for heading, *column in columns)
        if piece and wide > left:
            yield system_table(means, piece, intervals)
            piece, left = [], room
        piece += together
        left -= wide
    yield system_table(means, piece, intervals)


def _names_of(means: SystemMeans) -> dict[str, list[str]]:
    """The columns of words: systems, and roles and numbers of topics where they differ."""
    systems, topics = means.systems(), means.topics().tolist()
    columns = {
        "system": [author for _, author, _ in systems],
        "role": [role for _, _, role in systems],
        "topics": list(map(str, topics)),
    }
    return {
        name: cells for name, cells in columns.items() if name == "system" or len(set(cells)) > 1
    }


def _means_in_words(means: SystemMeans, places: Sequence[int], intervals: bool) -> list[list[str]]:
    """Each mean, and behind it half of its interval where it has one and that is asked for.

    An interval that is cut at the least or the largest value of the metric is shown by its ends.
    """
    whole, cut = means.intervals(), bounded_intervals(means)
    values = [part[:, list(places)].tolist() for part in (means.means(), *whole, *cut)]
    return [
        [_mean_in_words(numbers, intervals) for numbers in zip(*row, strict=True)]
        for row in zip(*values, strict=True)
    ]


def _mean_in_words(numbers: Sequence[float], intervals: bool) -> str:
    mean, low, high, least, most = numbers
    if not intervals or math.isnan(low):
        return number(mean)
    if (low, high) != (least, most):
        return f"{number(mean)} ({number(least)} to {number(most)})"
    return f"{number(mean)} ±{(high - low) / 2:.4f}"


def print_systems(
    out: Console, means: SystemMeans, places: Sequence[int], intervals: bool = True
) -> None:
    """How many systems and topics there are, what they are ranked by, and the ranking."""
    # In a file or a pipe a line is as long as that of a small terminal.
    width = out.width if out.is_terminal else NARROW
    cells = "".join(cell for row in _means_in_words(means, places, intervals) for cell in row)
    half = "; ± is half of the 95 % t interval" if "±" in cells else ""
    out.print(f"{_about(means)}{half}:", style="bold", soft_wrap=True)
    for place, table in enumerate(system_tables(means, places, width, intervals)):
        if place:
            out.print()
        out.print(table)
    if "(" in cells:
        out.print("in brackets: the 95 % t interval, cut where the values of the metric end")
    hidden = len(means.systems()) - MOST_SYSTEMS
    if hidden > 0:
        out.print(f"({hidden} more systems in --json and in the file that --output names)")


def _about(means: SystemMeans) -> str:
    systems = counted(len(means.systems()), "system")
    topics = sorted(set(means.topics().tolist()))
    span = counted(topics[-1], "topic") if topics else "no topic"
    if len(topics) > 1:
        span = f"{topics[0]:,} to {span}"
    return f"{systems}, {span}, {ranked_by(means)}"


def legend(columns: Sequence[Column], legends: Mapping[str, str]) -> list[list[str]]:
    """One row per metric: its name, what it counts, its spelling where that is another; and what
    all signatures share."""
    signatures = {column.metric: Signature.parse(column.signature) for column in columns}
    shared = {
        field: value
        for field, value in asdict(next(iter(signatures.values()))).items()
        if field != "metric" and all(getattr(s, field) == value for s in signatures.values())
    }
    rows = []
    for name, signature in signatures.items():
        own = str(replace(signature, **dict.fromkeys(shared, "")))
        says = legends.get(name, "")
        rows.append([name, says if says and own == name else f"{says} [{own}]".lstrip()])
    rest = "|".join(f"{field}:{value}" for field, value in shared.items() if value)
    return [*rows, ["all", rest]] if rest else rows


def systems_as_json(means: SystemMeans, notes: Sequence[str]) -> dict[str, Any]:
    """Means by system with everything a program may ask."""
    numbers = (means.topics(), means.means(), *bounded_intervals(means), means.undefined())
    rows = zip(means.systems(), *(part.tolist() for part in numbers), strict=True)
    systems = [
        {
            **dict(zip(("protocol", "system", "role"), names, strict=True)),
            "topics": topics,
            "means": _nested(means.columns, values),
            "intervals": _nested(means.columns, list(zip(low, high, strict=True))),
            "undefined": _nested(means.columns, undefined),
        }
        for names, topics, values, low, high, undefined in rows
    ]
    signatures = {column.metric: column.signature for column in means.columns}
    return {"systems": systems, "signatures": signatures, "notes": list(notes)}


def _nested(columns: Sequence[Column], numbers: Sequence[Any]) -> dict[str, dict[str, Any]]:
    nested: dict[str, dict[str, Any]] = {}
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
        return "as they came"
    return f"best first by {means.columns[place].name}"


def _ranked_by(means: SystemMeans) -> int | None:
    numbers = means.means()
    return first_to_rank_by(means.columns, lambda place: not np.isnan(numbers[:, place]).any())


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


def as_text(show: Callable[[Console], None], width: int = NARROW) -> str:
    """What is shown on a console, as text without colours, in lines of ``width``."""
    plain = partial(UncutConsole, highlight=False, markup=False, emoji=False, color_system=None)
    out = plain(width=width, force_jupyter=False)
    with out.capture() as captured:
        show(out)
    return re.sub(r" +$", "", captured.get(), flags=re.MULTILINE)


def _best(values: Sequence[float], better: str) -> float:
    defined = [value for value in values if not math.isnan(value)]
    if not defined or better == "neither":
        return math.nan
    return max(defined) if better == "higher" else min(defined)


def _heading(column: Column) -> str:
    return column.metric if column.value == "value" else f"{column.metric}\n{column.value}"
