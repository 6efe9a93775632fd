"""Metrics of chosen units: co-selection, relative utility, rank correlation, compression.

By hand, against oracles that make every extract or count unit by unit, by properties, at the edges.
"""

import math
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from comparisons import assert_values, compare, one, worked_by_hand
from hypothesis import given
from hypothesis import strategies as st

from summetry import spec
from summetry.errors import SummetryError
from summetry.metrics import METRICS
from summetry.metrics.coselection import coselection
from summetry.metrics.normalised_relative_utility import (
    normalised_relative_utility,
)
from summetry.metrics.rank_correlation import places_by, places_in, rank_correlation
from summetry.metrics.relative_utility import relative_utility
from summetry.records.batches import Batch
from summetry.records.pyramids import PeerScu, Pyramid, Scu
from summetry.stats.correlation import kendall_tau_b, spearman

extracts = st.frozensets(st.integers(0, 12), max_size=8)


def judges(least, most):
    """The utilities of some judges for one to six units."""
    worth = st.integers(0, 9)
    return st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(worth, min_size=n, max_size=n), min_size=least, max_size=most)
    )


# Co-selection


@given(extracts, extracts, st.sampled_from([0.5, 1.0, 2.0]))
def test_co_selection_counts_units_and_swapping_the_extracts_swaps_precision_and_recall(a, b, beta):
    result, turned = coselection(a, b, beta), coselection(b, a, 1 / beta)
    hits = sum(unit in a and unit in b for unit in range(13))
    assert result.recall == pytest.approx(hits / len(b) if b else math.nan, nan_ok=True)
    p, r = result.precision, result.recall
    if a and b:
        assert (p, r) == (turned.recall, turned.precision) and result.f == pytest.approx(turned.f)
        # The printed formula, wherever that is defined.
        if p + r > 0:
            assert result.f == pytest.approx((beta**2 + 1) * p * r / (beta**2 * p + r))


def test_a_beta_above_one_favours_recall_and_a_unit_listed_twice_counts_once():
    # P = .9, R = .3: the paper's sentence says the opposite, its formula says this.
    system, ideal = range(10), [*range(9), *range(20, 41)]
    assert coselection(system, ideal, 2).f < coselection(system, ideal, 1).f
    # The largest beta that is not refused.
    assert coselection([1], [1, 2], 1e100).f == 0.5
    # A unit listed twice counts once, and units of one word weigh as units do.
    assert coselection([1, 1, 2], [1]) == coselection([1, 2], [1])
    assert coselection([0, 1], [1, 2], weights=[1, 1, 1]) == coselection([0, 1], [1, 2])
    utilities = [[3, 1, 0], [2, 1, 0]]
    once, twice = (normalised_relative_utility(utilities, x) for x in ([0, 1], [0, 1, 0]))
    assert once == twice
    assert places_in([1, 0, 1], 3) == places_in([1, 0], 3)
    reference = places_in([0, 1, 2], 3)
    assert rank_correlation([1, 0, 1], reference) == rank_correlation([1, 0], reference)


TEXTS = ("One.", "Two words.", "Three words here.", "And four words now.", "!")


def compare_units(units, *informants):
    source = {"language": "en", "source": " ".join(TEXTS), "units": TEXTS}
    return compare(units, extracts=informants, **source)


chosen_texts = st.frozensets(st.integers(0, 4))


@given(chosen_texts, st.lists(chosen_texts, min_size=1, max_size=3))
def test_by_words_is_counting_the_words_of_shared_units(chosen, informants):
    words = [sum(part.strip(".,!").isalpha() for part in text.split()) for text in TEXTS]
    compared = compare_units(tuple(chosen), *map(tuple, informants))
    recalls = []
    for ideal in informants:
        shared, all_of_it = (sum(words[u] for u in units) for units in (chosen & ideal, ideal))
        recalls += [shared / all_of_it] if all_of_it else []
    expected = sum(recalls) / len(recalls) if recalls else math.nan
    recall = one("coselection(weights=words)", compared)["recall"]
    assert recall == pytest.approx(expected, nan_ok=True)


MAJORITY = compare((0, 5), extracts=[(9,)], majority=(0, 1, 2))


def test_a_majority_must_be_made_and_words_are_read_only_where_they_count():
    with pytest.raises(SummetryError, match=r"against=majority expects .* `evaluate` puts"):
        one("coselection(against=majority)", compare((0,), extracts=[(0, 1)]))
    # The text is in the signature only where words are counted.
    assert METRICS.build("coselection").pipeline is None
    assert METRICS.build("coselection(weights=words)").pipeline is not None


