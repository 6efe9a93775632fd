"""Tables for people."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import msgspec
import numpy as np
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.segment import Segment
from rich.table import Column as RichColumn
from rich.table import Table
from rich.text import Text

from summetry.errors import counted
from summetry.metaeval.columns import better_of, bounded_intervals, first_to_rank_by, sign_of
from summetry.records.scores import Column, SystemMeans
from summetry.signature import Signature
from summetry.text.controls import with_shown_controls
from summetry.text.patterns import late_plain_pattern

# How long a line is that is not shown on a terminal.
NARROW = 80
# Nobody reads more lines than this.
MOST_SYSTEMS = 1000

# From here on the digits before the point are more than a number has.
LARGE = 1e16

# What stands between two columns.
_BETWEEN = 2
# A blank at which no line is folded.
_BLANK = "\N{NO-BREAK SPACE}"
# What is not folded in a cell: letters without a blank, of Chinese and Japanese a single one.
_WIDE = r"\u3000-\u9fff\uf900-\ufaff\uff00-\uff60"
_UNBROKEN = late_plain_pattern(rf"[{_WIDE}]|[^\s{_WIDE}]+")


def wrapped(text: str, width: int = NARROW, indent: str = "") -> str:
    """A text in lines of at most ``width``; all that Summetry prints in sentences is folded here.

    Lines that a fold begins start with ``indent``. A path or another long word is never broken,
    only a signature that is longer than a line, between its parts. A p stays with its number.

    >>> print(wrapped("bart is better than lead (corrected p = .002)", 40))
    bart is better than lead (corrected
    p = .002)
    """
    whole = re.sub(r"\bp ([<=]+) ", f"p{_BLANK}\\1{_BLANK}", text)
    lines = [folded for line in whole.split("\n") for folded in _folded(line, width, indent)]
    return "\n".join(lines).replace(_BLANK, " ")


def _folded(line: str, width: int, indent: str) -> Iterator[str]:
    begun = ""
    for blanks, word in re.findall(r"([ \t]*)([^ \t]+)", line):
        is_too_long = cell_len(word) > width - len(indent)
        for piece in re.split(r"(?<=\|)", word) if is_too_long else [word]:
            if begun.strip() and cell_len(begun + blanks + piece) > width:
                yield begun
                begun, blanks = indent, ""
            begun += blanks + piece
            blanks = ""
    yield begun


# Columns that say something of the one before them, and stay beside it.
_CONTINUING = ("low", "high", "rank")


class FoldedTable(Table):
    """A table that fits the line, and nothing in it is cut: half a number is a wrong number.

    Where room is short, headings and words are folded at their blanks. If that is not enough, the
    columns that do not fit stand in a further table below, beside the same names.
    """

    def __init__(self) -> None:
        super().__init__(box=None, header_style="bold", pad_edge=False)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        least = [_least_width(column) for column in self.columns]
        for place, piece in enumerate(_pieces(self.columns, least, options.max_width)):
            if place:
                yield Text()
            yield from self._part(piece, least, console, options)

    def _part(
        self, piece: Sequence[int], least: Sequence[int], console: Console, options: ConsoleOptions
    ) -> RenderResult:
        columns = [self.columns[place] for place in piece]
        widths = _widths(columns, [least[place] for place in piece], options.max_width)
        part = Table(box=None, header_style="bold", pad_edge=False, show_header=self.show_header)
        part.rows = self.rows
        part.columns = [
            replace(column, width=width, _index=place)
            for place, (column, width) in enumerate(zip(columns, widths, strict=True))
        ]
        room = max(options.max_width, _total(widths))
        yield from part.__rich_console__(console, options.update(max_width=room))


def _pieces(
    columns: Sequence[RichColumn], least: Sequence[int], width: int
) -> Iterator[Sequence[int]]:
    """The columns that fit side by side; ranks and names before the numbers are in all pieces."""
    places = range(len(columns))
    first_number = next((k for k in places[1:] if columns[k].justify == "right"), 1)
    names = list(places[:first_number])
    together: list[list[int]] = []
    for place in places[len(names) :]:
        wide = _total([least[k] for k in (*names, *(together or [[]])[-1], place)]) > width
        if together and f"{columns[place].header}" in _CONTINUING and not wide:
            together[-1].append(place)
        else:
            together.append([place])
    piece = list(names)
    for group in together:
        if len(piece) > len(names) and _total([least[k] for k in [*piece, *group]]) > width:
            yield piece
            piece = list(names)
        piece += group
    yield piece


def _widths(columns: Sequence[RichColumn], least: Sequence[int], width: int) -> list[int]:
    """The widest columns are made narrower until all fit, none narrower than it can be.

    Headings of numbers are folded first, then words.
    """
    widths = [max(map(_width, _cells(column))) for column in columns]
    if _total(widths) <= width:
        return widths
    # No column is wider than the line, however long its texts are.
    widths = [max(min(own, width), low) for own, low in zip(widths, least, strict=True)]
    while _total(widths) > width:
        wider = [place for place, own in enumerate(widths) if own > least[place]]
        if not wider:
            break
        numbers = [place for place in wider if columns[place].justify == "right"]
        widths[max(numbers or wider, key=widths.__getitem__)] -= 1
    # What is folded may leave room at the end of each of its lines.
    needed = [
        max(least[place], *(_width(wrapped(cell, widths[place])) for cell in _cells(column)))
        for place, column in enumerate(columns)
    ]
    return list(map(min, widths, needed))


def split_columns(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """The places of columns that fit side by side, one at least; blanks count with their column.

    >>> list(split_columns([11, 9, 22], 22))
    [[0, 1], [2]]
    """
    taken: list[int] = []
    left = room
    for place, width in enumerate(widths):
        if taken and width > left:
            yield taken
            taken, left = [], room
        taken.append(place)
        left -= width
    yield taken


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _BETWEEN * (len(widths) - 1)


def _least_width(column: RichColumn) -> int:
    """How narrow a column may be: its heading and words may be folded, its numbers not."""
    heading, *cells = _cells(column)
    if column.no_wrap:
        return max(map(_width, (heading, *cells)))
    is_number = column.justify == "right"
    return max(_longest_word(heading), *map(_width if is_number else _longest_word, cells), 0)


def _cells(column: RichColumn) -> list[str]:
    return [str(cell) for cell in (column.header, *column.cells)]


def _width(cell: str) -> int:
    return max(map(cell_len, cell.split("\n")))


def _longest_word(cell: str) -> int:
    if cell.isascii():
        # The pattern takes a hundredth of the time of a short run to compile.
        return max(map(cell_len, cell.split()), default=0)
    return max(map(cell_len, _UNBROKEN.findall(cell)), default=0)


class FoldingConsole(Console):
    """A console that folds at blanks only, and leaves none at the ends of lines."""

    def print(self, *objects: Any, indent: str = "", **how: Any) -> None:
        """Print sentences, whose folded lines begin with ``indent``, or something else."""
        for shown in objects or [""]:
            if isinstance(shown, str):
                how["soft_wrap"] = True
                shown = Text(wrapped(shown, self.width, indent))
            super().print(_Trimmed(shown), **{"crop": False, **how})


@dataclass
class _Trimmed:
    """Something to be shown, without blanks at the ends of its lines."""

    whole: RenderableType

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for line in Segment.split_lines(console.render(self.whole, options)):
            if console.is_terminal:
                # Colours are ours; those of a text or a name are shown as they are written.
                line = [
                    s if s.control else s._replace(text=with_shown_controls(s.text)) for s in line
                ]
            while line and not line[-1].text.rstrip(" "):
                line.pop()
            if line:
                line[-1] = line[-1]._replace(text=line[-1].text.rstrip(" "))
            yield from line
            yield Segment.line()


def number(value: float, digits: int = 4) -> str:
    """A number for people; a dash where there is none. What is rounded to zero has no sign.

    >>> number(-0.00001, 3), number(-0.0006, 3), number(math.nan)
    ('0.000', '-0.001', '-')
    """
    if math.isnan(value):
        return "-"
    return f"{value:z.{digits}f}" if abs(value) < LARGE else f"{value:.{digits}g}"


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
    groups = [list(own) for _, own in groupby(places, lambda place: means.columns[place].metric)]
    widths = []
    for together in groups:
        cells = _means_in_words(means, together, intervals)
        headings = [_heading(means.columns[place]).split("\n") for place in together]
        columns = zip(headings, *cells, strict=True)
        widths.append(sum(2 + max(map(cell_len, [*heading, *own])) for heading, *own in columns))
    for some in split_columns(widths, room):
        yield system_table(means, [place for k in some for place in groups[k]], intervals)


def _names_of(means: SystemMeans) -> dict[str, list[str]]:
    """The columns of words: systems, and roles and numbers of topics where they differ."""
    systems, topics = means.systems(), means.topics().tolist()
    columns = {
        "system": [author for _, author, _ in systems],
        "role": [role for _, _, role in systems],
        "topics": [f"{count:,}" for count in topics],
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
    cells = "".join(cell for row in _means_in_words(means, places, intervals) for cell in row)
    half = "; ± is half of the 95 % t interval" if "±" in cells else ""
    out.print(f"{_about(means)}{half}:", style="bold")
    for place, table in enumerate(system_tables(means, places, out.width, intervals)):
        if place:
            out.print()
        out.print(table)
    if "(" in cells:
        out.print("in brackets: the 95 % t interval, cut where the values of the metric end")
    if len(set(means.topics().tolist())) > 1:
        out.print("(means over different topics: `summetry compare` takes those that two share)")
    hidden = len(means.systems()) - MOST_SYSTEMS
    if hidden > 0:
        out.print(
            f"({counted(hidden, 'more system')} in --json and in the file that --output names)"
        )


def _about(means: SystemMeans) -> str:
    systems = counted(len(means.systems()), "system")
    topics = sorted(set(means.topics().tolist()))
    span = counted(topics[-1], "topic") if topics else "no topic"
    if len(topics) > 1:
        span = f"{topics[0]:,} to {span}"
    # One system has no order.
    order = f", {ranked_by(means)}" if len(means.systems()) > 1 else ""
    return f"{systems}, {span}{order}"


def legend(columns: Sequence[Column], legends: Mapping[str, str]) -> list[list[str]]:
    """One row per metric: its name, what it counts, its spelling where that is another; and what
    all signatures share."""
    signatures = {column.metric: Signature.parse(column.signature) for column in columns}
    shared = {
        field: value
        for field, value in msgspec.structs.asdict(next(iter(signatures.values()))).items()
        if field != "metric" and all(getattr(s, field) == value for s in signatures.values())
    }
    rows = []
    for name, signature in signatures.items():
        own = str(msgspec.structs.replace(signature, **dict.fromkeys(shared, "")))
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

    out.print(Text(line(headings)), style="bold", soft_wrap=True)
    out.file.writelines(f"{line(row)}\n" for row in rows)


def empty_table(words: Sequence[str], numbers: Sequence[str] = ()) -> Table:
    """A table without rows: columns of words, then columns of numbers."""
    table = FoldedTable()
    for heading in words:
        table.add_column(heading, overflow="fold")
    for heading in numbers:
        table.add_column(heading, justify="right", overflow="fold")
    return table


def line_width(error: bool = False) -> int:
    """How long the lines of standard output are, or of standard error: as the terminal's."""
    out = Console(stderr=error)
    return out.width if out.is_terminal else NARROW


# Names and texts are shown as they are: `[b]` in them is no style and `:x:` no picture.
_PLAIN: dict[str, Any] = {"highlight": False, "markup": False, "emoji": False}


def console(width: int | None = None) -> FoldingConsole:
    """Standard output, in lines of the terminal's width, or of 80 where there is none."""
    file = getattr(sys.stdout, "unfiltered", None)
    return FoldingConsole(file=file, width=width or line_width(), **_PLAIN)


def as_text(show: Callable[[Console], None], width: int = NARROW) -> str:
    """What is shown on a console, as text without colours, in lines of ``width``."""
    out = FoldingConsole(width=width, color_system=None, force_jupyter=False, **_PLAIN)
    with out.capture() as captured:
        show(out)
    return captured.get()


def _best(values: Sequence[float], better: str) -> float:
    defined = [value for value in values if not math.isnan(value)]
    if not defined or better == "neither":
        return math.nan
    return max(defined) if better == "higher" else min(defined)


def _heading(column: Column) -> str:
    return column.metric if column.value == "value" else f"{column.metric}\n{column.value}"
