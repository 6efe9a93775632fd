"""ACCY, NrstACCY and n-gram precision: by hand, against the textbook table, the edges."""

import math

import network_oracle as oracle
import pytest
from comparisons import values
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.metrics.networks.accuracy import accy, ngram_precision, nrst_accy
from summetry.records.batches import Comparison, Material, Side
from summetry.records.summaries import Extract

sequences = st.lists(st.integers(0, 9), max_size=8, unique=True).map(tuple)
many = st.lists(sequences, max_size=5)
UNITS = tuple(f"Sentence {i}." for i in range(10))


def compared(candidate, extracts):
    people = tuple(Extract("t", f"p{i}", chosen) for i, chosen in enumerate(extracts))
    return Comparison(Material("t", "en", "", UNITS, extracts=people), Side("a", "", candidate))


def test_accuracy_by_hand():
    # 1 3 4 5 instead of 1 2 3 4: 2 is inserted, 5 is missing.
    assert accy([1, 2, 3, 4], [1, 3, 4, 5]) == (50.0, 2, 4)
    assert accy("abc", "xyz") == (0.0, 3, 3)
    assert accy([1, 2, 3, 4, 5], [9]) == (-400.0, 5, 1)
    assert accy([], [1, 2]) == (0.0, 2, 2)
    assert math.isnan(accy([1], []).value) and math.isnan(accy([], []).value)


def test_a_substitution_counts_one_and_not_two():
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
    mean, best, nearest, closest = (
        values(spelling, *batch)
        for spelling in (
            "accy",
            "accy(references=best)",
            "nrst_accy",
            "nrst_accy(criterion=distance)",
        )
    )
    for row, (candidate, extracts) in enumerate(pairs):
        chosen = sorted(candidate)
        people = [sorted(extract) for extract in extracts if extract]
        each = [(oracle.edits(chosen, own), len(own)) for own in people]
        percent = [100 * (length - d) / length for d, length in each]
        if not each:
            assert all(map(math.isnan, (mean[row], best[row], nearest[row], closest[row])))
            continue
        assert mean[row] == pytest.approx(sum(percent) / len(percent))
        assert best[row] == nearest[row] == max(percent)
        d, length = min(each, key=lambda pair: (pair[0], -pair[1]))
        assert closest[row] == 100 * (length - d) / length


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
    (part,) = METRICS.build("nrst_accy").explain(comparison).parts
    assert part.against == "p1"
    assert [match.what for match in part.matches] == ["unit 1: Sentence 1.", "unit 5: Sentence 5."]
    both = METRICS.build("accy").explain(comparison).parts
    assert [(p.against, p.facts["distance"]) for p in both] == [("p0", 2), ("p1", 2)]
    (part,) = METRICS.build("ngram_precision(n=2)").explain(comparison).parts
    assert [match.what for match in part.matches] == ["1 5"]


def test_n_must_be_one_or_more():
    with pytest.raises(SummetryError, match="ngram_precision: n must be 1 or more, got 0"):
        METRICS.build("ngram_precision(n=0)")
    with pytest.raises(SummetryError, match="n must be 1 or more, got -1"):
        ngram_precision([1], [[1]], -1)
