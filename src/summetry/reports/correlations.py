"""Metrics against people as sheets and charts: the AESOP tables, how sure they are, matrices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from summetry.errors import counted
from summetry.metaeval.accuracies import AccuracyLine
from summetry.metaeval.boards import Board, Line, Settings
from summetry.metaeval.correlations import A_JUDGE, NUMBERS, PLACE, Correlations
from summetry.metaeval.matrix import Matrix
from summetry.records.scores import Column
from summetry.reports.plots import Field, bar_chart
from summetry.reports.sheets import Cell, Heading, Sheet, headings
from summetry.stats.weighted import Coefficient

if TYPE_CHECKING:
    from summetry.reports.plots import Drawn

Rows: TypeAlias = tuple[tuple[Cell, ...], ...]

COEFFICIENT_WORDS: dict[Coefficient, str] = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "tau_a": "Kendall (a)",
    "tau_b": "Kendall",
}
LEVEL_WORDS = {
    "system": "system level",
    "input": "input level",
    "global": "all summaries at once",
    "per_system": "system by system",
}
# The levels at which a value is a mean of coefficients.
MEANS = ("input", "per_system")
PROTOCOL_WORDS = {"no_models": "No Models", "all_peers": "All Peers"}
DRAWN_WORDS = {
    "systems": "systems",
    "inputs": "topics",
    "both": "systems and topics",
    "judges": "judges",
    "all": "systems, topics and judges",
}
# What stands beside a metric in a chart if higher numbers of it are not better.
_ARROWS = {"lower": " \u2193", "neither": " \u2195"}
_ARROW_WORDS = {
    "lower": "\u2193 lower is better, so \u22121 is the best",
    "neither": "\u2195 neither direction is better",
}

_P = Heading("p", is_p=True)


def shown_name(column: Column) -> str:
    """The metric, with the name of its value where it has several.

    >>> shown_name(Column("cosine", "value")), shown_name(Column("lcs", "f"))
    ('cosine', 'lcs.f')
    """
    return column.metric if column.value == "value" else column.name


def sheets_for_people(found: Correlations) -> list[Sheet]:
    """Two sheets a board: coefficients with ranks as in AESOP's tables, and how sure they are."""
    made: list[Sheet] = []
    for board in found.boards:
        made += [_ranks(board, found.settings), _sureness(board, found.settings)]
    return [*made[:-1], _with_notes(made[-1], (*legend(found.settings), *found.notes))]


def tidy_sheet(found: Correlations) -> Sheet:
    """Everything, one coefficient a row: for programs and for figures."""
    names = (*PLACE, "metric", *NUMBERS)
    rows = tuple(tuple(record[name] for name in names) for record in found.records())
    boards = (note for board in found.boards for note in board.notes)
    notes = tuple(dict.fromkeys([*found.notes, *boards]))
    return Sheet("correlations", "Metrics against people", headings(*names), rows, notes)


def legend(settings: Settings) -> Iterator[str]:
    """What the columns of the second sheet mean."""
    first = COEFFICIENT_WORDS[settings.coefficients[0]]
    yield (
        f"low, high: {_percent(settings)}% interval of {first} over {DRAWN_WORDS[settings.over]} "
        f"({counted(settings.draws, 'draw')}, seed {settings.seed}); p: that a metric is as good "
        f"as the best, by permutation, corrected (Holm)"
    )
    yield (
        f"cluster: a new one begins where a metric of the one above is better (p <= "
        f"{settings.alpha:g}, one-sided, not corrected)"
    )


def _ranks(board: Board, settings: Settings) -> Sheet:
    names = settings.coefficients
    made = [Heading("metric")]
    for name in names:
        made += [Heading(name, COEFFICIENT_WORDS[name]), Heading(f"{name}_rank", "rank")]
    lines = {(line.column, line.coefficient): line for line in board.lines}
    rows: list[tuple[Cell, ...]] = []
    for line in board.of(names[0]):
        mine = [lines[line.column, name] for name in names]
        pairs = ((other.value, other.rank) for other in mine)
        rows.append((shown_name(line.column), *(cell for pair in pairs for cell in pair)))
    tops = [board.ceilings[name].value for name in names]
    if not all(map(math.isnan, tops)):
        rows.append((A_JUDGE, *(cell for value in tops for cell in (value, None))))
    return Sheet(_name(board, "ranks"), _title(board), tuple(made), tuple(rows), board.notes)


