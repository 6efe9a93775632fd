"""Results to draw: small ones that are worked by hand, and strange ones."""

from types import SimpleNamespace

import numpy as np

from summetry.metaeval.comparisons import compare_systems
from summetry.metaeval.correlation_tables import CorrelateSettings
from summetry.metaeval.correlations import correlate_parts
from summetry.metaeval.estimates import EstimateSettings, estimate_parts
from summetry.metaeval.grids import grid_of
from summetry.metaeval.matrix import matrices
from summetry.metaeval.rankings import CompareSettings
from summetry.metaeval.selection import Selection, judged_parts
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.scores import Column, Row, ScoreTable
from summetry.reports.pictures.agreement import agreement_picture
from summetry.reports.pictures.by_topic import topics_picture
from summetry.reports.pictures.distribution import distribution_picture
from summetry.reports.pictures.estimates import estimates_picture
from summetry.reports.pictures.heat_map import heat_map, heat_picture
from summetry.reports.pictures.power import power_picture
from summetry.reports.pictures.scatter import null_pictures, scatter_picture
from summetry.reports.pictures.significance import significance_picture
from summetry.reports.pictures.systems import systems_picture

STRANGE = (
    "<script>alert(1)</script>", 'a&b "c" \'d\'', "שלום_עולם", "中文摘要系统", "\x00\x1b",
    "a_very_long_system_name_with_many_parts-v2.1/checkpoint-120000-of-a-long-training-run",
    "x" * 200, "émile  two  blanks", "]]>", "&amp;",
)  # fmt: skip


THEIRS = (Column("theirs"),)


def scored(values, columns=THEIRS):
    """A score table of ``values[system][topic]``, a number or one for each column."""
    cells = [
        (Row("no_models", topic, system, "candidate"), numbers)
        for system, by_topic in values.items()
        for topic, numbers in by_topic.items()
    ]
    data = np.array([n for _, n in cells], np.float64).reshape(len(cells), len(columns))
    return ScoreTable(tuple(row for row, _ in cells), tuple(columns), data)


def judged_of(table, marks):
    """The scores beside one judge's marks: ``marks[system]`` for all topics."""
    judgments = tuple(
        Judgment(row.topic, row.author, "ann", "quality", marks[row.author]) for row in table.rows
    )
    parts, _ = judged_parts([table], Corpus(judgments=judgments), Selection(all_values=True))
    return parts[0]


def generated(systems, topics, columns, seed=3):
    """Scores of systems that differ, on topics that differ."""
    draw = np.random.default_rng(seed)
    level, easy = draw.normal(0, 0.06, len(systems)), draw.normal(0, 0.06, len(topics))
    noise = draw.normal(0, 0.04, (len(systems), len(topics), len(columns)))
    values = {
        system: {t: 0.4 + level[i] + easy[k] + noise[i, k] for k, t in enumerate(topics)}
        for i, system in enumerate(systems)
    }
    return scored(values, columns)


def all_pictures(table):
    """Every kind of picture, of the first value of a table."""
    grid = grid_of(table)
    column = grid.columns[0]
    ranking = compare_systems(grid, column, settings=CompareSettings(draws=200))
    marks = {system: 1.0 + k % 5 for k, system in enumerate(grid.systems)}
    judged = judged_of(table, marks)
    correlated = correlate_parts([judged], CorrelateSettings(tests=False)).tables[0]
    heat = heat_map(grid, (), judged, correlated)
    matrix = matrices([table], Selection(all_values=True))[0]
    how = EstimateSettings(draws=1)
    # Of fewer than three topics there is no estimate.
    several = [judged] if len(grid.topics) > 2 else []
    estimated = [estimates_picture(t, how) for t in estimate_parts(several, Corpus(), how)]
    made = {
        "systems": systems_picture(ranking),
        "estimates": estimated[0] if estimated else None,
        "metrics": heat_picture(heat),
        "judges": scatter_picture(judged, column),
        **dict(zip(("length", "lead"), null_pictures(judged), strict=False)),
        "agreement": agreement_picture(matrix),
        "distribution": distribution_picture(grid, column),
        "topics": topics_picture(grid, column),
        "significance": significance_picture(ranking),
        "power": power_picture(ranking),
    }
    pictures = {name: picture for name, picture in made.items() if picture}
    return SimpleNamespace(ranking=ranking, heat=heat, judged=judged, **pictures), pictures
