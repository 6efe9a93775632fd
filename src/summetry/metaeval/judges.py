"""What people say of summaries: judgments as scores of systems, and how far the judges agree.

Text quality (grammaticality, non-redundancy, reference clarity, coherence) cannot be measured
automatically: judges give every summary a mark, a number or a letter of a scale. A summary's score
on a dimension is the mean over its judges, letters counting as their place on the scale.

Source: Steinberger and Jezek (2009), section 3.1; the kappa of judgments is that of Hori et al.
(2004), appendix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from summetry.arguments import as_names, check_choice
from summetry.errors import SummetryError, counted
from summetry.formats import ReadOptions
from summetry.formats.frames import Readable
from summetry.formats.judgments import is_list_of_judgments, read_judgments
from summetry.formats.scores import is_scores, read_scores, signatures_of
from summetry.metaeval.grids import (
    GridJudgments,
    check_dimensions,
    dimensions_of,
    grid_of,
    judgments_of,
)
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.scores import Column, Row, ScoreTable
from summetry.records.topics import By
from summetry.stats.ratings import RatingsAgreement, ratings_agreement
from summetry.stats.significance import DRAWS

# More different values than this are no classes.
_MOST_CLASSES = 10


def has_scores(path: Readable, columns: Mapping[str, str] | None = None) -> bool:
    """Whether a table has scores, or a list of judgments, whose means are scores."""
    return is_scores(path, columns) or is_list_of_judgments(path, columns)


def scores_in(path: Readable, columns: Mapping[str, str] | None = None) -> ScoreTable:
    """The scores of a table; of a list of judgments the means, with the signatures of the judge."""
    if not is_list_of_judgments(path, columns):
        return read_scores(path, columns)
    table = judgment_scores(read_judgments(path, ReadOptions(columns=columns or {})))
    signatures = signatures_of(path)
    signed = tuple(Column.named(c.name, signatures.get(c.name, "")) for c in table.columns)
    return replace(table, columns=signed)


def judgment_scores(
    corpus: Corpus, dimensions: Sequence[str] = (), protocol: str = "no_models"
) -> ScoreTable:
    """The mean judgment of every summary on each dimension (by default all), as scores.

    As metrics are, ``no_models`` is of systems only, and ``all_peers`` of references too. What is
    judged and not among the corpus's summaries is taken for a system's.
    """
    check_choice("protocol", protocol, ("no_models", "all_peers"))
    names = _dimensions(corpus, dimensions)
    # Who has written both is judged as a system.
    by_role = sorted(corpus.summaries, key=lambda summary: summary.role, reverse=True)
    roles = {(summary.topic, summary.author): summary.role for summary in by_role}
    judged = dict.fromkeys((j.topic, j.author) for j in corpus.judgments if j.dimension in names)
    rows = [Row(protocol, *pair, roles.get(pair, "candidate")) for pair in judged]
    kept = [row for row in rows if protocol == "all_peers" or row.role == "candidate"]
    if not kept:
        raise SummetryError("no judgment is of a system; --protocol all_peers shows references")
    grid = grid_of(ScoreTable(tuple(kept), (), np.empty((len(kept), 0))))
    systems, topics = ({name: i for i, name in enumerate(of)} for of in (grid.systems, grid.topics))
    at = [systems[row.author] for row in kept], [topics[row.topic] for row in kept]
    marks = [judgments_of(corpus, name, grid) for name in names]
    data = np.column_stack([of_one.means()[at] for of_one in marks])
    notes = [_in_words(corpus, of_one) for of_one in marks]
    if len(kept) < len(rows):
        notes.append(
            f"references were judged too ({counted(len(rows) - len(kept), 'summary')}); "
            f"--protocol all_peers shows them"
        )
    return ScoreTable(tuple(kept), tuple(map(Column, names)), data, tuple(notes))


def _dimensions(corpus: Corpus, asked: Sequence[str]) -> list[str]:
    if not corpus.judgments:
        raise SummetryError(f"the corpus {corpus.name!r} has no judgments")
    names = as_names("dimensions", asked)
    check_dimensions(corpus, names)
    return list(dict.fromkeys(names)) or dimensions_of(corpus)


def _in_words(corpus: Corpus, marks: GridJudgments) -> str:
    scale = corpus.scales.get(marks.dimension, ())
    letters = f", {scale[0]} to {scale[-1]} as 1 to {len(scale)}" if scale else ""
    most = int((~np.isnan(marks.values)).sum(axis=0).max(initial=0))
    each = f", at most {most} per summary" if most < len(marks.judges) else ""
    judges = counted(len(marks.judges), "judge")
    return f"{marks.dimension}: the mean judgment of {judges}{each}{letters}"


@dataclass(frozen=True)
class JudgesAgreement:
    """How far the judges of a dimension agree; only summaries with two judgments or more count."""

    dimension: str
    judges: int
    summaries: int
    judgments: int
    # How many different values were given.
    classes: int
    coefficients: RatingsAgreement
    # The genre or the group of the topics, where these are parted.
    part: str = ""

    @property
    def name(self) -> str:
        return f"{self.dimension} ({self.part})" if self.part else self.dimension

    @property
    def note(self) -> str:
        """What a reader of kappa should know; empty where there is nothing."""
        if self.classes <= _MOST_CLASSES:
            return ""
        return (
            f"{self.name} has {self.classes} different values: Fleiss' kappa takes each for "
            f"a class of its own, alpha and weighted kappa do not"
        )


def judges_agreement(
    corpus: Corpus,
    dimensions: Sequence[str] = (),
    draws: int = DRAWS,
    seed: int = 0,
    by: By | None = None,
) -> list[JudgesAgreement]:
    """The agreement of the judges on each dimension (by default all), with 95 % intervals.

    For the intervals ``draws`` resamples of topics are drawn with ``seed``. With ``by`` the topics
    of each genre, or group, are looked at by themselves: all their summaries are in one table.
    """
    parts: dict[str, list[Judgment]] = {"": list(corpus.judgments)}
    if by is not None:
        kinds = {topic.id: str(getattr(topic, by)) for topic in corpus.topics}
        if not any(kinds.values()):
            raise SummetryError(
                f"no topic of {corpus.name!r} has a {by}; topics.jsonl says it, or a column {by!r} "
                f"of the table of judgments"
            )
        parts = {kind or f"(no {by})": [] for kind in kinds.values()}
        for judgment in corpus.judgments:
            parts[kinds[judgment.topic] or f"(no {by})"].append(judgment)
    return [
        _agreement(corpus, name, [j for j in judgments if j.dimension == name], draws, seed, part)
        for name in _dimensions(corpus, dimensions)
        for part, judgments in parts.items()
    ]


def _agreement(
    corpus: Corpus, dimension: str, own: Sequence[Judgment], draws: int, seed: int, part: str
) -> JudgesAgreement:
    things, judges, topics = (
        {key: place for place, key in enumerate(dict.fromkeys(keys))}
        for keys in (
            [_compared(j) for j in own], [j.judge for j in own], [j.topic for j in own]
        )
    )  # fmt: skip
    ratings = np.full((len(judges), len(things)), np.nan)
    for judgment in own:
        place = judges[judgment.judge], things[_compared(judgment)]
        ratings[place] = corpus.mark(judgment)
    clusters = np.array([topics[topic] for topic, *_ in things])
    by_several = (~np.isnan(ratings)).sum(axis=0) > 1
    counted_ones = ratings[:, by_several]
    given = counted_ones[~np.isnan(counted_ones)]
    return JudgesAgreement(
        dimension,
        int((~np.isnan(counted_ones)).any(axis=1).sum()),
        len({thing[:2] for thing, kept in zip(things, by_several, strict=True) if kept}),
        len(given),
        len(np.unique(given)),
        ratings_agreement(ratings, clusters, draws, seed),
        part,
    )


def _compared(judgment: Judgment) -> tuple[str, str, str]:
    """What was judged: a summary, or a summary beside a reference."""
    return judgment.topic, judgment.author, judgment.reference