def _sureness(board: Board, settings: Settings) -> Sheet:
    """The first coefficient, its interval, the test, clusters; what is missing if anything is."""
    first = settings.coefficients[0]
    word = COEFFICIENT_WORDS[first]
    lines = board.of(first)
    made = [Heading("metric"), Heading(first, word), *headings("low", "high", _P, "cluster")]
    # Where there is one coefficient and no mean of them, the dash says that it is undefined.
    counted = ("missing", "undefined", "of_two") if board.level in MEANS else ("missing",)
    counts = [name for name in counted if any(getattr(line, name) for line in lines)]
    # What a metric has scores for may be less than the title says.
    for name, all_of in (("topics", board.topics), ("systems", board.systems)):
        if any(getattr(line, name) < all_of for line in lines):
            counts.insert(0, name)
    made += [Heading(name) for name in counts]
    rows = tuple(_sure_row(line, counts) for line in lines)
    title = f"How sure: {_where(board)}, {word}"
    return Sheet(_name(board, "intervals"), title, tuple(made), rows)


def _sure_row(line: Line, counts: Sequence[str]) -> tuple[Cell, ...]:
    numbers = (line.value, line.low, line.high, line.p_holm, line.cluster)
    return (shown_name(line.column), *numbers, *(getattr(line, name) for name in counts))


def accuracy_sheets(lines: Sequence[AccuracyLine]) -> list[Sheet]:
    """A sheet for each protocol, part and dimension."""
    made = (
        Heading("metric"),
        Heading("soft_accuracy", "soft"),
        Heading("soft_chance", "chance"),
        Heading("accuracy", "with ties"),
        Heading("accuracy_chance", "chance"),
        Heading("epsilon", digits=4),
    )
    found = []
    for place in dict.fromkeys(line[:3] for line in lines):
        mine = [line for line in lines if line[:3] == place]
        rows: Rows = tuple((shown_name(line.column), *_accuracy_cells(line)) for line in mine)
        title = f"Pairs of systems: {', '.join(filter(None, place_words(*place)))}"
        found.append(Sheet("-".join(filter(None, [*place, "pairs"])), title, made, rows, _PAIRS))
    return found


_PAIRS = (
    "soft: system level, how near the metric's p of each pair is to that of people; with ties: "
    "input level, pairs of which both say the same, scores within epsilon being a tie",
    "chance: what the better of two ways to know nothing gets; epsilon is fitted to these data",
)


def accuracy_tidy(lines: Sequence[AccuracyLine]) -> Sheet:
    names = ("protocol", "part", "dimension", "metric", "soft_accuracy", "soft_chance")
    more = ("accuracy", "accuracy_chance", "epsilon")
    rows: Rows = tuple((*line[:3], line.column.name, *_accuracy_cells(line)) for line in lines)
    return Sheet("accuracies", "Pairs of systems", headings(*names, *more), rows, _PAIRS)


def _accuracy_cells(line: AccuracyLine) -> tuple[float, ...]:
    soft, ties = line.soft, line.calibrated
    return soft.value, soft.chance, ties.value, ties.chance, ties.epsilon


