"""Coefficients of agreement: published examples, other programs, plain definitions."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from summetry.errors import SummetryError
from summetry.stats.agreement import (
    cohen_kappa,
    cohen_of_masks,
    count_ratings,
    fleiss_kappa,
    jaccard,
    krippendorff_alpha,
    mean_defined,
    votes_agreement,
    weighted_kappa,
)
from summetry.stats.chance import expected_jaccard, expected_votes_agreement

ratings = st.integers(1, 4).flatmap(
    lambda things: st.lists(
        st.lists(st.none() | st.integers(1, 3), min_size=things, max_size=things),
        min_size=1,
        max_size=4,
    )
)

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


# --- published examples -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "alpha"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_alpha_of_krippendorffs_own_example(level, alpha):
    table, values = count_ratings(FOUR_OBSERVERS)
    assert krippendorff_alpha(table, values, level) == pytest.approx(alpha, abs=0.0005)


def test_fleiss_kappa_of_the_psychiatric_example():
    """Fleiss (1971): ten of the subjects in the example of many textbooks, kappa .210."""
    table = [[0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1]]
    table += [[7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7]]
    assert fleiss_kappa(table).kappa == pytest.approx(0.210, abs=0.0005)


def test_cohens_kappa_worked_by_hand():
    # 45 both yes, 15 and 25 apart, 15 both no: P(A) = .6, P(E) = .6 * .7 + .4 * .3 = .54.
    first = ["y"] * 60 + ["n"] * 40
    second = ["y"] * 45 + ["n"] * 15 + ["y"] * 25 + ["n"] * 15
    kappa = cohen_kappa(first, second)
    assert same(kappa, (0.6, 0.54, 0.06 / 0.46))


def rated_alike(table):
    """The ratings of two people by a table of how often both gave which."""
    pairs = [(i, k) for i, row in enumerate(table) for k, n in enumerate(row) for _ in range(n)]
    return zip(*pairs, strict=True)


def test_weighted_kappa_of_two_dermatologists():
    """SAS/STAT, the FREQ procedure, agreement study: kappa .3449, weighted (linear) .5082."""
    table = [[10, 4, 1, 0], [5, 10, 12, 2], [2, 4, 12, 5], [0, 2, 6, 13]]
    first, second = rated_alike(table)
    assert cohen_kappa(first, second).kappa == pytest.approx(0.3449, abs=0.00005)
    assert weighted_kappa(first, second, "linear") == pytest.approx(0.5082, abs=0.00005)


def test_weighted_kappa_of_two_abstractors():
    """R's irrCAC, cont3x3abstractors (Gwet): kappa 0.7964094, quadratic weights 0.8921569."""
    first, second = rated_alike([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
    assert cohen_kappa(first, second).kappa == pytest.approx(0.7964094, abs=5e-8)
    assert weighted_kappa(first, second) == pytest.approx(0.8921569, abs=5e-8)


# --- other programs and plain definitions -----------------------------------------------------


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=12))
def test_cohens_kappa_is_that_of_scikit_learn(pairs):
    first, second = zip(*pairs, strict=True)
    if len(set(first + second)) > 1:
        expected = cohen_kappa_score(first, second)
        assert same(cohen_kappa(first, second).kappa, expected)
    else:
        assert math.isnan(cohen_kappa(first, second).kappa)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12))
def test_weighted_kappa_is_that_of_scikit_learn(pairs):
    first, second = zip(*pairs, strict=True)
    for weights in ("linear", "quadratic"):
        value = weighted_kappa(first, second, weights)
        if len(set(first + second)) > 1:
            expected = cohen_kappa_score(first, second, labels=range(4), weights=weights)
            assert same(value, expected)
        else:
            assert math.isnan(value)


@given(st.integers(1, 9), st.data())
def test_cohens_kappa_of_masks_is_that_of_lists(things, data):
    masks = [data.draw(st.integers(0, 2**things - 1)) for _ in range(2)]
    lists = [[mask >> i & 1 for i in range(things)] for mask in masks]
    assert same(cohen_of_masks(*masks, things), cohen_kappa(*lists))


