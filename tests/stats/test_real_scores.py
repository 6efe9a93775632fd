"""REALSumm's tables of scores: what nlpstats and mt-metrics-eval say of them."""

import json

import numpy as np
import pytest

from summetry.stats.correlation import fisher_interval
from summetry.stats.dependent import williams_test
from summetry.stats.levels import correlate, level_named
from summetry.stats.pairwise import (
    calibrated_accuracy,
    pairwise_accuracy,
    soft_pairwise_accuracy,
)

NAMES = {"pearson": "pearson", "spearman": "spearman", "kendall": "tau_b"}
HUMAN = "litepyramid_recall"
# 100 x 14 numbers added up in another order.
NEAR = {"rel": 1e-10, "abs": 1e-10}


@pytest.fixture(scope="module", params=["abs", "ext"])
def part(request, real_data):
    result = json.loads((real_data("realsumm") / "statistics.json").read_text(encoding="utf-8"))
    return result[request.param]


def scores(part):
    tables = {name: np.array(rows) for name, rows in part["scores"].items()}
    return tables, tables[HUMAN]


def test_every_metric_at_every_level(part):
    tables, human = scores(part)
    checked = 0
    for metric, levels in part["nlpstats"].items():
        for level, coefficients in levels.items():
            for name, value in coefficients.items():
                result = correlate(tables[metric], human, level_named(level), NAMES[name])
                assert result.value == pytest.approx(value, **NEAR), (metric, level, name)
                assert result.missing == 0
                checked += 1
    assert checked == 72


def test_fisher_intervals_of_systems(part):
    tables, human = scores(part)
    for metric, coefficients in part["fisher95_system"].items():
        for name, ends in coefficients.items():
            result = correlate(tables[metric], human, "system", NAMES[name])
            interval = fisher_interval(result.value, result.size, NAMES[name])
            assert interval == pytest.approx(ends, rel=1e-8)


def test_williams_tests_against_rouge_2_recall(part):
    """The library takes absolute values; where a coefficient is negative, only those agree."""
    tables, human = scores(part)
    base = tables["rouge_2_recall"]
    key = "williams_system_pearson_greater_vs_rouge_2_recall"
    for metric, p in part[key].items():
        table = tables[metric]
        result = williams_test(table, base, human, alternative="greater")
        between = correlate(table, base, "system", "pearson").value
        if min(result.first, result.second, between) >= 0:
            assert result.p == pytest.approx(p, rel=1e-7)
        else:
            assert result.p != pytest.approx(p, rel=1e-3)


def test_pairwise_accuracy_and_its_calibration(part):
    tables, human = scores(part)
    for metric, expected in part["mtme"].items():
        table = tables[metric]
        result = pairwise_accuracy(table, human)
        assert result.value == pytest.approx(expected["acc23_item_eps0"], **NEAR)
        best = calibrated_accuracy(table, human)
        theirs = expected["acc23_item_tiecalibrated"], expected["epsilon"]
        at_theirs = pairwise_accuracy(table, human, epsilon=theirs[1])
        if best.value == pytest.approx(theirs[0], **NEAR):
            # They add up small steps, so that of equally good epsilons any may win; ours is the
            # smallest.
            assert best.epsilon <= theirs[1] + 1e-12
            assert at_theirs.value == pytest.approx(best.value, **NEAR)
        else:
            # Between two noisy digits of the same difference: 0.00001 is not one number for them.
            assert at_theirs.value < theirs[0] and best.value >= at_theirs.value
            assert theirs[0] - best.value < 2e-4
        right, pairs = expected["pairwise_accuracy_system_means"]
        systems = pairwise_accuracy(table, human, "system")
        assert (systems.value * pairs, systems.pairs) == pytest.approx((right, pairs))


def test_soft_pairwise_accuracy(part):
    """1000 draws there and 20,000 here, and ties by half: some thousandths."""
    tables, human = scores(part)
    for metric, expected in part["mtme"].items():
        result = soft_pairwise_accuracy(tables[metric], human, draws=20_000)
        assert result.value == pytest.approx(expected["SPA"], abs=0.01)
