"""Divergences: other programs' formulas and a plain oracle against the batch code."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from comparisons import may_be_empty, one, score_pairs, values
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

import summetry
from summetry.errors import SummetryError, SummetryWarning
from summetry.metrics import METRICS
from summetry.metrics.js_divergence import js_divergence, kl_divergence
from summetry.records.batches import Comparison, Material, Side

tokens = st.lists(st.sampled_from("abcdefg"), max_size=14)
some = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=14)
pairs = st.lists(st.tuples(tokens, tokens), min_size=1, max_size=6)
deltas = st.sampled_from([0.0005, 0.005, 0.1, 1.0])


def shares(candidate, reference, delta):
    """p and q of every word of both texts, as exact fractions."""
    delta = Fraction(delta)
    words = sorted({*candidate, *reference})
    outcomes = max(Fraction(3, 2) * len({*reference}), len(words))

    def of(text):
        counts = Counter(text)
        return [(counts[w] + delta) / (len(text) + delta * outcomes) for w in words]

    return of(reference), of(candidate)


def kl_bits(p, q):
    return math.fsum(float(a) * math.log2(a / b) for a, b in zip(p, q, strict=True) if a)


def slow_js(candidate, reference, delta=0.0):
    if not reference:
        return math.nan
    if not candidate:
        return 1.0
    p, q = shares(candidate, reference, delta)
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    return (kl_bits(p, middle) + kl_bits(q, middle)) / 2


def slow_kl(candidate, reference, delta):
    if not reference:
        return math.nan, math.nan
    if not candidate:
        return math.inf, math.inf
    p, q = shares(candidate, reference, delta)
    return max(kl_bits(p, q), 0.0), max(kl_bits(q, p), 0.0)


def close(expected):
    # Sums of some fourteen terms, the largest about 10 bits.
    return pytest.approx(expected, nan_ok=True, abs=1e-13, rel=1e-13)


@may_be_empty
@settings(max_examples=100)
@given(pairs)
def test_js_of_a_batch_is_that_of_each_pair(pairs):
    scores = score_pairs(pairs, "js_divergence(delta=0,against=references)")["value"]
    assert scores.tolist() == close([slow_js(x, y) for x, y in pairs])
    assert scores.tolist() == close([js_divergence(x, y) for x, y in pairs])


@may_be_empty
@settings(max_examples=100)
@given(pairs, deltas)
def test_smoothed_js_and_kl_of_a_batch_are_those_of_each_pair(pairs, delta):
    js = score_pairs(pairs, f"js_divergence(delta={delta},against=references)")["value"]
    assert js.tolist() == close([slow_js(x, y, delta) for x, y in pairs])
    kl = score_pairs(pairs, f"kl_divergence(delta={delta},against=references)")
    expected = [slow_kl(x, y, delta) for x, y in pairs]
    assert kl["missed"].tolist() == close([missed for missed, _ in expected])
    assert kl["added"].tolist() == close([added for _, added in expected])
    assert [kl_divergence(x, y, delta) for x, y in pairs] == [close(w) for w in expected]


@given(some, some)
def test_js_is_the_square_of_scipys_distance(x, y):
    words = sorted({*x, *y})
    p, q = ([text.count(word) / len(text) for word in words] for text in (x, y))
    # scipy's root of a number near 0 keeps half of the digits.
    assert js_divergence(x, y) == pytest.approx(jensenshannon(p, q, base=2) ** 2, abs=1e-12)


@given(some, some)
def test_the_numbers_are_those_of_simetrix_in_bits(candidate, reference):
    """The program counts in natural logarithms, delta 0.005 and 1.5 times the source's types."""
    words, outcomes = sorted({*candidate, *reference}), 1.5 * len({*reference})
    if len(words) > outcomes:
        return  # There we take more outcomes, see the page.
    p, q = (
        np.array([(t.count(w) + 0.005) / (len(t) + 0.005 * outcomes) for w in words])
        for t in (reference, candidate)
    )
    nats = (p * np.log(2 * p / (p + q)) + q * np.log(2 * q / (p + q))).sum() / 2
    assert js_divergence(candidate, reference, 0.005) == pytest.approx(
        nats / math.log(2), abs=1e-12
    )
    missed, added = kl_divergence(candidate, reference, 0.005)
    assert missed == pytest.approx(max((p * np.log2(p / q)).sum(), 0), abs=1e-12)
    assert added == pytest.approx(max((q * np.log2(q / p)).sum(), 0), abs=1e-12)


@given(some, some, st.sampled_from([0.0, 0.0005, 1.0]))
def test_js_lies_between_equal_and_disjoint(x, y, delta):
    assert -1e-15 <= js_divergence(x, y, delta) <= 1 + 1e-15
    assert js_divergence(x, x, delta) == 0.0


@given(some, some)
def test_js_without_smoothing_is_symmetric_and_knows_shares_only(x, y):
    assert js_divergence(x, y) == close(js_divergence(y, x))
    assert js_divergence(x * 3, y) == close(js_divergence(x, y))
    assert js_divergence(x, x * 2) == 0.0


@given(some, some)
def test_texts_without_a_common_word_are_exactly_one_apart(x, y):
    assert js_divergence([f"other {word}" for word in x], y) == 1.0


@given(some, some)
def test_more_smoothing_brings_js_nearer_to_zero_in_the_end(x, y):
    assert js_divergence(x, y, 1e6) < 1e-6


