"""Cosine, unit overlap, LCS, divergences and keywords: plain oracles against the batch code."""

import math
import sys
import warnings
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from unittest import mock

import pytest
from comparisons import (
    assert_values,
    compare,
    may_be_empty,
    notes,
    one,
    score_pairs,
    worked_by_hand,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon

import summetry
from summetry.arrays.token_tables import build_table
from summetry.cli._inputs import metrics_to_run
from summetry.cli._options import MetricOptions
from summetry.engine.pairs import PairPlan
from summetry.engine.run import Run
from summetry.engine.tables import TablePlan
from summetry.errors import MissingPackageError, SummetryWarning
from summetry.metrics.cosine import cosine_of_tokens
from summetry.metrics.js_divergence import js_divergence, kl_divergence
from summetry.metrics.keywords import (
    keyword_overlap,
    tie_decides,
    top_words,
    top_words_of_texts,
)
from summetry.metrics.lcs import common_subsequence
from summetry.metrics.unit_overlap import unit_overlap
from summetry.records.batches import TextColumns
from summetry.text.pipeline import LanguagePipeline

tokens = st.lists(st.sampled_from("abcdefg"), max_size=14)
some = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=14)
pairs = st.lists(st.tuples(tokens, tokens), min_size=1, max_size=6)


def score(candidates, references, spelling, **options):
    """Without what is noted of ties at the cut, which are no matter here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SummetryWarning)
        return summetry.score(candidates, references, [spelling], **options)[spelling]


DAM = "The dam at the lake broke. The lake rose. The dam fell into the lake."
ROSE = "A lake rose in town, and the mayor left the lake."
ONCE = "The dam broke. The lake rose."
FAILED = compare("A dam fails.", source="The dams failed.", language="en")
JS = "js_divergence(delta=0,against=references{})"
KEYWORDS = "keywords(against=references,references={},text=auto)"
STOPPED = "text=en(stop=true)"


@worked_by_hand(
    # The mean and the best over references.
    ("unit_overlap", compare("a b", ["a b", "c"]), {"value": 0.5}),
    ("unit_overlap(references=best)", compare("a b", ["a b", "c"]), {"value": 1}),
    (JS.format(""), compare("a b", ["a b", "a c", "d"]), {"value": 0.5}),
    (JS.format(",references=best"), compare("a b", ["a b", "a c", "d"]), {"value": 0}),
    (KEYWORDS.format("mean"), compare("a b", ["a b", "a c"]), {"recall": 0.75}),
    (KEYWORDS.format("best"), compare("a b", ["a b", "a c"]), {"recall": 1}),
    # The source is the default of some and an option of others. Counts 1 1 and 2 1 1: 3 / root 12.
    ("js_divergence(delta=0)", compare("a b", ["a b"], source="a c"), {"value": 0.5}),
    (JS.format(""), compare("a b", ["a b"], source="a c"), {"value": 0}),
    ("cosine(against=source)", compare("rain fell", ["sun"], source="Rain and rain fell"),
     {"value": 3 / math.sqrt(12)}),
    # Binary weights forget how often a word is there.
    ("cosine(weights=binary)", compare("a a a b", ["a b b"]), {"value": 1}),
    # Stop words alone are an empty text.
    (f"js_divergence({STOPPED})", compare("the of", source="dam"), {"value": 1}),
    (f"js_divergence({STOPPED})", compare("dam", source="the"), {"value": math.nan}),
    (f"keywords({STOPPED})", compare("the and of", source="the dam"), {"recall": 0}),
    (f"keywords({STOPPED})", compare("the dam", source="the and of"), {"recall": math.nan}),
    # Two keywords each: lake (3), dam (2) and lake (2), rose (1, before "town"): 1 of 2.
    (f"keywords(n=2,{STOPPED})", compare(ROSE, source=DAM),
     {"recall": 0.5, "over_n": 0.5, "dice": 0.5, "jaccard": 1 / 3}),
    # Repeated sentences change no keyword when all are repeated.
    (f"keywords(n=3,{STOPPED})", compare(ONCE, source=" ".join([ONCE] * 5)),
     {"recall": 1, "over_n": 1, "dice": 1, "jaccard": 1}),
    # Lemmas unite the forms of a word.
    ("keywords", FAILED, {"recall": 1}),
    ("keywords(text=auto)", FAILED, {"recall": 0}),
)  # fmt: skip
def test_values_by_hand(spelling, comparison, expected):
    assert_values(spelling, comparison, **expected)


# Cosine, unit overlap and longest common subsequences


def overlap_of_bigrams(x, y):
    x, y = set(pairwise(x)), set(pairwise(y))
    return unit_overlap(x, y) if y else math.nan


@may_be_empty
@pytest.mark.parametrize(("spelling", "plain"), [
    ("unit_overlap.value", unit_overlap),
    ("unit_overlap(n=2).value", overlap_of_bigrams),
    ("cosine.value", cosine_of_tokens),
    ("lcs.length", lambda x, y: common_subsequence(x, y).length),
    ("lcs.recall", lambda x, y: common_subsequence(x, y).recall),
    ("lcs.f", lambda x, y: common_subsequence(x, y).f),
])  # fmt: skip
@given(pairs)
def test_a_batch_has_the_values_of_each_pair(spelling, plain, pairs):
    """Those of the plain functions, whose golden values are in test_golden_papers.py."""
    expected = [plain(x, y) if y else math.nan for x, y in pairs]
    assert score_pairs(pairs, spelling).tolist() == pytest.approx(expected, nan_ok=True, abs=1e-15)


def test_tf_isf_weighs_a_word_of_few_sentences_above_one_of_all():
    source = "The dam broke. The town drowned. The mayor fled."
    references = [["the town"], ["no dam"], ["broke dam"]]
    scores = summetry.score(
        ["the dam"] * 3, references, ["cosine(weights=tf_isf)", "cosine"], sources=[source] * 3
    )
    weighted, plain = scores["cosine(weights=tf_isf)"]["value"], scores["cosine"]["value"]
    assert plain[0] == plain[1] == plain[2]
    # "the" is in 3 of 3 sentences, "dam", "broke" and "town" in 1 of them, "no" in none.
    the, dam, no = math.log(4 / 4) + 1, math.log(4 / 2) + 1, math.log(4 / 1) + 1
    length = math.sqrt(the**2 + dam**2)
    assert weighted[0] == pytest.approx(the**2 / length**2)
    assert weighted[1] == pytest.approx(dam**2 / length / math.sqrt(no**2 + dam**2))
    assert weighted[2] == pytest.approx(dam**2 / length / math.sqrt(2 * dam**2))
    assert weighted[0] < weighted[1] < weighted[2]


# Divergences

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
@given(pairs, deltas)
def test_js_and_kl_of_a_batch_are_those_of_each_pair(pairs, delta):
    plain = score_pairs(pairs, "js_divergence(delta=0,against=references)")["value"]
    assert plain.tolist() == close([slow_js(x, y) for x, y in pairs])
    assert plain.tolist() == close([js_divergence(x, y) for x, y in pairs])
    js = score_pairs(pairs, f"js_divergence(delta={delta},against=references)")["value"]
    assert js.tolist() == close([slow_js(x, y, delta) for x, y in pairs])
    kl = score_pairs(pairs, f"kl_divergence(delta={delta},against=references)")
    expected = [slow_kl(x, y, delta) for x, y in pairs]
    assert kl["missed"].tolist() == close([missed for missed, _ in expected])
    assert kl["added"].tolist() == close([added for _, added in expected])
    assert [kl_divergence(x, y, delta) for x, y in pairs] == [close(w) for w in expected]


@given(some, some, st.sampled_from([0.0, 0.0005, 1.0]))
def test_what_holds_for_js(x, y, delta):
    assert js_divergence(x, x, delta) == 0.0
    # Texts without a common word are exactly one apart, and much smoothing brings all to 0.
    assert js_divergence([f"other {word}" for word in x], y) == 1.0
    assert js_divergence(x, y, 1e6) < 1e-6
    # It is the square of scipy's distance, whose root of a number near 0 keeps half of the digits.
    assert js_divergence(x, x * 2) == 0.0
    p, q = ([text.count(word) / len(text) for word in sorted({*x, *y})] for text in (x, y))
    assert js_divergence(x, y) == pytest.approx(jensenshannon(p, q, base=2) ** 2, abs=1e-12)


def test_divergences_by_hand_and_at_their_bounds():
    """p = (1/2, 1/2, 0), q = (1/4, 1/4, 1/2), and (3/8, 3/8, 1/4) halfway between them.

    D(P||A) = log2 4/3 = 0.415037, D(Q||A) = 1/2 log2 2/3 + 1/2 log2 2 = 0.207519.
    """
    scores = js_divergence(["a", "b", "c", "c"], ["a", "b"])
    assert scores == pytest.approx((0.415037 + 0.207519) / 2, abs=1e-6)
    # With the paper's number of outcomes the shares of the source would add up to 6.
    strange = [str(number) for number in range(10_000)]
    assert js_divergence(strange, ["a"], 0.0005) <= 1.0
    assert js_divergence(strange, ["a"]) == 1.0
    assert math.isnan(one("js_divergence", compare("a b"))["value"])  # Without any source.
    # The most smoothing makes all words as probable; the least leaves shares as they are.
    pair = compare("a d", source="a b c")
    assert one("js_divergence(delta=1e100)", pair) == {"value": 0}
    assert one("kl_divergence(delta=1e100)", pair) == {"missed": 0, "added": 0}
    # One word of three in common, with 1/3 here and 1/2 there.
    js = one("js_divergence(delta=1e-100)", pair)["value"]
    assert js == pytest.approx(1 - (math.log2(5 / 2) / 3 + math.log2(5 / 3) / 2) / 2)
    missed = math.log2(2 / 3) / 3 + 2 / 3 * (math.log2(1 / 3) + 1 + 100 * math.log2(10))
    assert one("kl_divergence(delta=1e-100)", pair)["missed"] == pytest.approx(missed)


# Keywords

sizes = st.integers(1, 8)


def slow_top(words, n):
    """The most frequent words; of equal ones the earliest."""
    return sorted(set(words), key=lambda word: (-words.count(word), words.index(word)))[:n]


@given(st.lists(tokens, max_size=5), sizes)
def test_keywords_are_the_most_frequent_words_and_of_equal_ones_the_earliest(texts, n):
    table = build_table([" ".join(words) for words in texts], lambda ps: [[p] for p in ps])
    found = top_words_of_texts(table, n)
    for row, words in enumerate(texts):
        chosen, counts = slow_top(words, n), Counter(words)
        assert list(top_words(words, n)) == chosen
        ids = found.bags.ids[found.bags.offsets[row] : found.bags.offsets[row + 1]]
        assert {table.words[i] for i in ids} == set(chosen)
        # A tie decides when a word left out is as frequent as a keyword.
        out = [word for word in counts if word not in chosen]
        tied = any(counts[word] == counts[other] for word in chosen for other in out)
        assert tie_decides(words, n) == found.tied[row] == tied


@given(pairs, sizes)
def test_keywords_of_a_batch_have_the_values_of_each_pair(pairs, n):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SummetryWarning)
        found = score_pairs(pairs, f"keywords(n={n},against=references,text=auto)")
    assert tuple(found) == ("recall", "over_n", "dice", "jaccard")
    for name, numbers in found.items():
        plain = [getattr(keyword_overlap(x, y, n), name) if y else math.nan for x, y in pairs]
        assert numbers.tolist() == pytest.approx(plain, nan_ok=True, abs=1e-15)


def test_a_tie_at_the_cut_is_noted(tmp_path):
    texts = [("a a b", "a a b b"), ("a b c", "a b"), ("a b", "a b c"), ("a b c", "a b c")]
    batch = [compare(candidate, source=source) for candidate, source in texts]
    what = "words of equal frequency at rank 2; the earlier ones are the keywords"
    assert notes("keywords(n=2,text=auto)", *batch) == {what: 3}
    assert notes("keywords(n=2,text=auto)", batch[0]) == {}
    table = tmp_path / "t.jsonl"
    table.write_text('{"candidate": "a b", "source": "a b c"}\n')
    run = Run(TablePlan(table), ["keywords(n=2,text=auto)"])
    assert run.table().notes == (f"keywords(n=2,text=auto): {what} (1 comparison)",)


def test_without_lemmas_the_package_is_named_or_a_run_of_all_metrics_goes_on(capsys):
    pipeline = LanguagePipeline(stop=True, lemma=True)
    absent = mock.patch.dict(sys.modules, {"simplemma": None})
    with absent, pytest.raises(MissingPackageError, match=r"pip install simplemma"):
        pipeline.locate("Unheard-of words.", "en")
    columns = TextColumns(["ภาษาไทย"], [[]], ["ภาษาไทย"], "th")
    requested = metrics_to_run(MetricOptions(), PairPlan(columns), everything=True)
    names = [one.name for one in requested]
    assert "keywords" not in names and "js_divergence" in names
    message = capsys.readouterr().err
    assert message.startswith("note: left out keywords: there are no lemmas for the language 'th'")
