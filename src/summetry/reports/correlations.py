"""Metrics against people as sheets and charts: the AESOP tables, intervals, matrices, systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from rich.cells import cell_len

from summetry.errors import counted
from summetry.metaeval.accuracies import MetricAccuracy
from summetry.metaeval.certainty import AGAINST
from summetry.metaeval.columns import better_of
from summetry.metaeval.correlation_tables import (
    NUMBERS,
    PLACE,
    CorrelateSettings,
    Correlations,
    CorrelationTable,
    MetricCorrelation,
)
from summetry.metaeval.correlations import JudgmentCorrelation
from summetry.metaeval.matrix import Matrix
from summetry.metaeval.metric_tests import Procedure
from summetry.metaeval.nulls import A_LEAD, A_LENGTH, A_RANDOM
from summetry.metaeval.selection import JudgedScores
from summetry.metaeval.system_points import SystemPoint, system_points
from summetry.records.scores import pandas_frame
from summetry.reports.notebook import correlations_html
from summetry.reports.plots import Field, bar_chart, scatter_chart
from summetry.reports.sheets import Cell, Heading, Sheet, headings, sheets_text
from summetry.reports.tables import NARROW, split_columns, wrapped
from summetry.reports.words import COEFFICIENTS, LEVELS, RESAMPLED, confidence, heading_of
from summetry.stats.levels import correlate
from summetry.stats.weighted import Coefficient

if TYPE_CHECKING:
    import pandas

    from summetry.reports.plots import Drawn

Rows: TypeAlias = tuple[tuple[Cell, ...], ...]

# The levels at which a value is a mean of coefficients.
MEANS = ("summary", "per_system")
# What stands beside a metric in a chart if higher numbers of it are not better.
_ARROWS = {"lower": " \u2193", "neither": " \u2195"}
_ARROW_WORDS = {
    "lower": "\u2193 lower is better, so \u22121 is the best",
    "neither": "\u2195 neither direction is better",
}
_ROLES = {"candidate": "systems", "reference": "people"}
_PAIRS = (
    "soft: system level, how near the metric's p of each pair is to people's p; with ties: summary "
    "level, share of pairs on which both agree, where scores within epsilon are a tie",
    "chance: what a metric that knows nothing gets; epsilon is fitted to these data",
)


def correlation_sheets(correlations: Correlations, width: int = 1000) -> list[Sheet]:
    """Metrics by dimensions first, where there are several; then the details of each dimension.

    These are the coefficients with their ranks, as in AESOP's tables, and how sure they are. The
    first tables are folded where they are wider than ``width``, and the tests against null judges
    have a table of their own where they do not fit.
    """
    sheets: list[Sheet] = []
    places = [(table.protocol, table.part, table.level) for table in correlations.tables]
    for place in dict.fromkeys(places):
        mine = [t for t, own in zip(correlations.tables, places, strict=True) if own == place]
        if len(mine) > 1:
            sheets += _overviews(mine, correlations.settings.coefficients[0], width)
    for table in correlations.tables:
        sheets.append(_ranks(table, correlations.settings))
        if correlations.settings.tests:
            sheets += _sureness(table, correlations.settings, width)
    last = sheets[-1]
    notes = (*last.notes, *_legend(correlations), *correlations.notes)
    return [*sheets[:-1], replace(last, notes=notes)]


@dataclass(frozen=True, repr=False)
class CorrelationReport(Correlations):
    """What ``correlate`` gives back: it prints as the command does."""

    def to_pandas(self) -> pandas.DataFrame:
        """One row per coefficient, with intervals, p and what is missing."""
        return pandas_frame(list(self.records()))

    def report(self) -> str:
        """All that the command ``correlate`` prints."""
        return sheets_text(correlation_sheets(self, NARROW))

    def __repr__(self) -> str:
        named = [(s.name.rpartition("-")[2], s) for s in correlation_sheets(self, NARROW)]
        overviews = [sheet for name, sheet in named if name.startswith("overview")]
        sheets = overviews or [sheet for name, sheet in named if name == "ranks"]
        shown = sheets_text([replace(sheet, notes=()) for sheet in sheets])
        lines = [shown, *map(wrapped, self.notes)]
        return "\n".join([*lines, "(.report() has all tables; .to_pandas() the numbers)"])

    def _repr_html_(self) -> str:
        return correlations_html(self)


def correlation_tidy(correlations: Correlations) -> Sheet:
    """Everything, one coefficient per row: for programs and for figures."""
    names = (*PLACE, "metric", *NUMBERS)
    rows = tuple(tuple(record[name] for name in names) for record in correlations.records())
    of_tables = (note for table in correlations.tables for note in table.notes)
    notes = tuple(dict.fromkeys([*correlations.notes, *of_tables]))
    return Sheet("correlations", "Metrics against people", headings(*names), rows, notes)


def _overviews(
    tables: Sequence[CorrelationTable], coefficient: Coefficient, width: int
) -> Iterator[Sheet]:
    """One coefficient of every metric with every dimension, in tables of at most ``width``."""
    values = [_values(table, coefficient) for table in tables]
    names = list(dict.fromkeys(name for own in values for name in own))
    first = tables[0]
    what = f"{COEFFICIENTS[coefficient]} with people's judgments"
    heading = heading_of(what, LEVELS[first.level], first.part, first.protocol)
    room = width - max(map(cell_len, names))
    for place, some in enumerate(_folded([cell_len(table.dimension) for table in tables], room)):
        yield Sheet(
            _name(replace(first, dimension=""), f"overview{place or ''}"),
            f"{heading}: {_sizes(tables)}",
            headings("metric", *(Heading(tables[k].dimension, tables[k].dimension) for k in some)),
            tuple((name, *(values[k].get(name) for k in some)) for name in names),
        )


def _values(table: CorrelationTable, coefficient: Coefficient) -> dict[str, float]:
    """Each line and its number: the best metric first, with all its values, then the others."""
    rows = table.of(coefficient)
    metrics = list(dict.fromkeys(row.column.metric for row in rows))
    given = [row for row in table.rows if row.coefficient == coefficient]
    ordered = sorted(given, key=lambda row: metrics.index(row.column.metric))
    values = {row.column.name: row.value for row in ordered}
    return values | {name: line[coefficient] for name, line in table.beside().items()}


def _folded(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """Columns that fit side by side; a number takes six signs, and two are between columns.

    >>> list(_folded([9, 7, 20], 22))
    [[0, 1], [2]]
    """
    return split_columns([max(width, 6) + 2 for width in widths], room)


def _legend(correlations: Correlations) -> Iterator[str]:
    """What the lines in brackets and the columns of the second sheet mean."""
    settings = correlations.settings
    beside = {name for table in correlations.tables for name in table.beside()}
    if A_LENGTH in beside:
        counted_as = dict.fromkeys(table.counted for table in correlations.tables if table.counted)
        yield f"{A_LENGTH}: the length of the summaries ({' or '.join(counted_as)}) as a metric"
    if A_LEAD in beside:
        yield f"{A_LEAD}: how far a summary is the beginning of its source, as a metric"
    if A_RANDOM in beside:
        yield f"{A_RANDOM}: of 20 metrics made of random numbers, one exceeds this"
    if not settings.tests:
        return
    first = COEFFICIENTS[settings.coefficients[0]]
    yield (
        f"low, high: {confidence(settings.alpha)}% interval of {first} over "
        f"{RESAMPLED[settings.over]} ({counted(settings.resamples, 'resample')}, seed "
        f"{settings.seed})"
    )
    moved = (
        "topics" if {table.level for table in correlations.tables} == {"per_system"} else "systems"
    )
    yield f"p: how likely chance alone gives such a coefficient ({moved} permuted)"
    levels: dict[Procedure, list[str]] = {}
    for level in settings.levels:
        procedure = settings.procedure_at(level)
        levels.setdefault(procedure, []).append(LEVELS[level])
    for procedure, names in levels.items():
        at = f", {' and '.join(names)}" if len(levels) > 1 else ""
        yield (
            f"vs best{at}: corrected p of the difference from the best metric ({procedure.how}, "
            f"Holm); {procedure.scope}"
        )
    rows = [row for table in correlations.tables for row in table.of(settings.coefficients[0])]
    nulls = {name: title for name, title in _NULLS.items() if _has(rows, name)}
    if nulls:
        yield (
            f"{', '.join(nulls.values())}: corrected p, by the same test, that it is nearer to "
            f"people than {' or '.join(name for name, at in AGAINST.items() if at in nulls)}"
        )
    alpha = f"corrected p > {settings.alpha:g}"
    yield f"cluster: metrics that do not differ from its first one ({alpha})"


def _ranks(table: CorrelationTable, settings: CorrelateSettings) -> Sheet:
    names = settings.coefficients
    columns = [Heading("metric")]
    for name in names:
        columns += [Heading(name, COEFFICIENTS[name]), Heading(f"{name}_rank", "rank")]
    by_name = {(row.column, row.coefficient): row for row in table.rows}
    rows: list[tuple[Cell, ...]] = []
    for first in table.of(names[0]):
        mine = [by_name[first.column, name] for name in names]
        cells = (cell for row in mine for cell in (row.value, row.rank))
        rows.append((first.column.name, *cells))
    for label, line in table.beside().items():
        rows.append((label, *(cell for name in names for cell in (line[name], None))))
    judges = f", {counted(table.judges, 'judge')}" if table.judges else ""
    title = f"{_heading(table)}: {_size(table)}{judges}"
    return Sheet(_name(table, "ranks"), title, tuple(columns), tuple(rows), table.notes)


# The columns of the tests against null judges.
_NULLS = {"p_length_corrected": "vs length", "p_lead_corrected": "vs lead"}


def _has(rows: Sequence[MetricCorrelation], name: str) -> bool:
    return not all(math.isnan(getattr(row, name)) for row in rows)


def _sureness(table: CorrelationTable, settings: CorrelateSettings, width: int) -> Iterator[Sheet]:
    """The first coefficient, its interval, tests, clusters; what is missing if anything is."""
    first = settings.coefficients[0]
    rows = table.of(first)
    # Where there is one coefficient and no mean of them, the dash says that it is undefined.
    names = ("missing", "undefined", "of_two") if table.level in MEANS else ("missing",)
    counts = [name for name in names if any(getattr(row, name) for row in rows)]
    # What a metric has scores for may be less than the title says.
    for name in ("topics", "systems"):
        if any(getattr(row, name) < getattr(table, name) for row in rows):
            counts.insert(0, name)
    whole = table.systems * table.topics
    if all(row.missing == whole - row.systems * row.topics for row in rows):
        # How many systems and topics there are says it already.
        counts = [name for name in counts if name != "missing"]
    coefficient = Heading(first, COEFFICIENTS[first])
    where = f"{_heading(table)}, {coefficient.title}"
    p = Heading("p", is_p=True), Heading("p_best_corrected", "vs best", is_p=True)
    nulls = [Heading(name, title, is_p=True) for name, title in _NULLS.items() if _has(rows, name)]
    ours = headings("low", "high", *p), headings("cluster", *counts)
    columns = [coefficient, *ours[0], *nulls, *ours[1]]
    room = width - max((cell_len(row.column.name) for row in rows), default=0)
    if len(list(_folded([cell_len(heading.shown) for heading in columns], room))) > 1:
        columns = [coefficient, *ours[0], *ours[1]]
    yield _sure_sheet(_name(table, "intervals"), f"How sure: {where}", rows, columns, first)
    if nulls and nulls[0] not in columns:
        title = f"Against null judges: {where}"
        yield _sure_sheet(_name(table, "nulls"), title, rows, [coefficient, *nulls], first)


def _sure_sheet(
    name: str,
    title: str,
    rows: Sequence[MetricCorrelation],
    columns: Sequence[Heading],
    coefficient: Coefficient,
) -> Sheet:
    fields = ["value" if one.name == coefficient else one.name for one in columns]
    cells = ((row.column.name, *(getattr(row, field) for field in fields)) for row in rows)
    return Sheet(name, title, headings("metric", *columns), tuple(cells))


def _heading(table: CorrelationTable) -> str:
    return heading_of(table.dimension, table.part, table.protocol, LEVELS[table.level])


def _name(table: CorrelationTable, what: str) -> str:
    parts = (table.protocol, table.part, table.dimension, table.level, what)
    return "-".join(filter(None, parts))


def _sizes(tables: Sequence[CorrelationTable]) -> str:
    """How many systems and topics; of several tables the fewest and the most."""
    sizes = []
    for noun in ("system", "topic"):
        numbers = [getattr(table, f"{noun}s") for table in tables]
        low, high = min(numbers), max(numbers)
        sizes.append(counted(high, noun) if low == high else f"{low} to {counted(high, noun)}")
    return ", ".join(sizes)


def _size(of: CorrelationTable | Matrix) -> str:
    return f"{counted(of.systems, 'system')}, {counted(of.topics, 'topic')}"


def judgment_tidy(marks: Sequence[JudgmentCorrelation]) -> Sheet:
    """One row per value and dimension, for programs."""
    names = headings(*JudgmentCorrelation._fields)
    return Sheet("correlations", "Values against marks", names, tuple(marks))


_ACCURACIES = (
    Heading("metric"),
    Heading("soft_accuracy", "soft"),
    Heading("soft_chance", "chance"),
    Heading("accuracy", "with ties"),
    Heading("accuracy_chance", "chance"),
    Heading("epsilon", digits=4),
)


def accuracy_sheets(accuracies: Sequence[MetricAccuracy]) -> list[Sheet]:
    """A sheet for each protocol, part and dimension."""
    sheets = []
    for place in dict.fromkeys(one[:3] for one in accuracies):
        protocol, part, dimension = place
        mine = [one for one in accuracies if one[:3] == place]
        rows: Rows = tuple((one.column.name, *_accuracy_cells(one)) for one in mine)
        name = "-".join(filter(None, [*place, "pairs"]))
        title = f"Pairs of systems: {heading_of(dimension, part, protocol)}"
        sheets.append(Sheet(name, title, _ACCURACIES, rows, _PAIRS))
    return sheets


def accuracy_tidy(accuracies: Sequence[MetricAccuracy]) -> Sheet:
    columns = headings("protocol", "part", "dimension", *_ACCURACIES)
    rows: Rows = tuple((*one[:3], one.column.name, *_accuracy_cells(one)) for one in accuracies)
    return Sheet("accuracies", "Pairs of systems", columns, rows, _PAIRS)


def _accuracy_cells(one: MetricAccuracy) -> tuple[float, ...]:
    soft, ties = one.soft, one.calibrated
    return soft.value, soft.chance, ties.value, ties.chance, ties.epsilon


def matrix_sheets(matrices: Sequence[Matrix], most: int = 1000) -> list[Sheet]:
    """Square tables, columns by number; at most so many of them side by side."""
    sheets = []
    for matrix in matrices:
        names = [f"{place} {column.name}" for place, column in enumerate(matrix.columns, 1)]
        words = COEFFICIENTS[matrix.coefficient], LEVELS[matrix.level]
        heading = heading_of(*words, matrix.part, matrix.protocol)
        title = f"Metrics with each other: {heading}; {_size(matrix)}"
        for start in range(0, len(names), most):
            places = range(start, min(start + most, len(names)))
            across = [Heading(f"metric_{place + 1}", str(place + 1), 2) for place in places]
            rows: Rows = tuple(
                (name, *(float(values[place]) for place in places))
                for name, values in zip(names, matrix.values, strict=True)
            )
            parts = (matrix.protocol, matrix.part, matrix.level, matrix.coefficient, str(start))
            name = "-".join(filter(None, parts))
            sheets.append(Sheet(name, title, (Heading("metric"), *across), rows, matrix.notes))
    return sheets


def matrix_tidy(matrices: Sequence[Matrix]) -> Sheet:
    """One row per pair of metrics."""
    names = ["protocol", "part", "level", "coefficient", "metric", "other", "value"]
    rows: list[tuple[Cell, ...]] = []
    for matrix in matrices:
        where = (matrix.protocol, matrix.part, matrix.level, matrix.coefficient)
        for one, values in zip(matrix.columns, matrix.values.tolist(), strict=True):
            for other, value in zip(matrix.columns, values, strict=True):
                rows.append((*where, one.name, other.name, value, matrix.systems, matrix.topics))
    columns = headings(*names, "systems", "topics")
    notes = tuple(dict.fromkeys(note for matrix in matrices for note in matrix.notes))
    return Sheet("matrix", "Metrics with each other", columns, tuple(rows), notes)


def correlation_charts(correlations: Correlations) -> dict[str, Drawn]:
    """Bars of the first coefficient, metrics by dimensions, by protocol, part and level."""
    settings = correlations.settings
    first = settings.coefficients[0]
    what = "correlation with the judgments"
    value = Field("value", what, COEFFICIENTS[first], low="low", high="high")
    about = f"; {confidence(settings.alpha)} % intervals over {RESAMPLED[settings.over]}"
    rows: dict[tuple[str, str, str], list[dict[str, object]]] = {}
    for record in correlations.records():
        if record["coefficient"] == first:
            place = (record["part"], record["protocol"], record["level"])
            name = record["metric"] + _ARROWS.get(record["better"], "")
            rows.setdefault(place, []).append(record | {"metric": name})
    sizes = {(t.part, t.protocol, str(t.level)): _size(t) for t in correlations.tables}
    charts = {}
    for (part, protocol, level), mine in rows.items():
        heading = heading_of(part, protocol, LEVELS[level])
        kinds = {row["better"] for row in mine}
        arrows = [words for kind, words in _ARROW_WORDS.items() if kind in kinds]
        size = sizes[part, protocol, level] + (about if settings.tests else "")
        note = "\n".join([size, *arrows])
        title = f"Metrics against people: {heading}"
        fields = Field("metric", " "), value, Field("dimension", " ")
        charts[heading] = bar_chart(mine, *fields, title, note)
    return charts


def system_charts(parts: Sequence[JudgedScores], settings: CorrelateSettings) -> dict[str, Drawn]:
    """Each system a point, by its mean score and judgment: a chart per metric and part."""
    charts = {}
    for judged in parts:
        for place, column in enumerate(judged.grid.columns):
            heading = heading_of(column.name, judged.dimension, judged.part, judged.protocol)
            charts[heading] = _system_chart(judged, place, heading, settings)
    return charts


def _system_chart(
    judged: JudgedScores, place: int, heading: str, settings: CorrelateSettings
) -> Drawn:
    column = judged.grid.columns[place]
    points = system_points(judged, place, settings.resamples, settings.seed, settings.alpha)
    names = "score", "score low", "score high", "judged", "judged low", "judged high"
    rows = [
        {
            "system": point.system,
            "by": _ROLES.get(point.role, point.role),
            "summaries": point.summaries,
            **dict(zip(names, (*point.score, *point.mark), strict=True)),
        }
        for point in points
    ]
    better = "lower is better" if better_of(column) == "lower" else ""
    several = len({row["by"] for row in rows}) > 1
    return scatter_chart(
        rows,
        Field("score", column.name, better, low="score low", high="score high"),
        Field("judged", judged.dimension, low="judged low", high="judged high"),
        Field("by", " ") if several else None,
        "system",
        f"Systems: {heading}",
        _about(judged, place, points, settings),
    )


def _about(
    judged: JudgedScores, place: int, points: Sequence[SystemPoint], settings: CorrelateSettings
) -> str:
    """How many, how near to a line, and what the lines through the points are."""
    scores, marks = judged.grid.values[place], judged.marks.means()
    coefficients = [
        f"{COEFFICIENTS[name]} {correlate(scores, marks, 'system', name).value:.3f}"
        for name in settings.coefficients
    ]
    sizes = f"{counted(len(points), 'system')}, {counted(len(judged.grid.topics), 'topic')}"
    infinite = [point.system for point in points if math.isinf(point.score.value)]
    lines = f"lines: {confidence(settings.alpha)} % intervals of means over topics"
    left = [f"infinite, so not drawn: {', '.join(infinite)}"] if infinite else []
    first = settings.coefficients[0]
    beside = [
        f"{name} {correlate(null.values, marks, 'system', first).value:.3f}"
        for name, null in judged.nulls.items()
    ]
    nulls = [f"{COEFFICIENTS[first]} of null judges: {', '.join(beside)}"] if beside else []
    return "\n".join([f"{sizes}; {', '.join(coefficients)}", *nulls, lines, *left])