def test_an_example_worked_by_hand():
    """p = (1/2, 1/2, 0), q = (1/4, 1/4, 1/2), and (3/8, 3/8, 1/4) halfway between them.

    D(P||A) = log2 4/3 = 0.415037, D(Q||A) = 1/2 log2 2/3 + 1/2 log2 2 = 0.207519.
    """
    scores = js_divergence(["a", "b", "c", "c"], ["a", "b"])
    assert scores == pytest.approx((0.415037 + 0.207519) / 2, abs=1e-6)


def test_many_strange_words_in_the_summary_do_not_break_the_bounds():
    """With the paper's number of outcomes the shares of the source would add up to 6."""
    strange = [str(number) for number in range(10_000)]
    assert js_divergence(strange, ["a"], 0.0005) <= 1.0
    assert js_divergence(strange, ["a"]) == 1.0


def test_the_source_is_the_default_and_references_are_an_option():
    spellings = ["js_divergence(delta=0)", "js_divergence(delta=0,against=references)"]
    scores = summetry.score("a b", ["a b"], spellings, sources="a c")
    assert [scores[s]["value"] for s in spellings] == [0.5, 0.0]


def test_the_best_reference_is_the_nearest():
    texts = ["a b", "a c", "d"]
    for over, value in (("mean", 0.5), ("best", 0.0)):
        spelling = f"js_divergence(delta=0,against=references,references={over})"
        assert summetry.score("a b", texts, [spelling])[spelling]["value"] == value


def test_an_empty_candidate_is_infinitely_far_by_kl_and_one_by_js():
    with pytest.warns(SummetryWarning, match="^the summary is empty"):
        scores = summetry.score("", [], ["js_divergence", "kl_divergence"], sources="a")
    assert scores["js_divergence"] == {"value": 1.0}
    assert scores["kl_divergence"] == {"missed": math.inf, "added": math.inf}


def test_stop_words_alone_are_an_empty_text():
    spelling = "js_divergence(text=en(stop=true))"
    assert summetry.score("the of", [], [spelling], sources="dam")[spelling]["value"] == 1.0
    assert math.isnan(summetry.score("dam", [], [spelling], sources="the")[spelling]["value"])


def test_missed_and_added_tell_what_is_lacking_from_what_is_new():
    scores = summetry.score(
        ["a b", "a b c d e f"], [], ["kl_divergence"], sources=["a b c d", "a b c d"]
    )["kl_divergence"]
    assert scores["missed"][0] > scores["missed"][1]
    assert scores["added"][0] < scores["added"][1]


def test_texts_in_scripts_of_the_world_are_not_apart_from_themselves():
    texts = ["नेपाली भाषा", "北京天气很好", "ภาษาไทย", "Ελληνικά", "مرحبا بالعالم", "🙂 dam"]
    scores = summetry.score(texts, [], ["js_divergence"], sources=texts)["js_divergence"]
    assert scores["value"].tolist() == [0.0] * len(texts)


def test_the_explanation_says_what_each_shared_word_takes_off():
    comparison = Comparison(Material("t", source="a c"), Side("p", "a b"))
    (part,) = METRICS.build("js_divergence(delta=0)").explain(comparison).parts
    assert part.facts == {"apart": 1.0, "matched": 0.5, "smoothing": 0.0}
    assert [(match.what, match.weight) for match in part.matches] == [("a", 0.5)]


def test_a_batch_without_any_source_has_no_values():
    comparison = Comparison(Material("t"), Side("p", "a b"))
    assert np.isnan(values("js_divergence", comparison, comparison)).all()


@pytest.mark.parametrize("name", ["js_divergence", "kl_divergence"])
@pytest.mark.parametrize("delta", ["-1", "inf", "1e200", "1e-320"])
def test_a_delta_that_makes_no_sense_is_refused(name, delta):
    expected = rf"{name}: delta must be 0 or from 1e-100 to 1e\+100, got "
    with pytest.raises(SummetryError, match=expected):
        METRICS.build(f"{name}(delta={delta})")


@pytest.mark.parametrize("delta", ["1e-100", "1e100"])
def test_the_least_and_the_largest_delta_give_numbers(delta):
    """The most smoothing makes all words as probable; the least leaves shares as they are."""
    pair = Comparison(Material("t", source="a b c"), Side("p", "a d"))
    js, kl = (one(f"{name}(delta={delta})", pair) for name in ("js_divergence", "kl_divergence"))
    if delta == "1e100":
        assert js["value"] == kl["missed"] == kl["added"] == 0
    else:
        # One word of three in common, with 1/3 here and 1/2 there.
        assert js["value"] == pytest.approx(1 - (math.log2(5 / 2) / 3 + math.log2(5 / 3) / 2) / 2)
        missed = math.log2(2 / 3) / 3 + 2 / 3 * (math.log2(1 / 3) + 1 + 100 * math.log2(10))
        assert kl["missed"] == pytest.approx(missed)


def test_kl_without_smoothing_is_refused():
    with pytest.raises(SummetryError, match="kl_divergence: delta must be above 0, got 0"):
        METRICS.build("kl_divergence(delta=0)")
    with pytest.raises(SummetryError, match="kl_divergence: delta must be above 0, got 0"):
        kl_divergence(["a"], ["b"], 0)
