"""Coefficients of agreement: published examples, other programs, plain definitions."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from summetry.stats import agreement
from summetry.stats.agreement import cohen_kappa, count_ratings, fleiss_kappa, weighted_kappa
from summetry.stats.chance import expected_jaccard, expected_votes_agreement
from summetry.stats.ratings import ratings_agreement


def ratings_from(values, most_things=4):
    """The ratings of one to four people, a list each; None is no rating."""
    return st.integers(1, most_things).flatmap(
        lambda size: st.lists(
            st.lists(st.none() | values, min_size=size, max_size=size), min_size=1, max_size=4
        )
    )


ratings = ratings_from(st.integers(1, 3))

# Krippendorff (2011), Computing Krippendorff's alpha-reliability, section E: four observers
# and twelve units.
FOUR_OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def same(a, b):
    return a == pytest.approx(b, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(("level", "alpha"), [
    ("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797),
])  # fmt: skip
def test_alpha_of_krippendorffs_own_example(level, alpha):
    table, values = count_ratings(FOUR_OBSERVERS)
    assert agreement.krippendorff_alpha(table, values, level) == pytest.approx(alpha, abs=0.0005)
    if level == "ordinal":
        on_a_scale = ratings_agreement(as_array(FOUR_OBSERVERS), np.arange(12), draws=0)
        assert on_a_scale.alpha.value == pytest.approx(alpha, abs=0.0005)


def test_kappas_of_the_psychiatric_example_and_by_hand():
    """Fleiss (1971): ten of the subjects in the example of many textbooks, kappa .210."""
    table = [[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1]]
    table += [[7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]]
    assert fleiss_kappa(table).kappa == pytest.approx(0.210, abs=0.0005)
    # By hand:
    # 45 both yes, 15 and 25 apart, 15 both no: P(A) = .6, P(E) = .6 * .7 + .4 * .3 = .54.
    first = ["y"] * 60 + ["n"] * 40
    second = ["y"] * 45 + ["n"] * 15 + ["y"] * 25 + ["n"] * 15
    assert same(cohen_kappa(first, second), (0.6, 0.54, 0.06 / 0.46))


@pytest.mark.parametrize(("table", "plain", "weights", "weighted", "digits"), [
    # Two dermatologists: SAS/STAT, the FREQ procedure, agreement study.
    ([[10, 4, 1, 0], [5, 10, 12, 2], [2, 4, 12, 5], [0, 2, 6, 13]], 0.3449, "linear", 0.5082, 4),
    # Two abstractors: R's irrCAC, cont3x3abstractors (Gwet).
    ([[13, 0, 0], [0, 20, 7], [0, 4, 56]], 0.7964094, "quadratic", 0.8921569, 7),
])  # fmt: skip
def test_weighted_kappa_of_published_tables(table, plain, weights, weighted, digits):
    """A table says how often the first gave the rating of a row, the second of a column."""
    pairs = [(i, k) for i, row in enumerate(table) for k, n in enumerate(row) for _ in range(n)]
    first, second = zip(*pairs, strict=True)
    near = {"abs": 0.5 * 10**-digits}
    assert cohen_kappa(first, second).kappa == pytest.approx(plain, **near)
    assert weighted_kappa(first, second, weights) == pytest.approx(weighted, **near)


WEIGHTS = {None: lambda a, b: a != b, "linear": lambda a, b: abs(a - b)}
WEIGHTS["quadratic"] = lambda a, b: (a - b) ** 2
rated_pairs = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12)


def kappa(pairs, weights):
    first, second = zip(*pairs, strict=True)
    return weighted_kappa(first, second, weights) if weights else cohen_kappa(first, second).kappa


@pytest.mark.parametrize("weights", WEIGHTS)
@given(pairs=rated_pairs)
def test_kappas_are_disagreement_by_that_of_all_pairs_of_ratings(weights, pairs):
    apart = WEIGHTS[weights]
    within = Fraction(sum(apart(a, b) for a, b in pairs), len(pairs))
    everything = sum(apart(a, b) for (a, _), (_, b) in product(pairs, repeat=2))
    chance = Fraction(everything, len(pairs) ** 2)
    assert same(kappa(pairs, weights), float(1 - within / chance) if chance else math.nan)


@given(st.integers(1, 9), st.data())
def test_cohens_kappa_of_masks_is_that_of_lists(size, data):
    masks = [data.draw(st.integers(0, 2**size - 1)) for _ in range(2)]
    lists = [[mask >> i & 1 for i in range(size)] for mask in masks]
    assert same(agreement.cohen_of_masks(*masks, size), cohen_kappa(*lists))


def slow_alpha(people, apart):
    """Disagreement of pairs inside things by disagreement of pairs of all ratings."""
    columns = [[x for x in column if x is not None] for column in zip(*people, strict=True)]
    columns = [column for column in columns if len(column) > 1]
    everything = [x for column in columns for x in column]
    n = len(everything)
    within = Fraction(0)
    for column in columns:
        within += Fraction(sum(apart(a, b) for a, b in product(column, repeat=2)), len(column) - 1)
    expected = Fraction(sum(apart(a, b) for a, b in product(everything, repeat=2)))
    return float(1 - (n - 1) * within / expected) if expected else math.nan


@given(ratings, st.randoms())
def test_fleiss_and_alpha_are_what_pairs_give_in_any_order(people, random):
    table, values = count_ratings(people)
    columns = list(zip(*reversed(people), strict=True))
    moved = count_ratings(list(zip(*random.sample(columns, len(columns)), strict=True)))[0]
    assert same(tuple(fleiss_kappa(moved)), tuple(fleiss_kappa(table)))
    assert same(agreement.krippendorff_alpha(moved), agreement.krippendorff_alpha(table))
    if not values:
        table, values = [[0]], [0]
    assert same(agreement.krippendorff_alpha(table), slow_alpha(people, lambda a, b: int(a != b)))
    squares = slow_alpha(people, lambda a, b: (a - b) ** 2)
    assert same(agreement.krippendorff_alpha(table, values, "interval"), squares)


@given(ratings, st.sampled_from([1, 0.1, -1e9]))
def test_alpha_of_numbers_is_exact_whatever_their_size(people, scale):
    """Fractions of the floats as they are: 0.1 is 3602879701896397 / 2^55."""
    people = [[None if x is None else x * scale for x in row] for row in people]
    table, values = count_ratings(people)
    if not values:
        return

    def ratio(a, b):
        a, b = Fraction(a), Fraction(b)
        return ((a - b) / (a + b)) ** 2 if a + b else Fraction(0)

    def interval(a, b):
        return (Fraction(a) - Fraction(b)) ** 2

    for apart in (interval, ratio):
        alpha = agreement.krippendorff_alpha(table, values, apart.__name__)
        assert same(alpha, slow_alpha(people, apart))


def test_alpha_of_ratings_that_are_all_different():
    """600 classes have 179,700 pairs. By sums: n sum x^2 - (sum x)^2 is that of (x - y)^2."""
    ratings = np.random.default_rng(3).normal(np.arange(200) / 100, size=(3, 200))
    table, values = count_ratings(ratings.tolist())
    within = (3 * (ratings**2).sum(axis=0) - ratings.sum(axis=0) ** 2).sum() / 2
    alpha = 1 - 599 * within / (600 * (ratings**2).sum() - ratings.sum() ** 2)
    assert agreement.krippendorff_alpha(table, values, "interval") == pytest.approx(alpha, rel=1e-9)


@given(st.integers(1, 6), st.data())
def test_chance_is_the_mean_over_all_choices(size, data):
    sizes = data.draw(st.lists(st.integers(0, size), min_size=2, max_size=3))
    overlaps, figures = [], []
    for drawn in product(*(list(combinations(range(size), k)) for k in sizes)):
        a, b = set(drawn[0]), set(drawn[1])
        overlaps.append(len(a & b) / len(a | b) if a | b else math.nan)
        chosen, votes = set().union(*drawn), sum(map(len, drawn))
        figures.append(100 * votes / (len(chosen) * len(sizes)) if chosen else math.nan)
    assert same(expected_jaccard(size, *sizes[:2]), np.mean(overlaps))
    kappa = expected_votes_agreement(size, sizes)
    assert kappa == pytest.approx(np.mean(figures), rel=1e-9, nan_ok=True)


def test_chance_of_a_whole_book():
    """Of 6,000 things five people leave 0.7 ** 5 alone, and so many are nearly always as many."""
    kappa = expected_votes_agreement(6_000, [1_800] * 5)
    assert kappa == pytest.approx(100 * 0.3 / (1 - 0.7**5), rel=1e-4)


@pytest.mark.parametrize(("size", "first", "second"), [
    (20_000, 900, 1_500), (3_000, 2_900, 2_000), (5_000, 0, 7), (9, 9, 9),
])  # fmt: skip
def test_chance_of_large_sets_is_that_of_the_hypergeometric_distribution(size, first, second):
    shared = np.arange(min(first, second) + 1)
    chances = stats.hypergeom.pmf(shared, size, first, second)
    expected = (chances * shared / (first + second - shared)).sum()
    assert expected_jaccard(size, first, second) == pytest.approx(expected, rel=1e-9, abs=0)


def test_all_the_same_and_nothing_to_compare_are_undefined():
    assert fleiss_kappa([[3, 0], [3, 0]])[:2] == (1, 1)
    assert math.isnan(fleiss_kappa([[3, 0], [3, 0]]).kappa)
    assert math.isnan(agreement.krippendorff_alpha([[3, 0], [3, 0]]))
    assert math.isnan(cohen_kappa("yy", "yy").kappa)
    assert math.isnan(agreement.cohen_of_masks(0, 0, 3).kappa)
    for table in ([], [[1, 0], [0, 1]], [[0, 0]]):
        assert np.isnan([*fleiss_kappa(table), agreement.krippendorff_alpha(table)]).all()
    assert np.isnan([agreement.votes_agreement(0, *two) for two in ((0, 3), (2, 0))]).all()
    assert math.isnan(agreement.jaccard(0, 0)) and agreement.jaccard(0b11, 0b110) == 1 / 3
    assert math.isnan(agreement.mean_defined([math.nan]))
    assert agreement.mean_defined([1.0, math.nan, 2.0]) == 1.5
    assert math.isnan(expected_jaccard(4, 0, 0))
    assert math.isnan(expected_votes_agreement(4, [0, 0]))
    # What one of two left out is left out.
    assert cohen_kappa(["a", None, "b"], ["a", "b", "a"]) == cohen_kappa("ab", "aa")
    assert math.isnan(cohen_kappa([None], ["a"]).agreement)
    assert weighted_kappa([1, None, 3, 2], [1, 2, 2, None]) == weighted_kappa([1, 3], [1, 2])
    assert math.isnan(weighted_kappa([None], [1]))
    assert math.isnan(agreement.cohen_of_masks(0, 0, 0).agreement)
    # The second thing has one rating, which is in no pair.
    assert fleiss_kappa([[2, 0], [1, 0], [0, 2]]) == fleiss_kappa([[2, 0], [0, 2]])


# --- Agreement on a scale, with intervals of resampled clusters ----------------------------------


def as_array(people):
    return np.array([[math.nan if x is None else x for x in row] for row in people], np.float64)


def by_definition(people):
    """Fleiss, the mean of pairs' weighted kappas by what they share, ordinal alpha."""
    # A thing with one rating says nothing, also of the pairs: they share none of it.
    table, classes = count_ratings(people)
    if not classes:
        return (math.nan,) * 3
    total = weight = 0.0
    for a, b in combinations(people, 2):
        kappa = weighted_kappa(a, b)
        if not math.isnan(kappa):
            shared = sum(None not in both for both in zip(a, b, strict=True))
            total, weight = total + shared * kappa, weight + shared
    alpha = agreement.krippendorff_alpha(table, classes, "ordinal")
    return fleiss_kappa(table).kappa, total / weight if weight else math.nan, alpha


