"""What judges say of systems: means with intervals, and how far the judges agree."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import SummetryError
from summetry.metaeval.comparisons import compare_by
from summetry.metaeval.grids import grid_of
from summetry.metaeval.judges import JudgesAgreement, judges_agreement, judgment_scores
from summetry.metaeval.rankings import CompareSettings, PairTest, Ranking
from summetry.records.corpus import Corpus
from summetry.web.pages import catalogue_of
from summetry.web.statistics import load_study
from summetry.web.tasks.judgment import dimension_words

router = APIRouter(prefix="/studies/{study_id}/judgments")

# Enough for two digits of an interval; the command draws more.
DRAWS = 2000


@dataclass(frozen=True)
class Dimension:
    """A dimension: the systems on it, and its judges."""

    ranking: Ranking
    judges: JudgesAgreement
    scale: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.ranking.column.name

    @property
    def best(self) -> PairTest | None:
        """The best system against the next one."""
        named = [standing.system for standing in self.ranking.systems if standing.topics][:2]
        return next((p for p in self.ranking.pairs if {p.first, p.second} == set(named)), None)

    @property
    def ends(self) -> tuple[float, float]:
        """The worst and the best mark, between which means are drawn."""
        if self.scale:
            return 1, len(self.scale)
        lows = [s.low if s.low == s.low else s.mean for s in self.ranking.systems if s.topics]
        highs = [s.high if s.high == s.high else s.mean for s in self.ranking.systems if s.topics]
        low, high = min(0, *lows), max(highs)
        return low, high if high > low else low + 1


@router.get("")
def show(request: Request, study_id: str) -> Response:
    studied = load_study(request, study_id)
    corpus = studied.corpus
    dimensions: list[Dimension] = []
    problem = ""
    if corpus.judgments:
        try:
            dimensions = studied.keep("judgments", lambda: _dimensions(corpus))
        except SummetryError as error:
            # Such as judgments of references only.
            problem = str(error)
    return studied.render(
        "judgments.html",
        dimensions=dimensions,
        titles={
            one.name: dimension_words(catalogue_of(request), one.name)[0] for one in dimensions
        },
        problem=problem,
        judges=len({judgment.judge for judgment in corpus.judgments}),
        references=_judged_references(corpus),
        draws=DRAWS,
    )


def _judged_references(corpus: Corpus) -> int:
    """Summaries that were judged and are no system's: the tables of systems leave them out."""
    roles = {(summary.topic, summary.author, summary.role) for summary in corpus.summaries}
    judged = {(judgment.topic, judgment.author) for judgment in corpus.judgments}
    return sum((*one, "reference") in roles and (*one, "candidate") not in roles for one in judged)


def _dimensions(corpus: Corpus) -> list[Dimension]:
    table = judgment_scores(corpus)
    grid = grid_of(table)
    rankings = compare_by(grid, list(grid.columns), settings=CompareSettings(draws=DRAWS))
    agreed = {one.dimension: one for one in judges_agreement(corpus, draws=DRAWS)}
    return [
        Dimension(ranking, agreed[ranking.column.name], corpus.scales.get(ranking.column.name, ()))
        for ranking in rankings
    ]
