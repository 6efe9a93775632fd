"""Co-selection: properties, an oracle that counts unit by unit, and what is refused."""

import math

import pytest
from comparisons import one
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.metrics.coselection import coselection
from summetry.records.batches import Comparison, Material, Side
from summetry.records.summaries import Extract

extracts = st.frozensets(st.integers(0, 12), max_size=8)


@given(extracts, extracts)
def test_swapping_the_extracts_swaps_precision_and_recall(a, b):
    if a and b:
        ab, ba = coselection(a, b), coselection(b, a)
        assert (ab.precision, ab.recall) == (ba.recall, ba.precision)
        assert ab.f == ba.f


@given(extracts, extracts, st.sampled_from([0.5, 1.0, 2.0]))
def test_f_is_the_printed_formula_wherever_that_is_defined(a, b, beta):
    result = coselection(a, b, beta)
    p, r = result.precision, result.recall
    if a and b and p + r > 0:
        assert result.f == pytest.approx((beta**2 + 1) * p * r / (beta**2 * p + r))


@given(extracts, extracts)
def test_agrees_with_counting_unit_by_unit(a, b):
    table = [(unit in a, unit in b) for unit in range(13)]
    hits = sum(x and y for x, y in table)
    result = coselection(a, b)
    assert math.isnan(result.recall) if not b else result.recall == hits / sum(y for _, y in table)


def test_a_beta_above_one_favours_recall():
    # P = .9, R = .3: the paper's sentence says the opposite, its formula says this.
    system, ideal = range(10), [*range(9), *range(20, 41)]
    assert coselection(system, ideal, 2).f < coselection(system, ideal, 1).f
    assert coselection(system, ideal, 0).f == 0.9


def test_a_unit_listed_twice_counts_once():
    assert coselection([1, 1, 2], [1]) == coselection([1, 2], [1])


def test_a_negative_beta_is_refused():
    with pytest.raises(SummetryError, match="beta must be 0 or more and finite, got"):
        METRICS.build("coselection(beta=-1)")
    with pytest.raises(SummetryError, match="finite, got inf"):
        METRICS.build("coselection(beta=inf)")


def test_a_beta_whose_square_is_no_number_is_refused():
    with pytest.raises(SummetryError, match=r"beta must be 1e\+100 or less, got 1e\+200"):
        METRICS.build("coselection(beta=1e200)")
    assert coselection([1], [1, 2], 1e100).f == 0.5


def compare(units, *informants, models=()):
    extracts = tuple(Extract("t", f"p{i}", chosen) for i, chosen in enumerate(informants))
    references = tuple(Side(f"m{i}", "", chosen) for i, chosen in enumerate(models))
    return Comparison(Material("t", extracts=extracts), Side("candidate", "", units), references)


def test_several_informants_are_averaged_or_the_nearest_is_taken():
    comparison = compare((0, 1), (0, 1), (1, 2, 3, 4))
    assert one("coselection", comparison)["recall"] == (1.0 + 0.25) / 2
    assert one("coselection(references=best)", comparison)["recall"] == 1.0


def test_an_informant_who_chose_nothing_is_left_out():
    assert one("coselection", compare((0, 1), (0,), ()))["f"] == pytest.approx(2 / 3)


def test_models_with_units_can_take_the_informants_place():
    comparison = compare((0, 1), models=((1,), (0, 1)))
    assert one("coselection(against=references)", comparison)["precision"] == 0.75


def plain_words(text):
    return sum(part.strip(".,!").isalpha() for part in text.split())


TEXTS = ("One.", "Two words.", "Three words here.", "And four words now.", "!")


def compare_texts(units, *informants):
    extracts = tuple(Extract("t", f"p{i}", chosen) for i, chosen in enumerate(informants))
    material = Material("t", "en", " ".join(TEXTS), TEXTS, extracts=extracts)
    return Comparison(material, Side("candidate", "", units))


def test_by_words_a_long_unit_weighs_more_than_a_short_one():
    # Units 0 to 3 have 1, 2, 3 and 4 words: shared are 4 of 5 chosen and of 7 wanted.
    result = one("coselection(weights=words)", compare_texts((0, 3), (2, 3)))
    assert result == {"precision": 4 / 5, "recall": 4 / 7, "f": pytest.approx(2 * 4 / 12)}
    assert one("coselection", compare_texts((0, 3), (2, 3)))["f"] == 0.5


@given(
    st.frozensets(st.integers(0, 4)),
    st.lists(st.frozensets(st.integers(0, 4)), min_size=1, max_size=3),
)
def test_by_words_is_counting_the_words_of_shared_units(chosen, informants):
    compared = compare_texts(tuple(chosen), *map(tuple, informants))
    result = one("coselection(weights=words)", compared)
    recalls = []
    for ideal in informants:
        shared, all_of_it = (sum(plain_words(TEXTS[u]) for u in s) for s in (chosen & ideal, ideal))
        recalls += [shared / all_of_it] if all_of_it else []
    if recalls:
        assert result["recall"] == pytest.approx(sum(recalls) / len(recalls))
    else:
        assert math.isnan(result["recall"])


def test_units_of_one_word_each_weigh_as_units_do():
    assert coselection([0, 1], [1, 2], weights=[1, 1, 1]) == coselection([0, 1], [1, 2])


def test_units_without_words_are_like_no_units():
    assert one("coselection(weights=words)", compare_texts((4,), (0,)))["precision"] == 0.0
    assert math.isnan(one("coselection(weights=words)", compare_texts((0,), (4,)))["precision"])


def test_stop_words_are_no_words_where_the_text_says_so():
    result = one("coselection(weights=words,text=en(stop=true))", compare_texts((3,), (2, 3)))
    assert result["recall"] == 0.5  # "four words" of "four words" and "three words".


def test_the_text_is_in_the_signature_only_where_words_are_counted():
    assert METRICS.build("coselection").pipeline is None
    assert METRICS.build("coselection(weights=words)").pipeline is not None


def test_the_majority_is_one_ideal():
    material = Material("t", extracts=(Extract("t", "p", (9,)),), majority=(0, 1, 2))
    comparison = Comparison(material, Side("candidate", "", (0, 5)))
    assert one("coselection(against=majority)", comparison)["recall"] == 1 / 3
    explained = METRICS.build("coselection(against=majority)").explain(comparison)
    assert [part.against for part in explained.parts] == ["the majority of 1"]
    assert [match.what for match in explained.parts[0].matches] == ["unit 0"]
    assert [match.what for match in explained.parts[0].missed] == ["unit 1", "unit 2"]


def test_a_majority_that_nobody_made_is_asked_for():
    with pytest.raises(SummetryError, match=r"against=majority expects .* `evaluate` puts"):
        one("coselection(against=majority)", compare((0,), (0, 1)))


def test_without_extracts_there_is_no_majority_and_no_value():
    assert math.isnan(one("coselection(against=majority)", compare((0,)))["f"])