def slow_fleiss(people):
    """Pairs of people, thing by thing; shares of classes over all ratings that are in a pair."""
    shares, used = [], []
    for column in zip(*people, strict=True):
        given_ = [x for x in column if x is not None]
        pairs = list(combinations(given_, 2))
        if pairs:
            shares.append(Fraction(sum(a == b for a, b in pairs), len(pairs)))
            used += given_
    if not shares:
        return (math.nan,) * 3
    agreed = sum(shares) / len(shares)
    chance = sum(Fraction(used.count(x), len(used)) ** 2 for x in set(used))
    kappa = (agreed - chance) / (1 - chance) if chance != 1 else math.nan
    return float(agreed), float(chance), float(kappa)


@settings(max_examples=60)
@given(ratings)
def test_fleiss_kappa_is_what_pairs_of_people_give(people):
    table, _ = count_ratings(people)
    assert same(tuple(fleiss_kappa(table)), slow_fleiss(people))


def slow_alpha(people, apart):
    """Disagreement of pairs inside things by disagreement of pairs of all ratings."""
    columns = [[x for x in column if x is not None] for column in zip(*people, strict=True)]
    columns = [column for column in columns if len(column) > 1]
    everything = [x for column in columns for x in column]
    n = len(everything)
    seen = Fraction(0)
    for column in columns:
        seen += Fraction(sum(apart(a, b) for a, b in product(column, repeat=2)), len(column) - 1)
    expected = Fraction(sum(apart(a, b) for a, b in product(everything, repeat=2)))
    return float(1 - (n - 1) * seen / expected) if expected else math.nan


@settings(max_examples=60)
@given(ratings)
def test_alpha_is_what_pairs_of_ratings_give(people):
    table, values = count_ratings(people)
    if not values:
        table, values = [[0]], [0]
    assert same(krippendorff_alpha(table), slow_alpha(people, lambda a, b: int(a != b)))
    squares = slow_alpha(people, lambda a, b: (a - b) ** 2)
    assert same(krippendorff_alpha(table, values, "interval"), squares)


@given(st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=1, max_size=8))
def test_alpha_is_a_little_above_kappa_where_nothing_is_missing(rows):
    table = [(sum(row), 3 - sum(row)) for row in rows]
    alpha, kappa = krippendorff_alpha(table), fleiss_kappa(table).kappa
    # 1 - alpha = (1 - kappa) (N - 1) / N, where N is the number of ratings.
    n = 3 * len(rows)
    assert same(1 - alpha, (1 - kappa) * (n - 1) / n)


@given(st.integers(1, 6), st.data())
def test_chance_is_the_mean_over_all_choices(things, data):
    sizes = data.draw(st.lists(st.integers(0, things), min_size=2, max_size=3))
    choices = [list(combinations(range(things), size)) for size in sizes]
    overlaps, figures = [], []
    for drawn in product(*choices):
        a, b = set(drawn[0]), set(drawn[1])
        overlaps.append(len(a & b) / len(a | b) if a | b else math.nan)
        chosen = set().union(*drawn)
        votes = sum(map(len, drawn))
        figures.append(100 * votes / (len(chosen) * len(sizes)) if chosen else math.nan)
    assert same(expected_jaccard(things, *sizes[:2]), np.mean(overlaps))
    kappa = expected_votes_agreement(things, sizes)
    assert kappa == pytest.approx(np.mean(figures), rel=1e-9, nan_ok=True)


# --- properties and edges ---------------------------------------------------------------------


@given(ratings.filter(lambda people: len(people[0]) > 1), st.randoms())
def test_the_order_of_people_and_things_does_not_matter(people, random):
    order = list(range(len(people[0])))
    random.shuffle(order)
    moved = [[row[i] for i in order] for row in reversed(people)]
    tables = [count_ratings(p)[0] for p in (people, moved)]
    assert same(*(tuple(fleiss_kappa(table)) for table in tables))
    assert same(*(krippendorff_alpha(table) for table in tables))


def test_all_the_same_is_undefined_and_not_one():
    assert fleiss_kappa([[3, 0], [3, 0]])[:2] == (1, 1)
    assert math.isnan(fleiss_kappa([[3, 0], [3, 0]]).kappa)
    assert math.isnan(krippendorff_alpha([[3, 0], [3, 0]]))
    assert math.isnan(cohen_kappa("yy", "yy").kappa)
    assert math.isnan(cohen_of_masks(0, 0, 3).kappa)