def matrix_sheets(found: Sequence[Matrix], most: int = 1000) -> list[Sheet]:
    """Square tables, columns by number; at most so many of them side by side."""
    made = []
    for matrix in found:
        names = [f"{place} {shown_name(column)}" for place, column in enumerate(matrix.columns, 1)]
        where = place_words(matrix.protocol, matrix.part, "")
        words = [COEFFICIENT_WORDS[matrix.coefficient], LEVEL_WORDS[matrix.level], *where]
        title = f"Metrics with each other: {', '.join(filter(None, words))}"
        size = _size(matrix)
        for start in range(0, len(names), most):
            places = range(start, min(start + most, len(names)))
            across = [Heading(f"metric_{place + 1}", str(place + 1), 2) for place in places]
            rows: Rows = tuple(
                (name, *(float(matrix.values[line, place]) for place in places))
                for line, name in enumerate(names)
            )
            parts = (matrix.protocol, matrix.part, matrix.level, matrix.coefficient, str(start))
            name = "-".join(filter(None, parts))
            made.append(Sheet(name, f"{title}; {size}", (Heading("metric"), *across), rows))
    return made


def matrix_tidy(found: Sequence[Matrix]) -> Sheet:
    """Every pair of metrics a row."""
    names = ["protocol", "part", "level", "coefficient", "metric", "other", "value"]
    rows: list[tuple[Cell, ...]] = []
    for matrix in found:
        where = (matrix.protocol, matrix.part, matrix.level, matrix.coefficient)
        for one, values in zip(matrix.columns, matrix.values.tolist(), strict=True):
            for other, value in zip(matrix.columns, values, strict=True):
                rows.append((*where, one.name, other.name, value, matrix.systems, matrix.topics))
    made = headings(*names, "systems", "topics")
    return Sheet("matrix", "Metrics with each other", made, tuple(rows))


def charts(found: Correlations) -> dict[str, Drawn]:
    """Bars of the first coefficient, metrics by dimensions, by protocol, part and level."""
    first = found.settings.coefficients[0]
    word = COEFFICIENT_WORDS[first]
    value = Field("value", "correlation with the marks", word, low="low", high="high")
    about = f"{_percent(found.settings)} % intervals over {DRAWN_WORDS[found.settings.over]}"
    rows: dict[tuple[str, str, str], list[dict[str, object]]] = {}
    sizes: dict[tuple[str, str, str], str] = {}
    for record in found.records():
        if record["coefficient"] == first:
            place = (record["protocol"], record["part"], record["level"])
            name = record["metric"].removesuffix(".value") + _ARROWS.get(record["better"], "")
            rows.setdefault(place, []).append(record | {"metric": name})
    for board in found.boards:
        place = (board.protocol, board.part, board.level)
        sizes[place] = _size(board)
    made = {}
    for place, mine in rows.items():
        protocol, part, level = place
        words = [*place_words(protocol, part, ""), LEVEL_WORDS[level]]
        heading = ", ".join(filter(None, words))
        told = [_ARROW_WORDS[kind] for kind in _ARROWS if any(r["better"] == kind for r in mine)]
        made[heading] = bar_chart(
            mine, Field("metric", " "), value, Field("dimension", " "),
            f"Metrics against people: {heading}",
            "\n".join([f"{sizes[place]}; {about}", *told]),
        )  # fmt: skip
    return made


def _title(board: Board) -> str:
    return f"{_where(board)}: {_size(board)}, {counted(board.judges, 'judge')}"


def _where(board: Board) -> str:
    words = place_words(board.protocol, board.part, board.dimension)
    return ", ".join(filter(None, [*words, LEVEL_WORDS[board.level]]))


def _size(of: Board | Matrix) -> str:
    return f"{counted(of.systems, 'system')}, {counted(of.topics, 'topic')}"


def place_words(protocol: str, part: str, dimension: str) -> list[str]:
    return [dimension, part, PROTOCOL_WORDS.get(protocol, protocol)]


def _name(board: Board, what: str) -> str:
    parts = (board.protocol, board.part, board.dimension, board.level, what)
    return "-".join(filter(None, parts))


def _percent(settings: Settings) -> str:
    return f"{100 * (1 - settings.alpha):g}"


def _with_notes(sheet: Sheet, notes: Sequence[str]) -> Sheet:
    return Sheet(sheet.name, sheet.title, sheet.headings, sheet.rows, (*sheet.notes, *notes))
