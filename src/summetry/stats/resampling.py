"""Bootstrap intervals of a coefficient: what other systems, topics or judges would have given.

Each resample takes as many systems (or topics, or judges) as there are, with replacement, and the
coefficient is counted again. The interval is between two percentiles of the resamples.

    over      what it says
    systems   other systems, the same topics
    topics    the same systems, other topics
    both      other systems and other topics; the widest of the three, and the one to report
    judges    the same systems and topics, other judges
    all       all of them are others

Draws without a coefficient are left out and counted. In a draw, a system (or topic) without a
cell is left out of the coefficient, and a cell without a drawn judge is missing.

Source: Deutsch, Dror and Roth (2021); resampling by judge after Steen and Markert (2021).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from summetry.arguments import check_confidence
from summetry.arrays.threads import one_thread
from summetry.arrays.types import Floats, Ints
from summetry.errors import SummetryError, must_be_known
from summetry.stats.concordance import divided
from summetry.stats.levels import Level, at_level, at_level_many, check_names, correlate, same_cells
from summetry.stats.significance import DRAWS
from summetry.stats.weighted import Coefficient

Over = Literal["systems", "topics", "both", "judges", "all"]
# The ways to draw that draw judges.
BY_JUDGE = ("judges", "all")

# Numbers of one array of a step: small enough for the processor's cache.
STEP = 1 << 17
# Coefficients of resamples that are held at once.
HELD = 1 << 23
# Choices of judges are few if each is drawn so often.
FEW_WAYS = 4


class Interval(NamedTuple):
    """A value and an interval around it, and what it was made of."""

    value: float
    low: float
    high: float
    confidence: float
    # Draws with a value, and those left out because they have none.
    draws: int
    undefined: int
    seed: int
    reason: str = ""


class Resamples(NamedTuple):
    """How often each system, topic and judge was drawn, one column per resample; None: once."""

    systems: Floats | None = None
    topics: Floats | None = None
    judges: Floats | None = None

    @property
    def draws(self) -> int:
        return max(int(drawn.shape[1]) for drawn in self if drawn is not None)

    def steps(self, size: int) -> Iterator[Resamples]:
        """The same draws, ``size`` of them at a time."""
        for start in range(0, self.draws, size):
            yield Resamples(
                *(drawn if drawn is None else drawn[:, start : start + size] for drawn in self)
            )


def bootstrap(
    x: ArrayLike,
    z: ArrayLike,
    level: Level,
    coefficient: Coefficient,
    over: Over = "both",
    *,
    draws: int = DRAWS,
    confidence: float = 0.95,
    seed: int = 0,
) -> Interval:
    """The coefficient of two tables and its interval.

    To draw judges, ``z`` has a table for each of them: judges x systems x topics.
    """
    check_names(level, coefficient)
    check_confidence(confidence)
    a, b = with_judges(x, z, over)
    drawn = draw(over, b.shape, draws, seed)
    whole = correlate(a, mean_of_judges(b), level, coefficient)
    low, high, kept = percentiles(redrawn(a, b, level, coefficient, drawn), confidence)
    reason = whole.reason or ("" if kept else "no draw has a coefficient")
    return Interval(whole.value, low, high, confidence, kept, draws - kept, seed, reason)


def bootstrap_many(
    tables: Sequence[ArrayLike],
    people: Sequence[ArrayLike],
    level: Level,
    coefficient: Coefficient,
    over: Over = "both",
    *,
    draws: int = DRAWS,
    confidence: float = 0.95,
    seed: int = 0,
) -> list[list[tuple[float, float, int]]]:
    """For each of ``people``: both ends of the interval of each table, and how many draws it has.

    They are those of :func:`bootstrap`, all by the same draws.
    """
    check_names(level, coefficient)
    check_confidence(confidence)
    ends = [[(np.nan, np.nan, 0)] * len(tables) for _ in people]
    pairs = [[with_judges(x, z, over) for x in tables] for z in people]
    for group, places in _with_same_cells(pairs):
        # Where judges are drawn, each has its own.
        step = 1 if over in BY_JUDGE else max(HELD // (len(places) * draws), 1)
        for several in (group[at : at + step] for at in range(0, len(group), step)):
            own = [pairs[several[0]][place][0] for place in places]
            marks = [pairs[who][places[0]][1] for who in several]
            drawn = draw(over, marks[0].shape, draws, seed)
            if drawn.judges is None:
                means = np.array([mean_of_judges(z) for z in marks])
                values = _redrawn_many(np.array(own), means, level, coefficient, drawn)
            else:
                each = [redrawn(x, marks[0], level, coefficient, drawn) for x in own]
                values = np.array([each])
            for who, rows in zip(several, values, strict=True):
                for place, row in zip(places, rows, strict=True):
                    ends[who][place] = percentiles(row, confidence)
    return ends


def _with_same_cells(
    pairs: Sequence[Sequence[tuple[Floats, Floats]]],
) -> Iterator[tuple[list[int], tuple[int, ...]]]:
    """Which people, and which tables of theirs, have the same cells, all with all."""
    groups: dict[tuple[bytes, tuple[int, ...]], list[int]] = {}
    for who, own in enumerate(pairs):
        by_cells: dict[bytes, list[int]] = {}
        for place, (x, _) in enumerate(own):
            by_cells.setdefault(np.isnan(x).tobytes(), []).append(place)
        for cells, places in by_cells.items():
            groups.setdefault((cells, tuple(places)), []).append(who)
    yield from ((group, places) for (_, places), group in groups.items())


def _redrawn_many(
    tables: Floats, people: Floats, level: Level, coefficient: Coefficient, drawn: Resamples
) -> Floats:
    """People x tables x draws: the coefficient of each draw of systems and topics."""
    size = _points(tables[0], level, drawn)
    # Of Pearson all tables are held at once; longer arrays are worth what leaves the cache.
    share = {"system": 4, "global": len(tables)}.get(level, 16)
    many = max(len(tables) // share, 1) if coefficient == "pearson" else 1
    values, shape = [], (len(people), len(tables))
    with one_thread():
        for part in drawn.steps(at_once(size * many)):
            own = at_level_many(tables, people, level, coefficient, part.systems, part.topics)
            values.append(np.broadcast_to(own, (*shape, part.draws)))
    return np.concatenate(values, axis=2)


def draw(over: Over, shape: tuple[int, ...], draws: int, seed: int) -> Resamples:
    """How often each is drawn; ``shape`` is (judges, systems, topics)."""
    must_be_known("way of drawing", over, get_args(Over))
    if draws < 1:
        raise SummetryError(f"a bootstrap needs 1 draw or more, got {draws}")
    if 0 in shape:
        raise SummetryError(f"a bootstrap needs scores, got a table of {shape[-2]} x {shape[-1]}")
    rng = np.random.default_rng(seed)
    judges, systems, topics = shape

    def drawn(size: int, *names: Over) -> Floats | None:
        return times_drawn(rng.integers(0, size, (draws, size)), size) if over in names else None

    return Resamples(
        drawn(systems, "systems", "both", "all"),
        drawn(topics, "topics", "both", "all"),
        drawn(judges, "judges", "all"),
    )


def times_drawn(places: Ints, size: int) -> Floats:
    """How often each of ``size`` things was drawn, from a row of places for each draw.

    >>> times_drawn(np.array([[0, 0, 2]]), 3).tolist()
    [[2.0], [0.0], [1.0]]
    """
    draws = len(places)
    keys = places + size * np.arange(draws)[:, None]
    counts = np.bincount(keys.ravel(), minlength=draws * size).reshape(draws, size)
    return np.ascontiguousarray(counts.T, dtype=np.float64)


def redrawn(
    x: Floats, z: Floats, level: Level, coefficient: Coefficient, drawn: Resamples
) -> Floats:
    """The coefficient of each draw; ``z`` has an axis of judges in front."""
    if drawn.judges is not None:
        choices, which = np.unique(drawn.judges, axis=1, return_inverse=True)
        # Few judges give few choices, and resamples with the same judges have the same scores.
        if choices.shape[1] * FEW_WAYS <= drawn.draws:
            return _by_choice(x, z, level, coefficient, drawn, choices, which.ravel())
    one = mean_of_judges(z)
    values = []
    with one_thread():
        # Some draws at a time, so that they stay in the cache.
        for part in drawn.steps(at_once(_points(x, level, drawn))):
            human = one if part.judges is None else _judged(z, part.judges)
            own = at_level(x, human, level, coefficient, part.systems, part.topics)
            # A part that needs no weights of its own gives one value for all its draws.
            values.append(np.broadcast_to(own, (part.draws,)))
    return np.concatenate(values)


def _by_choice(
    x: Floats,
    z: Floats,
    level: Level,
    coefficient: Coefficient,
    drawn: Resamples,
    choices: Floats,
    which: Ints,
) -> Floats:
    """All draws of one choice of judges after the other; ``which`` choice each draw has."""
    values = np.empty(drawn.draws)
    for number, choice in enumerate(choices.T):
        human = _judged(z, choice[:, None])[:, :, 0]
        # A cell that no drawn judge has is missing from both.
        own = np.where(np.isnan(human), np.nan, x)
        mine = which == number
        part = Resamples(*(of if of is None else of[:, mine] for of in drawn[:2]))
        if part.systems is None and part.topics is None:
            values[mine] = at_level(own, human, level, coefficient)[0]
        else:
            values[mine] = redrawn(own, human[None], level, coefficient, part)
    return values


def at_once(size: int) -> int:
    """How many draws are made at a time, if each holds so many numbers."""
    return max(STEP // max(size, 1), 16)


def _points(x: Floats, level: Level, drawn: Resamples) -> int:
    """How many numbers a draw holds at once."""
    if drawn.judges is not None or level == "global":
        return int(x.size)
    return int(x.shape[1] if level == "per_system" else x.shape[0])


def percentiles(values: Floats, confidence: float) -> tuple[float, float, int]:
    """Both ends of the interval, and how many draws it is of."""
    kept = values[~np.isnan(values)]
    if not len(kept):
        return np.nan, np.nan, 0
    tail = (1 - confidence) / 2
    low, high = np.percentile(kept, [100 * tail, 100 * (1 - tail)]).tolist()
    return low, high, len(kept)


def with_judges(x: ArrayLike, z: ArrayLike, over: Over) -> tuple[Floats, Floats]:
    """Both tables with the same cells missing; the second with an axis of judges in front."""
    human = np.asarray(z, np.float64)
    if human.ndim == 3 and len(human):
        tables = [np.asarray(table) for table in human]
    elif over in BY_JUDGE:
        raise SummetryError(
            f"drawing judges needs a table for each judge (judges x systems x topics), "
            f"got {human.ndim} dimensions"
        )
    else:
        tables = [human]
    for table in tables:
        same_cells(x, table)
    scores = np.asarray(x, np.float64)
    # A cell that the metric lacks is missing from every judge, and one without a judge from it.
    judged = np.where(np.isnan(scores), np.nan, np.stack(tables))
    return np.where(np.isnan(judged).all(axis=0), np.nan, scores), judged


def mean_of_judges(z: Floats) -> Floats:
    """The mean over the judges who gave a cell a score."""
    return _judged(z, np.ones((len(z), 1)))[:, :, 0]


def _judged(z: Floats, weights: Floats) -> Floats:
    """Systems x topics x draws: the mean over the drawn judges."""
    present = ~np.isnan(z)
    above = np.tensordot(np.where(present, z, 0.0), weights, axes=(0, 0))
    below = np.tensordot(present.astype(np.float64), weights, axes=(0, 0))
    return divided(above, below)
