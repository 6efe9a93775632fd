"""The sections of a report as what a template fills in: words and numbers ready to be shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from summetry.errors import counted
from summetry.metaeval.columns import legend_of, short_name
from summetry.metaeval.comparisons import Ranking, having_p
from summetry.reports.page.findings import Findings
from summetry.reports.tables import number
from summetry.reports.verdicts import p_in_words, tested
from summetry.reports.words import confidence


@dataclass(frozen=True)
class RankedSystem:
    """A row of the ranking."""

    place: int
    system: str
    mean: str
    interval: str
    letters: str
    against: str
    topics: int


@dataclass(frozen=True)
class MetricSection:
    """The systems by one metric."""

    name: str
    lede: str
    best: str
    rows: Sequence[RankedSystem]
    has_letters: bool
    has_gaps: bool


def size_in_words(findings: Findings) -> str:
    grid = findings.grid
    words = [
        counted(len(grid.topics), "topic"),
        counted(len(grid.systems), "system"),
        counted(len(grid.columns), "metric"),
    ]
    judges = {judge for part in findings.judged for judge in part.marks.judges}
    return ", ".join([*words, *([counted(len(judges), "judge")] if judges else [])])


def metric_section(findings: Findings, ranking: Ranking) -> MetricSection:
    scored = [standing for standing in ranking.systems if standing.topics]
    best = ranking.baseline if len(scored) > 1 else ""
    rows = [
        RankedSystem(
            place,
            one.system,
            number(one.mean, 3),
            _interval(one.low, one.high),
            one.letters,
            _against(ranking, one.system),
            one.topics,
        )
        for place, one in enumerate(ranking.systems, 1)
    ]
    return MetricSection(
        short_name(ranking.column),
        _lede(ranking),
        best,
        rows,
        any(one.letters for one in scored) and len(scored) > 1,
        any(one.missing for one in ranking.systems),
    )


def _lede(ranking: Ranking) -> str:
    settings = ranking.settings
    lower = ", lower is better" if ranking.better == "lower" else ""
    words = (
        f"Mean {ranking.column.name} over topics{lower}; the line covers "
        f"{confidence(settings.alpha)}% of {settings.resamples:,} bootstrap resamples of topics."
    )
    if len(having_p(ranking.pairs)):
        words += " Systems that share a letter do not differ significantly."
    return words


def _interval(low: float, high: float) -> str:
    return "–" if math.isnan(low) else f"{number(low, 3)}–{number(high, 3)}"


def _against(ranking: Ranking, system: str) -> str:
    """What the test of a system against the best one, or the baseline, says."""
    if system == ranking.baseline:
        return "baseline" if ranking.is_named else "best"
    if not any(system in pair[:2] for pair in ranking.against):
        return ""
    pair, _ = tested(ranking, system, ranking.baseline)
    verdict = ranking.verdict(pair)
    if verdict == "undefined":
        return f"not comparable: {pair.reason}"
    p = f"p {p_in_words(pair.corrected, ranking.settings.alpha)}"
    return f"no difference seen ({p})" if verdict == "unclear" else f"{verdict} ({p})"


def all_notes(findings: Findings) -> list[str]:
    """What a reader should know, each once, with the metrics that it goes for."""
    metrics_by_note: dict[str, list[str]] = {}
    for ranking in findings.rankings:
        for note in ranking.notes:
            metrics_by_note.setdefault(note, []).append(short_name(ranking.column))
    notes = list(findings.notes)
    for note, names in metrics_by_note.items():
        is_common = len(names) == len(findings.rankings) or note.startswith(names[0])
        notes.append(note if is_common else f"{', '.join(names)}: {note}")
    if findings.correlations:
        notes += findings.correlations.notes
        for table in findings.correlations.tables:
            notes += (f"{table.dimension}: {note}" for note in table.notes)
    return list(dict.fromkeys(notes))


def legends(findings: Findings) -> list[tuple[str, str, str]]:
    """Each metric with what it counts and its signature."""
    return [(column.name, legend_of(column), column.signature) for column in findings.grid.columns]
