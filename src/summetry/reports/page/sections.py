"""The sections of a report: pieces of HTML, each made of one finding."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from summetry.errors import counted
from summetry.metaeval.columns import legend_of, short_name
from summetry.metaeval.correlation_tables import A_JUDGE, CorrelationTable, MetricCorrelation
from summetry.metaeval.nulls import A_LEAD, A_LENGTH, A_RANDOM
from summetry.metaeval.rankings import Ranking
from summetry.metaeval.selection import JudgedScores
from summetry.reports.comparisons import notes_of
from summetry.reports.page.assets import rendered
from summetry.reports.page.findings import Findings, estimate_settings
from summetry.reports.page.opening import tests_of_metrics
from summetry.reports.pictures.agreement import agreement_picture
from summetry.reports.pictures.by_topic import topics_picture
from summetry.reports.pictures.distribution import distribution_picture
from summetry.reports.pictures.drawing import shown
from summetry.reports.pictures.estimates import estimates_picture, saved_picture
from summetry.reports.pictures.heat_map import HeatMap, heat_map, heat_picture
from summetry.reports.pictures.picture import Picture
from summetry.reports.pictures.power import power_picture
from summetry.reports.pictures.scatter import null_pictures, scatter_picture
from summetry.reports.pictures.significance import significance_picture
from summetry.reports.pictures.systems import ranking_table, systems_picture
from summetry.reports.verdicts import unbroken_p
from summetry.reports.words import COEFFICIENTS, confidence


def size_in_words(findings: Findings) -> str:
    grid = findings.grid
    words = [
        counted(len(grid.topics), "topic"),
        counted(len(grid.systems), "system"),
        counted(len(grid.columns), "metric"),
    ]
    judges = {judge for part in findings.judged for judge in part.marks.judges}
    return ", ".join([*words, *([counted(len(judges), "judge")] if judges else [])])


# Systems, by one metric.


def metric_html(findings: Findings, ranking: Ranking) -> str:
    """The ranking by a metric, and the pictures of it."""
    systems, *others = metric_pictures(findings, ranking)
    return rendered(
        "metric.html",
        table=Markup(ranking_table(ranking)),
        lede=systems.caption,
        notes=ranking.notes,
        wide=[one for one in others if one.is_wide],
        columns=in_columns([one for one in others if not one.is_wide]),
    )


def in_columns(pictures: Sequence[Picture]) -> tuple[list[Picture], list[Picture]]:
    """Pictures one below the other in two columns, each in the one that is shorter so far."""
    columns: tuple[list[Picture], list[Picture]] = ([], [])
    heights = [0.0, 0.0]
    for picture in pictures:
        place = int(heights[1] < heights[0])
        columns[place].append(picture)
        heights[place] += picture.size[1]
    return columns


def metric_pictures(findings: Findings, ranking: Ranking) -> list[Picture]:
    """The pictures that belong to one metric, the systems first."""
    drawn = [
        systems_picture(ranking),
        significance_picture(ranking) if ranking.pairs else None,
        distribution_picture(findings.grid, ranking.column),
        topics_picture(findings.grid, ranking.column) if len(findings.grid.topics) > 1 else None,
        power_picture(ranking),
    ]
    return [one for one in drawn if one is not None]


# All metrics.


def heat(findings: Findings) -> HeatMap:
    """All systems by all metrics, in the order of the first ranking."""
    order = [standing.system for standing in findings.rankings[0].systems]
    judged = findings.judged[0] if findings.judged else None
    tables = findings.correlations.tables if findings.correlations else ()
    columns = findings.grid.columns
    return heat_map(findings.grid, columns, judged, tables[0] if tables else None, systems=order)


# Metrics and people.


@dataclass(frozen=True)
class Followed:
    """How the metrics follow one dimension: a table, and a scatter of each metric."""

    dimension: str
    table: str
    # The null judges of texts.
    nulls: tuple[Picture, ...]
    scatters: dict[str, Picture]
    # Where not all topics were judged, what judges would say of all.
    estimated: tuple[Picture, ...] = ()

    def data(self) -> dict[str, Any]:
        """What a page shows when this dimension is chosen; a metric goes by its place."""
        return {
            "table": self.table,
            "nulls": Markup("").join(map(figure, self.nulls)),
            "estimated": Markup("").join(map(figure, self.estimated)),
            "scatter": {name: figure(picture) for name, picture in self.scatters.items()},
        }


def figure(picture: Picture) -> Markup:
    """A picture under its title."""
    return Markup("<h3>{}</h3>{}").format(picture.title, Markup(picture.figure))


def followed(findings: Findings) -> list[Followed]:
    """Each dimension that people judged."""
    if findings.correlations is None:
        return []
    pairs = zip(findings.judged, findings.correlations.tables, strict=True)
    return [_followed(findings, part, table) for part, table in pairs]


def _followed(findings: Findings, part: JudgedScores, table: CorrelationTable) -> Followed:
    # Those that the verdict speaks of have their names in any case.
    named = [standing.system for standing in findings.rankings[0].systems[:2]]
    scatters = {
        str(place): scatter_picture(part, ranking.column, named)
        for place, ranking in enumerate(findings.rankings)
        if ranking.column in part.grid.columns
    }
    settings = estimate_settings(findings.rankings[0].settings)
    estimated = tuple(
        picture
        for one in findings.estimates
        if one.dimension == table.dimension
        for picture in (estimates_picture(one, settings), saved_picture(one))
    )
    followers, nulls = _followers(findings, table), null_pictures(part, named)
    return Followed(table.dimension, followers, nulls, scatters, estimated)


def _followers(findings: Findings, table: CorrelationTable) -> str:
    """The metrics, best first, with what stands beside them."""
    assert findings.correlations is not None
    settings = findings.correlations.settings
    first, *others = settings.coefficients
    of_others = [{row.column: row for row in table.of(name)} for name in others]
    rows = [
        {
            "name": short_name(row.column),
            "under": _under(row, table),
            "value": shown(row.value, 2),
            "exact": row.value,
            "interval": _interval(row),
            "others": [shown(of[row.column].value, 2) for of in of_others],
            "against": _against_best(row, settings.alpha),
        }
        for row in table.of(first)
    ]
    beside = [
        (_WORDS[name], [shown(line[one], 2) for one in settings.coefficients])
        for name, line in table.beside().items()
    ]
    return rendered(
        "followers.html",
        dimension=table.dimension,
        rows=rows,
        beside=beside,
        coefficients=[COEFFICIENTS[name] for name in settings.coefficients],
        share=confidence(settings.alpha),
        has_tests=bool(settings.tested),
        tested_by=" ".join(tests_of_metrics(findings, table)),
    )


_WORDS = {
    A_JUDGE: "a judge against the others",
    A_LENGTH: "length alone",
    A_LEAD: "lead overlap",
    A_RANDOM: "reached by one random metric in 20",
}


def _under(row: MetricCorrelation, table: CorrelationTable) -> str:
    words = ["lower is better" if row.better == "lower" else ""]
    if row.systems < table.systems:
        words.append(f"{row.systems:,} of {table.systems:,} systems")
    return ", ".join(filter(None, words))


def _against_best(row: MetricCorrelation, alpha: float) -> str:
    if row.rank is None:
        return "no rank"
    if row.rank == 1:
        return "best"
    p = row.p_best_corrected
    return "–" if math.isnan(p) else unbroken_p(p, alpha)


def _interval(row: MetricCorrelation) -> str:
    return "–" if math.isnan(row.low) else f"{shown(row.low, 2)} to {shown(row.high, 2)}"


# All pictures of a report, for files.


def all_pictures(findings: Findings) -> Iterator[Picture]:
    for ranking in findings.rankings:
        yield from metric_pictures(findings, ranking)
    yield heat_picture(heat(findings))
    if findings.matrix:
        yield agreement_picture(findings.matrix)
    for one in followed(findings):
        yield from one.scatters.values()
        yield from one.nulls
        yield from one.estimated


# Notes.


def all_notes(findings: Findings) -> list[str]:
    """What a reader should know, each once, with the metrics that it goes for."""
    notes = [*findings.notes, *notes_of(findings.rankings)]
    if findings.correlations:
        notes += findings.correlations.notes
        for table in findings.correlations.tables:
            notes += (f"{table.dimension}: {note}" for note in table.notes)
    return list(dict.fromkeys(notes))


def legends(findings: Findings) -> Sequence[tuple[str, str, str]]:
    """Each metric with what it counts and its signature."""
    return [(column.name, legend_of(column), column.signature) for column in findings.columns]
