"""ACCY, NrstACCY and n-gram precision; alignments of a text to its source: oracles, the edges."""

import math
from itertools import combinations

import network_oracle as oracle
import pytest
from comparisons import compare, explained, values
from hypothesis import given
from hypothesis import strategies as st

from summetry.arrays.sequences import lcs_length
from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.metrics.networks import alignment
from summetry.metrics.networks.accuracy import accy, ngram_precision, nrst_accy
from summetry.metrics.networks.alignment import leftmost_alignment

sequences = st.lists(st.integers(0, 9), max_size=8, unique=True).map(tuple)
many = st.lists(sequences, max_size=5)


def compared(candidate, extracts):
    units = tuple(f"Sentence {i}." for i in range(10))
    return compare(candidate, (), extracts, language="en", source="", units=units)


def test_accuracy_by_hand():
    # 1 3 4 5 instead of 1 2 3 4: 2 is inserted, 5 is missing.
    assert accy([1, 2, 3, 4], [1, 3, 4, 5]) == (50.0, 2, 4)
    assert accy("abc", "xyz") == (0.0, 3, 3)
    assert accy([1, 2, 3, 4, 5], [9]) == (-400.0, 5, 1)
    assert accy([], [1, 2]) == (0.0, 2, 2)
    assert math.isnan(accy([1], []).value) and math.isnan(accy([], []).value)
    # Weights that make a substitution dearer find four edits here, and another accuracy.
    assert accy("abc", "cde").distance == 3


def test_most_similar_by_accuracy_and_by_distance():
    references = [[4], [1, 2, 3, 4, 5, 6, 7, 8]]
    # Three edits from the short one, four from the long one.
    assert nrst_accy([1, 2, 3, 4], references) == (50.0, 4, 8)
    assert nrst_accy([1, 2, 3, 4], references, "distance") == (-200.0, 3, 1)
    # Of equally many edits the longest counts: 3 - 1 of 3, not 1 - 1 of 1.
    assert nrst_accy([1, 2], [[1], [1, 2, 3], [2]], "distance") == (100 * 2 / 3, 1, 3)
    assert math.isnan(nrst_accy([1], [[]]).value)
    assert nrst_accy([1], [[], [1]]).value == 100.0


def test_ngrams_by_hand():
    references = [[2, 3, 4], [1, 6, 7]]
    assert [ngram_precision([2, 3, 6, 7], references, n) for n in (1, 2, 3)] == [1.0, 2 / 3, 0.0]
    assert math.isnan(ngram_precision([2, 3], references, 3))
    assert ngram_precision([], references, 3) == 0.0
    assert ngram_precision([2], [], 1) == 0.0


@given(sequences, many, st.integers(1, 4))
def test_ngrams_one_by_one(candidate, references, n):
    grams = [candidate[i : i + n] for i in range(len(candidate) - n + 1)]
    inside = [any(g == r[i : i + n] for r in references for i in range(len(r))) for g in grams]
    result = ngram_precision(candidate, references, n)
    if candidate and not grams:
        assert math.isnan(result)
    else:
        assert result == (sum(inside) / len(grams) if grams else 0.0)


@given(st.lists(st.tuples(sequences, many), min_size=1, max_size=4))
def test_the_metrics_give_what_the_textbook_gives(pairs):
    batch = [compared(candidate, extracts) for candidate, extracts in pairs]
    spellings = ("accy", "accy(references=best)", "nrst_accy", "nrst_accy(criterion=distance)")
    rows = zip(*(values(spelling, *batch) for spelling in spellings), strict=True)
    for (mean, best, nearest, closest), (candidate, extracts) in zip(rows, pairs, strict=True):
        people = [sorted(extract) for extract in extracts if extract]
        each = [(oracle.edits(sorted(candidate), own), len(own)) for own in people]
        percent = [100 * (length - d) / length for d, length in each]
        if not each:
            assert all(map(math.isnan, (mean, best, nearest, closest)))
            continue
        assert mean == pytest.approx(sum(percent) / len(percent))
        assert best == nearest == max(percent)
        d, length = min(each, key=lambda pair: (pair[0], -pair[1]))
        assert closest == 100 * (length - d) / length


