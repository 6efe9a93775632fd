"""Sentences on pairs of systems, each from a table whose numbers are worked by hand."""

import math

import pytest
from rankings import compare, table_of
from scipy.stats import nct, t

from summetry.reports.verdicts import verdict_sentence, verdicts

BETTER = {"lead": [0.5] * 8, "bart": [0.75] * 8}
# Differences of 1 to 8 divided by 100: the mean is 0.045.
RISING = {"a": [0.5 + n / 100 for n in range(1, 9)], "b": [0.5] * 8}


@pytest.mark.parametrize(("systems", "metric", "value", "start"), [
    # A headline is called by its metric, another value by its own name.
    (BETTER, "ROUGE-2", "f", "bart is better than lead on ROUGE-2 by 0.250 ("),
    (BETTER, "ROUGE-2", "recall", "bart is better than lead on ROUGE-2.recall by 0.250 ("),
    # Lower may be better, and then the advantage is still positive.
    (RISING, "js_divergence", "value",
     "b is better than a on js_divergence (lower is better) by 0.045 (0.0"),
    # A value without a direction is higher.
    ({"a": [0.25] * 8, "b": [0.5] * 8}, "compression", "value",
     "b is higher than a on compression by 0.250 ("),
    # On common topics the order may be the other one: b lacks the ninth topic of a.
    ({"a": [0.5] * 8 + [9], "b": [0.75] * 8 + [None]}, "theirs", "value",
     "b is better than a on theirs by 0.250"),
    # A tiny difference is not shown as nothing.
    ({"a": [0.5 + 2**-12] * 8, "b": [0.5] * 8}, "theirs", "value",
     "a is better than b on theirs by 0.00024 (0.00024 to 0.00024, p = .008)"),
    # Nobody is ahead where means are equal.
    ({"a": [1, 2, 3, 4] * 2, "b": [2, 1, 4, 3] * 2}, "theirs", "value",
     "a and b do not differ significantly on theirs: the means differ by 0.000 ("),
])  # fmt: skip
def test_a_sentence_names_metric_direction_and_advantage(systems, metric, value, start):
    ranking = compare(
        table_of(systems, f"{metric}.{value}"), () if metric != "compression" else metric
    )
    (sentence,) = verdicts(ranking)
    assert sentence.startswith(start)


def test_a_system_is_better_and_the_worse_one_of_a_pair_may_come_first():
    """All eight differences are 0.25: two of 256 choices of signs are as far."""
    ranking = compare(table_of(BETTER))
    assert verdicts(ranking) == [
        "bart is better than lead on theirs by 0.250 (0.250 to 0.250, p = .008)"
    ]
    assert verdict_sentence(ranking, ranking.against[0]) == (
        "lead is worse than bart on theirs by 0.250 (0.250 to 0.250, p = .008)"
    )
    ranking = compare(table_of(RISING, "js_divergence.value"))
    start = "a is worse than b on js_divergence (lower is better) by 0.045 (0.0"
    assert verdict_sentence(ranking, ranking.against[0]).startswith(start)


def smallest(topics, deviation, alpha, power=0.8):
    """The difference that a paired t-test sees with a probability, by scipy's noncentral t."""
    low, high = 0.0, 0.2
    for _ in range(80):
        middle = (low + high) / 2
        shift = math.sqrt(topics) * middle / deviation
        limit = t.ppf(1 - alpha / 2, topics - 1)
        seen = nct.sf(limit, topics - 1, shift) + nct.cdf(-limit, topics - 1, shift)
        low, high = (low, middle) if seen >= power else (middle, high)
    return high


@pytest.mark.parametrize("others", [(), ("c",)])
def test_systems_that_do_not_differ_and_what_their_topics_could_show(others):
    """Differences 0.1 and -0.08, thirty of them: mean 0.01, and 15 times 0.09² around it."""
    gaps = [0.1, -0.08] * 15
    systems = {"bart": [0.5 + gap for gap in gaps], "t5": [0.5] * 30}
    # A third one far below makes three comparisons, which share alpha.
    systems |= {name: [gap / 7 for gap in gaps] for name in others}
    (sentence,) = verdicts(compare(table_of(systems), draws=500))
    deviation = math.sqrt(30 * 0.09**2 / 29)
    could = smallest(30, deviation, 0.05 / (3 if others else 1))
    start, interval, end = sentence.partition(" (")
    assert start == "bart and t5 do not differ significantly on theirs: bart is ahead by 0.010"
    assert ("corrected p = ." in end) == bool(others) and "p = ." in end
    assert end.endswith(f"); 30 topics could show {could:.3f}") and interval