# Relative utility


@given(judges(1, 3), st.data())
def test_the_denominator_is_the_best_of_all_subsets(utilities, data):
    count = len(utilities[0])
    system = data.draw(st.lists(st.integers(0, count - 1), unique=True))
    worth = [sum(values) for values in zip(*utilities, strict=True)]
    best = max(sum(chosen) for chosen in combinations(worth, len(system)))
    result = relative_utility(utilities, system)
    assert result.denominator == best
    if system and best:
        assert result.value == sum(worth[unit] for unit in system) / best
        assert 0 <= result.value <= 1
    everything = relative_utility(utilities, range(count)).value
    assert everything == 1 if any(map(any, utilities)) else math.isnan(everything)


def test_relative_utility_by_hand_and_its_length_in_sentences():
    # The best units have exactly 1 in whatever order, and without judges nothing has a value.
    assert 0.1 + 0.2 + 0.3 != 0.3 + 0.2 + 0.1
    assert relative_utility([[0.1, 0.2, 0.3]], [0, 1, 2]).value == 1
    assert math.isnan(relative_utility([], [0, 3]).value)
    # A length is a number of sentences.
    same = METRICS.build('relative_utility(length="3 sentences")')
    assert same == METRICS.build("relative_utility(length=3)") and same.e == 3
    assert spec.show(same) == "relative_utility(length=3)"


# Normalised relative utility


def slow(utilities, chosen):
    """The definition, with every extract of the same length made one by one."""
    units, e = range(len(utilities[0])), len(chosen)
    judges = [values for values in utilities if any(values)]

    def worth(extract, values):
        best = max(sum(values[u] for u in other) for other in combinations(units, e))
        return Fraction(sum(values[u] for u in extract), best)

    def mean(numbers):
        numbers = list(numbers)
        return sum(numbers) / len(numbers)

    def favourites(values):
        # Of all best extracts the first: combinations come in the order of their units.
        return max(combinations(units, e), key=lambda extract: sum(values[u] for u in extract))

    system = mean(worth(chosen, values) for values in judges)
    random = mean(worth(x, values) for x in combinations(units, e) for values in judges)
    own = mean(worth(favourites(judge), other) for judge, other in permutations(judges, 2))
    return system, random, own


@given(judges(2, 4), st.integers(1, 9), st.data())
def test_agrees_with_making_every_extract(utilities, factor, data):
    units = range(len(utilities[0]))
    chosen = data.draw(st.lists(st.sampled_from(units), unique=True, min_size=1))
    result = normalised_relative_utility(utilities, chosen)
    # The scale of a judge does not matter.
    scaled = [[value * factor for value in utilities[0]], *utilities[1:]]
    assert repr(normalised_relative_utility(scaled, chosen)) == repr(result)
    if sum(map(any, utilities)) < 2:
        assert math.isnan(result.judges)
        return
    system, random, own = slow(utilities, chosen)
    assert (result.system, result.random, result.judges) == tuple(map(float, (system, random, own)))
    if own > random:
        assert result.value == float((system - random) / (own - random))
    else:
        assert math.isnan(result.value)


def test_normalised_relative_utility_by_hand():
    # Best pairs are worth 9 to each judge. The first would take units 0 and 1, worth 2 + 3 to the
    # second; the second 2 and 1 (before 3, which it values alike), worth 1 + 4 to the first. By
    # chance half of all is found: 10 and 14 by two, over 9. The extract: (5 + 1) and (2 + 6) / 9.
    utilities = [[5, 4, 1, 0], [2, 3, 6, 3]]
    result = normalised_relative_utility(utilities, [0, 2])
    assert (result.judges, result.random, result.system) == (10 / 18, 12 / 18, 14 / 18)
    assert math.isnan(result.value)  # These two agree less than chance would have them.
    agreeing = [[5, 4, 1, 0], [6, 3, 3, 2]]
    # They would take units 0 and 1 both: 9 of 9. Chance: (5 + 7) / 18. The extract: (6 + 9) / 18.
    result = normalised_relative_utility(agreeing, [0, 2])
    assert result.value == (Fraction(15, 18) - Fraction(12, 18)) / (1 - Fraction(12, 18)) == 0.5
    # A random extract of nothing is as good as an empty one.
    utilities = [[3, 1, 0], [2, 1, 0]]
    assert normalised_relative_utility(utilities, []).value == 0.0
    # With a length that was asked for, nothing is worse than chance.
    result = normalised_relative_utility(utilities, [], e=1)
    assert result.value == pytest.approx(-(4 / 9 + 1 / 2) / 2 / (1 - (4 / 9 + 1 / 2) / 2))


