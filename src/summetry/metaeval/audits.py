"""How often a metric gives the worse text the worse value, and by how much.

For each summary and its perturbed version the values are compared, in the direction that is better
for the metric:

    share = (pairs in which the worse text has the worse value + ties / 2) / pairs
    drop  = mean of (value of the better text - value of the worse text)

A metric that does not look at what was changed has a share of 0.5. Of a text that should be better
(a reference) the perturbed one is the better text. Values that differ by rounding only are ties.
Summaries of one topic are alike, so that whole topics are drawn with replacement for an interval;
one topic has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from summetry.arrays.types import Bools, Floats, Ints
from summetry.audits.perturbations import Perturbation
from summetry.audits.perturbed import AuditTexts, Made
from summetry.metaeval.columns import better_of, sign_of
from summetry.records.scores import Column, ScoreTable
from summetry.stats.concordance import divided
from summetry.stats.ratings import Estimate
from summetry.stats.significance import DRAWS
from summetry.stats.sums import bootstrap_sums

# Values that are nearer to each other are equal: sums in another order differ by rounding.
_RELATIVE, _ABSOLUTE = 1e-9, 1e-12
# What is added up for each topic: worse, ties, pairs, drops, and pairs with a finite drop.
_SUMS = 5


class Cell(NamedTuple):
    """What one value says of the texts of one perturbation."""

    column: Column
    perturbation: Perturbation
    texts: int
    topics: int
    # How often the worse text has the worse value, ties counted as half; how often they tie.
    share: Estimate
    ties: float
    drop: Estimate

    @property
    def is_seen(self) -> bool | None:
        """Whether the share is above one half for certain; None where nothing is expected."""
        if self.perturbation.expected == "open" or np.isnan(self.share.low):
            return None
        return bool(self.share.low > 0.5)


@dataclass(frozen=True)
class Audit:
    """All cells: metric by metric, each with the perturbations in their order."""

    cells: tuple[Cell, ...]
    made: tuple[Made, ...]
    draws: int = DRAWS
    seed: int = 0
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> list[Column]:
        return list(dict.fromkeys(cell.column for cell in self.cells))

    @property
    def perturbations(self) -> list[Perturbation]:
        """Those that have a text, in their order."""
        return [made.perturbation for made in self.made if made.texts]

    def cell(self, column: Column, perturbation: Perturbation) -> Cell | None:
        return self._cells.get((column, perturbation.name))

    @cached_property
    def _cells(self) -> dict[tuple[Column, str], Cell]:
        return {(cell.column, cell.perturbation.name): cell for cell in self.cells}


def audit_scores(
    texts: AuditTexts,
    tables: Sequence[ScoreTable],
    draws: int = DRAWS,
    seed: int = 0,
) -> Audit:
    """What the scores of the texts of an audit say, of every column that has a direction."""
    cells: list[Cell] = []
    notes = list(texts.notes)
    for table in tables:
        directed = [k for k, c in enumerate(table.columns) if better_of(c) != "neither"]
        if len(directed) < len(table.columns):
            names = [c.name for c in table.columns if better_of(c) == "neither"]
            notes.append(f"left out, since no direction is better: {', '.join(names)}")
        columns = [table.columns[k] for k in directed]
        places = {(row.topic, row.author): place for place, row in enumerate(table.rows)}
        numbers = table.data[:, directed]
        by_kind = [
            _cells(made.perturbation, texts, columns, numbers, places, draws, seed)
            for made in texts.made
        ]
        cells += [of[k] for k in range(len(columns)) for of in by_kind if of]
    return Audit(tuple(cells), texts.made, draws, seed, tuple(dict.fromkeys(notes)))


def _cells(
    perturbation: Perturbation,
    texts: AuditTexts,
    columns: Sequence[Column],
    data: Floats,
    places: dict[tuple[str, str], int],
    draws: int,
    seed: int,
) -> list[Cell]:
    """A cell for each column; none where no pair has scores."""
    pairs = [
        (pair.topic, places[pair.topic, pair.system], places[pair.topic, pair.perturbed])
        for pair in texts.pairs
        if pair.perturbation == perturbation.name
        and {(pair.topic, pair.system), (pair.topic, pair.perturbed)} <= places.keys()
    ]
    if not pairs or not columns:
        return []
    names, original, perturbed = zip(*pairs, strict=True)
    known = {name: place for place, name in enumerate(dict.fromkeys(names))}
    topics = np.array([known[name] for name in names])
    signs = np.array([sign_of(column) for column in columns])
    if perturbation.expected == "better":
        signs = -signs
    before, after = data[list(original)] * signs, data[list(perturbed)] * signs
    sums = _sums(before, after, topics)
    estimates = bootstrap_sums(
        sums.reshape(len(known), -1), lambda drawn: _values(drawn, len(columns)), draws, seed
    )
    cells = []
    for k, column in enumerate(columns):
        share, ties, drop = estimates[3 * k : 3 * k + 3]
        counted_pairs = sums[:, k, 2]
        cells.append(
            Cell(column, perturbation, int(counted_pairs.sum()), int((counted_pairs > 0).sum()),
                 share, ties.value, drop)
        )  # fmt: skip
    return cells


def _sums(before: Floats, after: Floats, topics: Ints) -> Floats:
    """Topics x columns x what is added up, of the pairs with both values."""
    defined = ~(np.isnan(before) | np.isnan(after))
    ties: Bools = defined & np.isclose(before, after, rtol=_RELATIVE, atol=_ABSOLUTE)
    worse: Bools = defined & ~ties & (before > after)
    with np.errstate(invalid="ignore"):
        drops = np.where(ties, 0.0, before - after)
    finite = defined & np.isfinite(drops)
    parts = (worse, ties, defined, np.where(finite, drops, 0.0), finite)
    sums = np.zeros((int(topics.max()) + 1, before.shape[1], _SUMS))
    for place, part in enumerate(parts):
        np.add.at(sums[:, :, place], topics, part.astype(np.float64))
    return sums


def _values(drawn: Floats, columns: int) -> list[Floats]:
    """Share, ties and drop of each column, from sums x draws."""
    sums = drawn.reshape(columns, _SUMS, -1)
    return [
        value
        for worse, ties, pairs, drops, finite in sums
        for value in (
            divided(worse + ties / 2, pairs), divided(ties, pairs), divided(drops, finite)
        )
    ]  # fmt: skip
