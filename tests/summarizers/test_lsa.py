"""LSA summarizers: a whole SVD as the oracle, hand-worked matrices, and equal singular values."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from lsa_oracle import matrix_of, texts, weightings
from ranked_sentences import joined, source_of, walk_oracle

from summetry.summarizers import SUMMARIZERS, rank_by
from summetry.summarizers.lsa import gong_liu, murray, steinberger_jezek, topic_quota, yeh

rows = [st.lists(st.integers(0, 3), min_size=size, max_size=size) for size in range(1, 6)]
small = st.one_of([st.lists(row, min_size=1, max_size=6) for row in rows])
IDENTITY = [[3, 0, 0], [0, 3, 0], [0, 0, 3]]


def decomposed(matrix):
    """The oracle: left vectors, singular values and right vectors of the whole matrix."""
    return np.linalg.svd(np.array(matrix, float), full_matrices=False)


def rank(spelling, units, count=2):
    return SUMMARIZERS.build(spelling).rank(source_of(units), count)


def has_gaps(matrix):
    """Whether no two singular values are so near that the slow way could mix their vectors up."""
    values = decomposed(matrix)[1]
    return bool((values[:-1] - values[1:] > 1e-3).all() and values[-1] > 1e-3)


def turned(size, seed):
    """Columns at right angles, of length 1."""
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((size, size)))[0]


def by_size(row):
    """Places of the largest entries first, equal ones in their order."""
    return np.argsort(-np.round(np.abs(row), 9), kind="stable").tolist()


@given(small)
def test_gong_liu_takes_the_largest_entry_of_each_right_vector(matrix):
    assume(has_gaps(matrix))
    expected = []
    for row in decomposed(matrix)[2]:
        expected.append(next(j for j in by_size(row) if j not in expected))
    assert gong_liu(matrix, len(expected)) == expected
    assert gong_liu(matrix, 1) == expected[:1]


@given(small, st.integers(1, 6))
def test_steinberger_jezek_scores_are_lengths_in_the_reduced_space(matrix, r):
    _, values, right = decomposed(matrix)
    whole = np.sqrt((values**4) @ right**2)
    assert steinberger_jezek(matrix) == pytest.approx(whole, abs=1e-9)
    lengths = np.linalg.norm(np.array(matrix, float), axis=0)
    assert steinberger_jezek(matrix, power=1) == pytest.approx(lengths, abs=1e-7)
    if has_gaps(matrix):
        reduced = np.sqrt((values[:r] ** 4) @ right[:r] ** 2)
        assert steinberger_jezek(matrix, r) == pytest.approx(reduced, abs=1e-8)


@given(small, st.integers(1, 5), st.sampled_from(["largest_remainder", "ceil"]))
def test_murray_takes_so_many_of_each_topic_as_its_quota_says(matrix, size, rule):
    assume(has_gaps(matrix))
    _, values, right = decomposed(matrix)
    choice = murray(matrix, size, rule)
    assert sum(choice.quota) == size
    expected = []
    for row, count in zip(right, choice.quota, strict=True):
        expected += [j for j in by_size(row) if j not in expected][:count]
    assert choice.selected == expected
    shares = np.floor(values / values.sum() * size + 1e-9)
    assert rule == "ceil" or (shares <= choice.quota).all()


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(0, 12))
def test_quotas_are_exact(values, count):
    values = sorted(values, reverse=True)
    exact = [Fraction(value * count, sum(values)) for value in values]
    slow = [math.floor(share) for share in exact]
    for k in sorted(range(len(values)), key=lambda k: (slow[k] - exact[k], k)):
        if sum(slow) < count:
            slow[k] += 1
    assert topic_quota(values, count, "largest_remainder") == slow
    left, up = count, []
    for share in exact:
        up.append(min(math.ceil(share), left))
        left -= up[-1]
    assert topic_quota(values, count, "ceil") == up
    assert topic_quota([0, 0], 2, "ceil") == topic_quota([0, 0], 2, "largest_remainder") == [0, 0]


@given(small, st.integers(1, 5))
def test_the_map_is_made_of_the_columns_of_the_reduced_matrix(matrix, r):
    assume(has_gaps(matrix))
    left, values, right = decomposed(matrix)
    reduced = (left[:, :r] * values[:r]) @ right[:r]
    text_map = yeh(matrix, r)
    assert text_map.reduced == pytest.approx(reduced, abs=1e-8)
    lengths = np.linalg.norm(reduced, axis=0)
    # A column without length has no cosine with another.
    units = np.divide(reduced, lengths, out=np.zeros_like(reduced), where=lengths > 1e-9)
    cosines = units.T @ units
    assert text_map.similarity == pytest.approx(cosines, abs=1e-7)
    np.fill_diagonal(cosines, 0)
    links = np.where(cosines > 1e-9, cosines, 0).tolist()
    walk = np.array(walk_oracle(links, 0.85))
    assert text_map.textrank == pytest.approx(walk / walk.sum(), abs=1e-6)
    assert text_map.degree == pytest.approx([math.fsum(row) for row in links], abs=1e-6)
    assert text_map.bushiness.tolist() == [sum(link > 0.3 + 1e-9 for link in row) for row in links]


@given(st.integers(2, 5), st.integers(0, 2**16))
def test_what_is_only_rounding_is_no_link(size, seed):
    """Columns at right angles have no cosine, so nobody recommends anybody.

    If they have one length too, any basis would do, and ours takes all in order.
    """
    columns = turned(size, seed)
    text_map = yeh(columns * np.arange(1, size + 1), size)
    assert text_map.degree.tolist() == [0.0] * size
    assert text_map.textrank == pytest.approx([1 / size] * size)
    assert gong_liu(3 * columns, size) == list(range(size))


def test_a_space_of_equal_topics_gives_a_sentence_for_each_of_them():
    """0 and 1 share three words, 2, 3 and 4 two: both topics have sigma^2 = 6.

    Sentence 1 has a larger part in the space than 2, but 0 has said all that it says.
    """
    matrix = [[1, 1, 0, 0, 0]] * 3 + [[0, 0, 1, 1, 1]] * 2
    assert decomposed(matrix)[1][:2] ** 2 == pytest.approx([6, 6])
    assert gong_liu(matrix, 2) == [0, 2]
    assert murray(matrix, 4).selected == [0, 2, 1, 3]
    # All topics are equal: one space, whose sentences stand in order.
    assert gong_liu(IDENTITY, 3) == [0, 1, 2]
    assert murray(IDENTITY, 2) == ([1, 1, 0], [0, 1])
    assert steinberger_jezek(IDENTITY, 1) == pytest.approx([9, 9, 9])
    assert yeh(IDENTITY, 2).r == 3
    # One topic gives sentences by their size in it.
    assert murray([[1, 3, 2]], 2).selected == [1, 2]
    assert gong_liu([[1, 3, 2]], 3) == [1]


@given(texts, weightings)
def test_a_source_is_ranked_by_its_matrix(sentences, chosen):
    options = ",".join(f"{key}={value}" for key, value in chosen.items())
    text = "text=auto(tokens=blanks)"
    _, matrix = matrix_of(sentences, **chosen)
    units = joined(sentences)
    ranking = rank(f"lsa({options},{text})", units)
    gram = matrix.T @ matrix
    scores = np.sqrt((gram**2).sum(axis=1))
    assert ranking.scores == pytest.approx(tuple(scores), rel=1e-9, abs=1e-12)
    assert ranking.order == rank_by(scores).order
    if len(matrix) and has_gaps(matrix):
        count = max(len(sentences) // 2, 1)
        taken = rank(f"lsa(method=gong_liu,{options},{text})", units).order
        assert list(taken) == gong_liu(matrix, len(sentences))
        order = rank(f"lsa(method=murray,{options},{text})", units, count).order
        chosen_first = murray(matrix, count).selected
        assert list(order[: len(chosen_first)]) == chosen_first
        assert sorted(order) == list(range(len(sentences)))


@pytest.mark.parametrize("ranking", ["textrank", "degree", "bushiness"])
def test_the_map_of_a_source(ranking):
    sentences = [["fog", "pier"], ["fog", "pier", "ice"], ["quay", "ice"], ["hull"], []]
    _, matrix = matrix_of(sentences)
    ranked = rank(f"lsa(method=yeh,r=3,ranking={ranking},text=auto)", joined(sentences))
    expected = getattr(yeh(matrix, 3), ranking).tolist()
    assert ranked.scores[:4] == pytest.approx(expected[:4])
    # A unit without words has no place in the map.
    assert math.isnan(ranked.scores[4]) and ranked.order[-1] == 4


def test_the_map_of_a_text_has_no_link_that_is_only_rounding():
    """One word, so one dimension: the roots of what is only rounding must not become links."""
    units = joined([["fog"] * 4, ["fog"] * 5, [], [], ["fog"]])
    degree = rank("lsa(method=yeh,ranking=degree,local=FQ,text=auto)", units).scores
    assert degree == pytest.approx((2, 2, math.nan, math.nan, 2), nan_ok=True)
    # x = 0.15/5 + 0.85 (2/5 x) for a node without links, and the three others share the rest.
    walk = rank("lsa(method=yeh,local=FQ,text=auto)", units)
    each = (1 - 2 * 0.03 / 0.66) / 3
    assert walk.scores == pytest.approx((each, each, math.nan, math.nan, each), nan_ok=True)
    assert walk.order == (0, 1, 4, 2, 3)
    # A threshold is compared without rounding errors: the cosine is 3/5 exactly.
    matrix = [[5, 3], [0, 4]]
    assert yeh(matrix, 2, Fraction(3, 5)).bushiness.tolist() == [0, 0]
    assert yeh(matrix, 2, Fraction(59, 100)).bushiness.tolist() == [1, 1]


@pytest.mark.parametrize(("r", "dimensions"), [("0.5", 2), ("0.49", 1), ("none", 2), ("3", 3)])
def test_r_is_a_number_of_dimensions_or_a_share_of_the_sentences(r, dimensions):
    """Half of three sentences is 1.5, which is rounded up."""
    sentences = [["fog", "pier", "ice"], ["fog", "quay"], ["ice", "hull", "pier"]]
    _, matrix = matrix_of(sentences)
    ranking = rank(f"lsa(method=yeh,r={r},ranking=degree,text=auto)", joined(sentences))
    assert ranking.scores == pytest.approx(yeh(matrix, dimensions).degree.tolist())