def test_where_nothing_can_be_significant_nothing_could_be_shown():
    """Of three topics the smallest p is 2/8; a note of the ranking says so."""
    ranking = compare(table_of({"a": [4, 6, 8], "b": [3, 4, 5]}))
    assert verdicts(ranking) == [
        "a and b do not differ significantly on theirs: a is ahead by 2.000 (1.000 to 3.000 by the "
        "bootstrap, p = .25); too few topics: with 3 the smallest possible p is .25"
    ]
    assert ranking.notes[0].startswith("nothing can be significant here")


@pytest.mark.parametrize(("systems", "how", "sentence"), [
    ({"a": [1, 2], "b": [1, 2]}, {}, "a and b have the same scores on theirs, 2 topics"),
    ({"a": [1, None], "b": [None, 2]}, {},
     "b and a cannot be compared on theirs: fewer than two topics in common"),
    ({"a": [1] * 4, "b": [2] * 4}, {"test": "t"},
     "b and a cannot be compared on theirs: all differences are the same"),
])  # fmt: skip
def test_pairs_without_an_answer(systems, how, sentence):
    assert verdicts(compare(table_of(systems), **how)) == [sentence]
    assert verdicts(compare(table_of({"a": [1, 2]}))) == []


def test_the_best_meets_the_next_and_a_baseline_that_was_named():
    means = {"bart": 0.75, "t5": 0.5, "lead": 0.25}
    table = table_of({name: [mean + n / 64 for n in range(12)] for name, mean in means.items()})
    # 2 of 4,096 choices of signs: times three for all pairs, times two against the baseline.
    three, two = "corrected p = .001)", "corrected p < .001)"
    next_one = "bart is better than t5 on theirs by 0.250 (0.250 to 0.250, "
    lead = f"bart is better than lead on theirs by 0.500 (0.500 to 0.500, {two}"
    assert verdicts(compare(table)) == [next_one + three]
    assert verdicts(compare(table, baseline="lead")) == [next_one + three, lead]
    assert verdicts(compare(table, baseline="t5")) == [next_one + two]
    assert verdicts(compare(table, correction="none")) == [f"{next_one}p < .001)"]


def test_an_interval_without_0_is_said_to_be_before_correction_where_the_test_says_unclear():
    """Of 32 choices of signs two are as far as 5 equal ones: p = .0625, corrected for 3 pairs."""
    systems = {"a": [3.0, 3.1, 3.2, 3.3, 3.4], "b": [2.0] * 5, "c": [1.0] * 5}
    (sentence,) = verdicts(compare(table_of(systems)))
    start = "a and b do not differ significantly on theirs: a is ahead by 1.200 (1."
    assert sentence.startswith(start)
    assert " before correction, corrected p = .19)" in sentence
    assert sentence.endswith("; too few topics: with 5 the smallest possible corrected p is .19")
    (alone,) = verdicts(compare(table_of({name: systems[name] for name in "ab"})))
    assert "before correction" not in alone and " by the bootstrap, p = .062)" in alone


@pytest.mark.parametrize(
    ("metric", "words"), [("theirs", "b is ahead"), ("js_divergence", "a is ahead")]
)
def test_the_system_that_is_ahead_is_named_by_the_topics_that_both_have(metric, words):
    """a has a topic of its own, 9, which b lacks; on the three others b has 1 more."""
    (sentence,) = verdicts(
        compare(table_of({"a": [1, 2, 3, 9], "b": [2, 3, 4, None]}, f"{metric}.value"))
    )
    assert f": {words} by 1.000 (1.000 to 1.000 by the bootstrap, p = .25)" in sentence


def test_too_few_draws_are_a_reason_as_well():
    """Ten draws and the seen one: the smallest p is 1/11."""
    systems = {"a": [n + 1 for n in range(30)], "b": [n + (n % 3 - 1) / 2 for n in range(30)]}
    (sentence,) = verdicts(compare(table_of(systems), draws=10))
    assert sentence.endswith("; too few permutations: with 10 the smallest possible p is .091")