@pytest.mark.parametrize("table", [[], [[1, 0], [0, 1]], [[0, 0]]])
def test_nothing_to_compare_is_undefined(table):
    assert all(map(math.isnan, fleiss_kappa(table)))
    assert math.isnan(krippendorff_alpha(table))


def test_what_one_of_two_left_out_is_left_out():
    assert cohen_kappa(["a", None, "b"], ["a", "b", "a"]) == cohen_kappa("ab", "aa")
    assert math.isnan(cohen_kappa([None], ["a"]).agreement)
    assert weighted_kappa([1, None, 3, 2], [1, 2, 2, None]) == weighted_kappa([1, 3], [1, 2])
    assert math.isnan(weighted_kappa([None], [1]))
    assert math.isnan(cohen_of_masks(0, 0, 0).agreement)
    # The second thing has one rating, which is in no pair.
    assert fleiss_kappa([[2, 0], [1, 0], [0, 2]]) == fleiss_kappa([[2, 0], [0, 2]])


def test_undefined_parts_of_small_functions():
    assert math.isnan(votes_agreement(0, 0, 3)) and math.isnan(votes_agreement(0, 2, 0))
    assert math.isnan(jaccard(0, 0)) and jaccard(0b11, 0b110) == 1 / 3
    assert math.isnan(mean_defined([math.nan])) and mean_defined([1.0, math.nan, 2.0]) == 1.5
    assert math.isnan(expected_jaccard(4, 0, 0))
    assert math.isnan(expected_votes_agreement(4, [0, 0]))


def test_chance_falls_to_the_mean_length_with_many_informants():
    """Reading of figure 2: over all votes the figure is not far above the mean length."""
    kappa = [expected_votes_agreement(50, [15] * people) for people in (1, 2, 5, 30)]
    assert kappa == sorted(kappa, reverse=True)
    assert kappa[0] == pytest.approx(100) and kappa[-1] == pytest.approx(30, abs=0.01)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fleiss_kappa([[1, 2], [3]]), "as many classes in every row"),
        (lambda: fleiss_kappa([[1.5, 2]]), "whole numbers of people, 0 or more"),
        (lambda: fleiss_kappa([[-1, 2]]), "whole numbers of people, 0 or more"),
        (lambda: cohen_kappa("ab", "a"), "of the same things, got 2 and 1"),
        (lambda: weighted_kappa([1, 2], [1]), "of the same things, got 2 and 1"),
        (lambda: weighted_kappa([1], [1], "cubic"), "quadratic, linear, got 'cubic'"),
        (lambda: count_ratings([[1, 2], [1]]), "for every thing, got"),
        (lambda: krippendorff_alpha([[2, 1]], level="metric"), "nominal, ordinal, interval"),
        (lambda: krippendorff_alpha([[2, 1]], [1], "ratio"), "each of 2 classes, got 1"),
    ],
)
def test_bad_tables_are_told(call, message):
    with pytest.raises(SummetryError, match=message):
        call()


def test_chance_of_all_votes_on_a_whole_book():
    # Of 6,000 things five people leave 0.7 ** 5 alone, and so many are nearly always as many.
    kappa = expected_votes_agreement(6_000, [1_800] * 5)
    assert kappa == pytest.approx(100 * 0.3 / (1 - 0.7**5), rel=1e-4)


def test_chance_of_large_sets_is_that_of_the_hypergeometric_distribution():
    hypergeom = pytest.importorskip("scipy.stats").hypergeom
    for things, first, second in (
        (20_000, 900, 1_500),
        (3_000, 2_900, 2_000),
        (5_000, 0, 7),
        (9, 9, 9),
    ):
        shared = np.arange(min(first, second) + 1)
        chances = hypergeom.pmf(shared, things, first, second)
        wanted = (chances * shared / (first + second - shared)).sum()
        assert expected_jaccard(things, first, second) == pytest.approx(wanted, rel=1e-9, abs=0)