@given(ratings_from(st.sampled_from([1, 2, 3, 5, 2.5]), most_things=6))
def test_coefficients_on_a_scale_are_those_of_the_definitions(people):
    result = ratings_agreement(as_array(people), np.arange(len(people[0])), draws=0)
    estimates = (result.fleiss, result.weighted, result.alpha)
    assert same([e.value for e in estimates], by_definition(people))
    assert all(math.isnan(end) for e in estimates for end in e[1:])


def test_intervals_are_percentiles_of_resampled_clusters():
    """Whole clusters are drawn, as one would by hand: their things side by side."""
    rng = np.random.default_rng(5)
    people = rng.integers(1, 5, (3, 12)).astype(float)
    people[rng.random(people.shape) < 0.2] = math.nan
    clusters = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3])
    result = ratings_agreement(people, clusters, draws=100, seed=7)
    drawn = []
    for chosen in np.random.default_rng(7).integers(0, 4, (100, 4)):
        columns = np.concatenate([np.flatnonzero(clusters == cluster) for cluster in chosen])
        rows = [[None if math.isnan(x) else x for x in row] for row in people[:, columns].tolist()]
        drawn.append(by_definition(rows))
    ends = np.nanpercentile(np.array(drawn, float), [2.5, 97.5], axis=0)
    for estimate, low, high in zip(result[2:], *ends, strict=True):
        assert estimate[1:] == pytest.approx((low, high), abs=1e-12)
    # One cluster has no interval, and one class no value.
    result = ratings_agreement(np.array([[1.0, 2.0, 3.0], [1.0, 3.0, 3.0]]), np.zeros(3, int))
    assert result.alpha.value > 0 and math.isnan(result.alpha.low)
    constant = ratings_agreement(np.ones((2, 3)), np.arange(3))
    assert constant.agreement == constant.chance == 1
    empty = ratings_agreement(np.full((2, 3), math.nan), np.arange(3))
    assert all(math.isnan(e.value) for e in (*constant[2:], *empty[2:]))
