"""The tests of two metrics by their correlation with people, and which one is taken by default.

Readers ask whether a metric would follow people better for other systems. What a metric gets wrong
about a system it gets wrong on all topics, so a test for other systems compares whole systems. By
default (``auto``):

    system level, Pearson     Williams' test of the systems' means
    system level, otherwise   whole systems swapped
    summary level             whole systems swapped
    global level              the jackknife, since topics shift all cells of theirs, too
    per system                whole topics swapped: there topics are the points that are compared,
                              and what a metric gets wrong about a topic it gets wrong for all
                              systems, while a shift of a system changes none of its coefficients

``experiments/metric_tests.py`` measures how often each is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from numpy.typing import ArrayLike

from summetry.stats.dependent import Blocks, MetricTests, Swap, WilliamsTests
from summetry.stats.jackknife import JackknifeTests
from summetry.stats.levels import Level
from summetry.stats.weighted import Coefficient

MetricTest = Literal["auto", "williams", "systems", "topics", "cells", "jackknife"]
PairTester: TypeAlias = MetricTests | WilliamsTests | JackknifeTests


class Procedure(NamedTuple):
    """What a test exchanges or leaves out, and what its result says of other data."""

    how: str
    scope: str
    swap: Swap | None = None


PROCEDURES: dict[MetricTest, Procedure] = {
    "williams": Procedure("Williams' test", "generalises to other systems, not to other topics"),
    "systems": Procedure(
        "whole systems swapped", "generalises to other systems, not to other topics", "systems"
    ),
    "topics": Procedure(
        "whole topics swapped", "generalises to other topics, not to other systems", "topics"
    ),
    "cells": Procedure(
        "single summaries swapped", "says nothing of other systems or topics", "cells"
    ),
    "jackknife": Procedure(
        "jackknife of systems and topics", "generalises to other systems and topics"
    ),
}
_BY_LEVEL: dict[Level, MetricTest] = {
    "system": "systems",
    "summary": "systems",
    "global": "jackknife",
    "per_system": "topics",
}


def chosen_test(test: MetricTest, level: Level, coefficient: Coefficient) -> MetricTest:
    """The test that is meant: ``auto`` depends on what is tested.

    >>> chosen_test("auto", "system", "pearson"), chosen_test("auto", "system", "tau_b")
    ('williams', 'systems')
    """
    if test != "auto":
        return test
    is_williams = level == "system" and coefficient == "pearson"
    return "williams" if is_williams else _BY_LEVEL[level]


def pair_tester(
    test: MetricTest,
    metrics: Sequence[ArrayLike],
    people: ArrayLike,
    level: Level,
    *,
    draws: int,
    seed: int,
    kept: dict[bytes, Blocks],
) -> PairTester:
    """Tests of pairs of metrics by a test that is not ``auto``."""
    swap = PROCEDURES[test].swap
    if swap:
        return MetricTests(metrics, people, level, swap, draws=draws, seed=seed, kept=kept)
    kind = WilliamsTests if test == "williams" else JackknifeTests
    return kind(metrics, people, level)
