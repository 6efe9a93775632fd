"""Shares, ties, drops and intervals against a slow count, and by hand."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.audits.perturbations import PERTURBATIONS
from summetry.audits.perturbed import AuditTexts, Made, Pair
from summetry.metaeval.audits import audit_scores
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, Row, ScoreTable

NAN, INF = math.nan, math.inf
BY_NAME = {one.name: one for one in PERTURBATIONS}
UP, DOWN = Column("up"), Column("js_divergence", signature="js_divergence|v:0")
NEITHER = Column("compression", signature="compression|v:0")


def audited(values, perturbation="cut", columns=(UP,), draws=200):
    """An audit of summaries: of each topic pairs of a value before and after, for each column."""
    rows, data, pairs = [], [], []
    for topic, of_topic in values.items():
        for number, (before, after) in enumerate(of_topic):
            pair = Pair(topic, f"s{number}", perturbation)
            pairs.append(pair)
            for author, value in ((pair.system, before), (pair.perturbed, after)):
                rows.append(Row("no_models", topic, author, "candidate"))
                data.append([value] * len(columns))
    table = ScoreTable(tuple(rows), tuple(columns), np.array(data, np.float64))
    made = Made(BY_NAME[perturbation], len(pairs), 0, 100.0)
    return audit_scores(AuditTexts(Corpus(), tuple(pairs), (made,)), [table], draws)


def test_by_hand():
    # Worse, tie, better; worse: (2 + 1/2) / 4 = 0.625; drops 0.2, 0, -0.1, 0.3.
    values = {"t1": [(0.5, 0.3), (0.5, 0.5)], "t2": [(0.5, 0.6), (0.5, 0.2)]}
    (cell,) = audited(values).cells
    assert (cell.share.value, cell.ties, cell.texts, cell.topics) == (0.625, 0.25, 4, 2)
    assert cell.drop.value == pytest.approx(0.1, abs=1e-15)
    # Both topics twice, or each once: 0.75, 0.5 and 0.625.
    assert (cell.share.low, cell.share.high) == (0.5, 0.75)
    assert cell.is_seen is False


def test_of_a_value_of_which_lower_is_better_the_higher_is_the_worse_one():
    values = {"t1": [(0.5, 0.9)], "t2": [(0.5, 0.7)]}
    up, down = audited(values, columns=(UP, DOWN)).cells
    assert (up.share.value, down.share.value) == (0.0, 1.0)
    assert up.drop.value == pytest.approx(-0.3) and down.drop.value == pytest.approx(0.3)
    assert (up.is_seen, down.is_seen) == (False, True)


def test_a_reference_should_have_the_better_value():
    (cell,) = audited({"t1": [(0.5, 1.0)], "t2": [(0.4, 1.0)]}, "reference").cells
    assert cell.share.value == 1.0 and cell.drop.value == pytest.approx(0.55)
    assert cell.is_seen is True


def test_of_the_lead_nothing_is_expected():
    (cell,) = audited({"t1": [(0.5, 0.1)], "t2": [(0.4, 0.1)]}, "lead").cells
    assert cell.share.value == 1.0 and cell.is_seen is None


def test_values_that_differ_by_rounding_tie():
    (cell,) = audited({"t1": [(0.1 + 0.2, 0.3)], "t2": [(1e15, 1e15 + 0.125)]}).cells
    assert (cell.share.value, cell.ties, cell.drop.value) == (0.5, 1.0, 0.0)
    (cell,) = audited({"t1": [(0.3, 0.3 - 1e-6)], "t2": [(1.0, 0.5)]}).cells
    assert (cell.share.value, cell.ties) == (1.0, 0.0)


def test_pairs_without_a_value_are_left_out():
    (cell,) = audited({"t1": [(0.5, NAN), (0.5, 0.4)], "t2": [(NAN, 0.1)]}).cells
    assert (cell.texts, cell.topics, cell.share.value) == (1, 1, 1.0)


def test_infinite_values_are_counted_and_have_no_drop():
    (cell,) = audited({"t1": [(INF, 0.5), (INF, INF)], "t2": [(0.5, -INF), (0.5, 0.25)]}).cells
    assert (cell.share.value, cell.ties) == (0.875, 0.25)
    # Of the tie, 0, and of the last pair.
    assert cell.drop.value == pytest.approx(0.125)


def test_one_topic_has_no_interval_and_no_verdict():
    (cell,) = audited({"t1": [(0.5, 0.4), (0.5, 0.3)]}).cells
    assert cell.share.value == 1.0 and math.isnan(cell.share.low)
    assert cell.is_seen is None


def test_what_has_no_direction_is_left_out_with_a_note():
    audit = audited({"t1": [(0.5, 0.4)], "t2": [(0.5, 0.3)]}, columns=(NEITHER, UP))
    assert audit.columns == [UP]
    assert audit.notes == ("left out, since no direction is better: compression",)


def test_pairs_that_were_not_scored_are_left_out():
    pairs = (Pair("t1", "a", "cut"), Pair("t1", "b", "cut"))
    rows = tuple(Row("no_models", "t1", name, "candidate") for name in ("a", "a~cut", "b"))
    table = ScoreTable(rows, (UP,), np.array([[0.5], [0.4], [0.6]]))
    made = (Made(BY_NAME["cut"], 2, 0, 50.0), Made(BY_NAME["lead"], 0, 2, NAN))
    audit = audit_scores(AuditTexts(Corpus(), pairs, made), [table])
    assert [cell.texts for cell in audit.cells] == [1]
    assert audit.perturbations == [BY_NAME["cut"]]


VALUES = st.sampled_from([0.0, 0.25, 0.5, 1.0, NAN])
TABLES = st.lists(
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=4), min_size=2, max_size=5
)


@settings(max_examples=60)
@given(TABLES)
def test_the_share_is_that_of_a_slow_count(topics):
    (cell,) = audited({f"t{k}": pairs for k, pairs in enumerate(topics)}).cells
    known = [(a, b) for pairs in topics for a, b in pairs if a == a and b == b]
    assert cell.texts == len(known)
    if not known:
        assert math.isnan(cell.share.value)
        return
    points = [1.0 if b < a else 0.5 if b == a else 0.0 for a, b in known]
    assert cell.share.value == pytest.approx(sum(points) / len(points), abs=1e-12)
    assert cell.ties == pytest.approx(sum(a == b for a, b in known) / len(known), abs=1e-12)
    assert cell.drop.value == pytest.approx(sum(a - b for a, b in known) / len(known), abs=1e-12)


def test_the_interval_is_that_of_topics_drawn_one_by_one():
    """Summaries of a topic are drawn together; percentiles of as many draws of a plain loop."""
    rng = np.random.default_rng(5)
    topics = [
        [(0.5, float(v)) for v in rng.normal(0.4, 0.05, size) + rng.normal(0, 0.2)]
        for size in rng.integers(1, 6, 20)
    ]
    (cell,) = audited({f"t{k}": pairs for k, pairs in enumerate(topics)}, draws=4000).cells
    shares = []
    for _ in range(4000):
        drawn = [pair for k in rng.integers(0, 20, 20) for pair in topics[k]]
        shares.append(np.mean([(b < a) + (a == b) / 2 for a, b in drawn]))
    low, high = np.percentile(shares, [2.5, 97.5])
    # The ends of 4,000 draws spread by about 0.004 here: the density at the ends is about 0.6.
    assert (cell.share.low, cell.share.high) == pytest.approx((low, high), abs=0.025)
    # Were summaries drawn by themselves, the interval would be clearly narrower.
    pooled = [pair for pairs in topics for pair in pairs]
    alone = [
        np.mean(
            [(b < a) for a, b in (pooled[k] for k in rng.integers(0, len(pooled), len(pooled)))]
        )
        for _ in range(1000)
    ]
    assert np.ptp(np.percentile(alone, [2.5, 97.5])) < 0.8 * (cell.share.high - cell.share.low)