@given(sequences, many, st.integers(1, 3), st.sampled_from(["accuracy", "distance"]))
def test_the_metrics_give_what_the_functions_give(candidate, extracts, n, criterion):
    chosen, people = sorted(candidate), [sorted(extract) for extract in extracts if extract]
    (result,) = values(f"nrst_accy(criterion={criterion})", compared(candidate, extracts))
    assert repr(result) == repr(nrst_accy(chosen, people, criterion).value)
    (result,) = values(f"ngram_precision(n={n})", compared(candidate, extracts))
    expected = ngram_precision(chosen, people, n) if people else math.nan
    assert repr(result) == repr(expected)


def test_the_explanation_names_the_nearest_and_the_shared_units():
    comparison = compared((0, 1, 5), [(0, 9), (1, 5, 7)])
    part = explained("nrst_accy", comparison)
    assert part.against == "p1"
    assert [match.what for match in part.matches] == ["unit 1: Sentence 1.", "unit 5: Sentence 5."]
    both = METRICS.build("accy").explain(comparison).parts
    assert [(p.against, p.facts["distance"]) for p in both] == [("p0", 2), ("p1", 2)]
    part = explained("ngram_precision(n=2)", comparison)
    assert [match.what for match in part.matches] == ["1 5"]


# Alignment

words = st.text("abcd", max_size=7)


def leftmost_plainly(source, text):
    """Every choice of places in the source and in the text, longest first, then by places."""
    for size in range(min(len(source), len(text)), -1, -1):
        for places in combinations(range(len(source)), size):
            for chosen in combinations(range(len(text)), size):
                if all(source[i] == text[j] for i, j in zip(places, chosen, strict=True)):
                    aligned = dict(zip(chosen, places, strict=True))
                    return [aligned.get(j) for j in range(len(text))]
    raise AssertionError("no words at all are an alignment")


@given(words, words)
def test_the_first_of_all_alignments_that_keep_the_most_words(source, text):
    assert leftmost_alignment(source, text) == leftmost_plainly(source, text)


@given(
    st.text("abcdefgh", max_size=120),
    st.text("abcdefghxyz", max_size=90),
    st.randoms(use_true_random=False),
)
def test_as_many_words_as_the_longest_common_subsequence_in_order(source, text, random):
    aligned = leftmost_alignment(source, text)
    places = [place for place in aligned if place is not None]
    assert len(places) == lcs_length(source, text)
    assert places == sorted(set(places))
    kept = [(source[p], letter) for p, letter in zip(aligned, text, strict=True) if p is not None]
    assert all(a == b for a, b in kept)
    # A part of the source is found whole.
    part = [letter for letter in source if random.random() < 0.5]
    assert None not in leftmost_alignment(source, part)


@pytest.mark.parametrize(
    ("source", "text", "places"),
    [
        # The first "in" is the leftmost, unless "bloom" must come before it.
        ("cherry in japan bloom in spring", "cherry in spring", [0, 1, 5]),
        ("cherry in japan bloom in spring", "bloom in spring", [3, 4, 5]),
        ("a b c", "c b a", [None, None, 0]),
        ("a b", "a big b", [0, None, 1]),
        ("a a a", "a a", [0, 1]),
        ("a", "a a", [0, None]),
        ("北京 欢迎 你", "你 北京", [None, 0]),
        ("", "a b", [None, None]),
        ("a b", "", []),
        ("", "", []),
    ],
)
def test_alignments_by_hand(source, text, places):
    assert leftmost_alignment(source.split(), text.split()) == places


def test_a_text_that_is_too_long_to_be_aligned_is_refused(monkeypatch):
    monkeypatch.setattr(alignment, "_MOST_BITS", 6)
    assert leftmost_alignment("abcd", "bd") == [1, 3]
    message = r"a text of 3 words is aligned to up to 2 words of a source, found 3 that it has too"
    with pytest.raises(SummetryError, match=message):
        leftmost_alignment("abcd", "bcd")
