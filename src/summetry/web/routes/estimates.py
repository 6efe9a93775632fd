"""What judges would say of all systems, from the texts that were judged so far and a metric."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from summetry.engine.run import evaluate
from summetry.errors import SummetryError
from summetry.metaeval.estimates import EstimateSettings, EstimateTable, estimate_parts
from summetry.metaeval.selection import JudgedScores, Selection, judged_parts
from summetry.records.scores import ScoreTable
from summetry.stats.estimate import Mean, Rank
from summetry.web.pages import catalogue_of, site
from summetry.web.statistics import Studied, load_study
from summetry.web.tasks import TASKS
from summetry.web.tasks.judgment import dimension_words, numbers_of, used_scales

router = APIRouter(prefix="/studies/{study_id}/estimates")

# Metrics of random numbers to compare with: enough for a whole per cent.
DRAWS = 5
# The difference that the page plans for unless the reader names one, of the length of the scale.
_TENTH = 0.1


class Progress(NamedTuple):
    """How far the judging is: texts that were drawn, those that are judged whole, summaries of
    them that nobody has judged yet, other texts that have judgments, and all texts."""

    drawn: int
    whole: int
    missing: int
    others: int
    texts: int


@dataclass(frozen=True)
class Dimension:
    """The estimates of a dimension as the page shows them."""

    title: str
    table: EstimateTable
    ends: tuple[float, float]
    difference: float

    @property
    def rows(self) -> list[tuple[str, Mean, Rank | None]]:
        """A system, its mean and its rank, best first."""
        ranks = {rank.system: rank for rank in self.table.estimate.ranks}
        return [
            (self.table.systems[mean.system], mean, ranks.get(mean.system))
            for mean in self.table.best_first()
        ]

    @property
    def more(self) -> int | None:
        """Texts to judge in addition, to see the difference in the pair in the middle."""
        return self._more(self.table.estimate.topics_needed()[0])

    @property
    def more_for_all(self) -> int | None:
        return self._more(self.table.estimate.topics_needed()[1])

    @property
    def more_alone(self) -> int | None:
        """The same without the metric."""
        return self._more(self.table.estimate.topics_needed(alone=True)[0])

    def _more(self, needed: int | None) -> int | None:
        return None if needed is None else max(0, needed - self.table.judged_topics)


@router.get("")
def show(request: Request, study_id: str) -> Response:
    studied = load_study(request, study_id)
    if studied.study.task != "judgment":
        raise HTTPException(404, "there are estimates in studies with judgments only")
    asked = request.query_params.get("difference", "").strip().replace(",", ".")
    is_number = bool(re.fullmatch(r"\d{1,6}(\.\d{1,6})?", asked, re.ASCII)) and float(asked) > 0
    dimensions: list[Dimension] = []
    problem = ""
    if studied.corpus.judgments:
        try:
            dimensions = _dimensions(studied, float(asked) if is_number else None)
        except SummetryError as error:
            # Such as fewer than three judged texts, or a metric that needs references.
            problem = str(error)
    return studied.render(
        "estimates.html",
        progress=_progress(studied),
        dimensions=dimensions,
        metric=studied.study.settings.metric,
        problem=problem,
        asked=asked,
        wrong=bool(asked) and not is_number,
    )


def _progress(studied: Studied) -> Progress:
    study, corpus = studied.study, studied.corpus
    practice = study.settings.practice
    items = {item.key for item in TASKS[study.task].items(study, corpus)}
    wanted = {key for key in items if key[0] != practice}
    left = wanted - {(one.topic, one.author) for one in corpus.judgments}
    drawn = {topic for topic, _ in wanted}
    every = {one.topic for one in corpus.summaries if one.role == "candidate"} - {practice}
    others = {one.topic for one in corpus.judgments} - drawn
    whole = drawn - {topic for topic, _ in left}
    return Progress(len(drawn), len(whole), len(left), len(others), len(every))


def _dimensions(studied: Studied, difference: float | None) -> list[Dimension]:
    corpus = studied.corpus
    scales = used_scales(studied.study, corpus)
    catalogue = catalogue_of(studied.request)
    found = []
    for part in _parts(studied):
        name = part.dimension
        scale = scales.get(name, corpus.scales.get(name, ()))
        low, high = _ends(scale, part)
        size = difference or round(_TENTH * (high - low), 2)
        known = (low, high) if scale else None
        settings = EstimateSettings(detect=size, scale=known, draws=DRAWS)
        (table,) = studied.keep(
            "estimates", partial(estimate_parts, [part], corpus, settings), name, size
        )
        lows, highs = zip(*((one.low, one.high) for one in table.estimate.means), strict=True)
        ends = (low, high) if scale else (np.nanmin([low, *lows]), np.nanmax([high, *highs]))
        found.append(Dimension(dimension_words(catalogue, name)[0], table, ends, size))
    return found


def _parts(studied: Studied) -> list[JudgedScores]:
    """The scores of all summaries, which stay as long as the texts do, with today's judgments."""
    study, corpus = studied.study, studied.corpus
    scores: ScoreTable = site(studied.request).corpora.kept.get(
        ("scores", study.id), study.changes, lambda: evaluate(corpus, study.settings.metric)
    )
    selection = Selection(metrics=(study.settings.metric,))
    parts, _ = judged_parts([scores], corpus, selection, keep_unjudged=True)
    return parts


def _ends(scale: tuple[str, ...], part: JudgedScores) -> tuple[float, float]:
    """The worst and the best mark as numbers; of an unknown scale those that were given."""
    if scale:
        numbers = list(numbers_of(scale).values())
        return (float(numbers[0]), float(numbers[-1])) if numbers else (1.0, float(len(scale)))
    low, high = (float(end(part.marks.means())) for end in (np.nanmin, np.nanmax))
    return low, high if high > low else low + 1