@pytest.mark.parametrize("value", [0.1, 0.7, 1 / 3, 1e-300, 1e300])
def test_whether_judges_do_better_than_chance_is_no_matter_of_rounding(value):
    for e in (1, 2):
        equal = [[value] * 3, [2 * value] * 3]
        assert math.isnan(normalised_relative_utility(equal, range(e)).value)
    utilities = [[value, math.nextafter(value, math.inf), value]] * 2
    assert normalised_relative_utility(utilities, [1]).value == 1.0


def test_without_judges_who_do_better_than_chance_there_is_no_value_and_a_note_says_why():
    apart, alike, none = [[3, 0], [0, 3]], [[2, 2], [2, 2]], [[0, 0], [0, 0]]
    for utilities in ([], [[3, 1]], [[3, 1], [0, 0]], none, apart, alike):
        assert math.isnan(normalised_relative_utility(utilities, [0]).value)
    both = [(3, 1), (3, 1)]
    assert math.isnan(normalised_relative_utility(both, [0, 1]).value)
    batch = [compare((0,), utilities=worth) for worth in ([(3, 1)], [(3, 0), (0, 3)], both, [])]
    unread = compare(None, utilities=both)
    assert METRICS.build("normalised_relative_utility").notes(Batch([*batch, unread])) == {
        "no value without two judges who value some unit": 1,
        "no value where judges reach no more than a random extract": 1,
    }


# Rank correlation


@st.composite
def rankings(draw, least=0):
    """The number of units, and two lists of some of them."""
    n = draw(st.integers(max(least, 1), 8))
    lists = st.lists(st.integers(0, n - 1), unique=True, min_size=least)
    return n, draw(lists), draw(lists)


def scores(ranking, n):
    """The places of a ranking as numbers for a plain correlation: the last for all others."""
    return [ranking.index(unit) if unit in ranking else n for unit in range(n)]


def assert_plain(mine, reference, x, y):
    result = rank_correlation(mine, reference)
    assert result.spearman == pytest.approx(spearman(x, y), nan_ok=True)
    assert result.kendall == pytest.approx(kendall_tau_b(x, y), nan_ok=True)


@given(rankings(least=1))
def test_rank_correlation_agrees_with_the_plain_coefficients_over_all_units(drawn):
    n, mine, theirs = drawn
    assert_plain(mine, places_in(theirs, n), scores(mine, n), scores(theirs, n))
    assert_plain(mine, places_in([], n), scores(mine, n), [n] * n)
    # Which of two rankings is the reference does not matter.
    there, back = rank_correlation(mine, places_in(theirs, n)), places_in(mine, n)
    assert repr(there) == repr(rank_correlation(theirs, back))


@given(st.lists(st.integers(0, 4), min_size=1, max_size=8), st.data())
def test_rank_correlation_agrees_with_them_where_the_reference_has_ties(values, data):
    mine = data.draw(st.lists(st.integers(0, len(values) - 1), unique=True, min_size=1))
    assert_plain(mine, places_by(values), scores(mine, len(values)), [-value for value in values])


def test_rank_correlations_worked_by_hand():
    # Of four units the system names 3, the judge gives 2 0 0 2: ranks 3 3 3 1 and 1.5 3.5 3.5 1.5.
    # Less the mean rank, doubled: 1 1 1 -3 and -2 2 2 -2. Sum of products 8, of squares 12 and 16.
    # Pairs apart: 3 and 4; unit 3 agrees with 1 and 2, and with 0 it is tied.
    result = rank_correlation([3], places_by([2, 0, 0, 2]))
    assert result.spearman == pytest.approx(8 / math.sqrt(12 * 16))
    assert result.kendall == pytest.approx(2 / math.sqrt(12))
    # Nothing ranked is the worst, and without an order in the reference there is no value.
    assert rank_correlation([], places_in([1, 0], 3)) == (-1.0, -1.0)
    for reference in (places_in([], 3), places_in([0], 1), places_by([4, 4]), places_by([])):
        assert all(map(math.isnan, rank_correlation([0], reference)))
        assert all(map(math.isnan, rank_correlation([], reference)))
    # Large topics are exact.
    order = list(range(3000))
    assert rank_correlation(order, places_in(order, 3000)) == (1.0, 1.0)
    assert rank_correlation(order, places_in(order[::-1], 3000)) == (-1.0, -1.0)


# The metrics

UNITS = ("The dam broke at noon.", "Nobody was hurt.", "The town drowned.")
SOURCE = " ".join(UNITS)
SCUS = (Scu("1", "the dam broke", 3), Scu("2", "it was noon", 1))
SAID = {"candidate": (PeerScu("1"), PeerScu("1"), PeerScu("elsewhere"))}
DAM = {"language": "en", "source": SOURCE, "units": UNITS, "pyramids": (Pyramid("t", SCUS, SAID),)}
DAM |= {"extracts": [(0, 1), (0,)], "utilities": [(5, 2, 3), (5, 0, 5)]}


INFORMANTS = compare((0, 1), extracts=[(0, 1), (1, 2, 3, 4)])
ORDERED = {"units": ("A.", "B.", "C."), "references": [(0, 1, 2)]}
THREE = compare((0, 1, 2), [(0, 1, 2), (2, 1, 0), None], units=("A.", "B.", "C."))
BY_WORDS = "coselection(weights=words)"
AGAINST = "rank_correlation(against=references)"
BROKE = compare("The dam broke.", **DAM)
WORDS_AS_UNITS = {"source": SOURCE, "units": tuple(SOURCE.split()), "unit": "word"}


@worked_by_hand(
    # Several informants are averaged, or the nearest is taken; one who chose nothing is left out.
    ("coselection", INFORMANTS, {"recall": (1.0 + 0.25) / 2}),
    ("coselection(references=best)", INFORMANTS, {"recall": 1.0}),
    ("coselection", compare((0, 1), extracts=[(0,), ()]), {"f": 2 / 3}),
    # References with units can take the informants' place.
    ("coselection(against=references)", compare((0, 1), [(1,), (0, 1)]), {"precision": 0.75}),
    # The majority is one ideal; without extracts there is none, and no value.
    ("coselection(against=majority)", MAJORITY, {"recall": 1 / 3}),
    ("coselection(against=majority)", compare((0,)), {"f": math.nan}),
    # Units 0 to 3 have 1, 2, 3 and 4 words: shared are 4 of 5 chosen and of 7 wanted.
    (BY_WORDS, compare_units((0, 3), (2, 3)), {"precision": 4 / 5, "recall": 4 / 7, "f": 8 / 12}),
    ("coselection", compare_units((0, 3), (2, 3)), {"f": 0.5}),
    # "four words" of "four words" and "three words".
    ("coselection(weights=words,text=en(stop=true))", compare_units((3,), (2, 3)), {"recall": 0.5}),
    # Units without words are like no units.
    (BY_WORDS, compare_units((4,), (0,)), {"precision": 0}),
    (BY_WORDS, compare_units((0,), (4,)), {"precision": math.nan}),
    (AGAINST, THREE, {"spearman": 0, "kendall": 0}),
    ("rank_correlation(against=references,references=best)", THREE, {"kendall": 1}),
    # Each judge gives a ranking, and one without an order is left out.
    ("rank_correlation", compare((2, 1, 0), utilities=[(1, 2, 3), (5, 5, 5)], units=("A.",) * 3),
     {"spearman": 1}),
    # The order of units matters and their number too: after the first alone, two share a place.
    (AGAINST, compare((0, 1), **ORDERED), {"spearman": 1}),
    (AGAINST, compare((1, 0), **ORDERED), {"spearman": 0.5}),
    (AGAINST, compare((0,), **ORDERED), {"kendall": 2 / math.sqrt(2 * 3)}),
    ("compression", BROKE, {"value": 3 / 11}),
    ("compression(unit=sentences)", BROKE, {"value": 1 / 3}),
    ("compression(unit=characters)", BROKE, {"value": len("The dam broke.") / len(SOURCE)}),
    # Stop words out: dam broke noon | hurt | town drowned, of which dam and broke are kept.
    ("compression(text=en(stop=true))", BROKE, {"value": 2 / 6}),
    # Sentences are counted even where the units are words.
    ("compression(unit=sentences)", compare("The dam broke.", **WORDS_AS_UNITS), {"value": 1 / 3}),
    ("retention(information=votes)", compare((0,), **DAM), {"retention": 2 / 3, "omission": 1 / 3}),
    ("retention(information=utilities)", compare((0,), **DAM), {"retention": 10 / 20}),
    ("retention(information=scus)", compare((0,), **DAM), {"retention": 3 / 4, "omission": 1 / 4}),
    # the dam broke at noon nobody was hurt town drowned: 10 words, of which 3 are kept.
    ("retention", compare("The the DAM broke loudly.", **DAM), {"retention": 3 / 10}),
)  # fmt: skip
def test_values_of_the_metrics_by_hand(spelling, comparison, expected):
    assert_values(spelling, comparison, **expected)
