"""Latent spaces against a whole SVD of each text, and where singular values are equal."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsa_oracle import WORDS, equal_to, significances, svd, texts, weightings

from summetry.arrays import latent
from summetry.arrays.latent import Spaces
from summetry.arrays.svd import decompose, decompose_leading, end_of_group, groups, rank
from summetry.arrays.weighting import Weighting, occurrences, tokens_as_table, weigh
from summetry.errors import SummetryError


def spaces_of(*many, **weighting):
    table = tokens_as_table([sentence for text in many for sentence in text])
    entries = occurrences(table, np.cumsum([0, *map(len, many)], dtype=np.int64))
    return table, Spaces(weigh(entries, Weighting(**weighting)))


def measured(many, ranks, **weighting):
    """The significance of every term of every text, as dictionaries."""
    table, spaces = spaces_of(*many, **weighting)
    rows, asked = np.arange(len(many)), np.array(ranks, np.int64)
    values = spaces.significances(rows, spaces.cut(rows, asked).ends).tolist()
    words = [table.words[i] for i in spaces.bags.ids]
    borders = spaces.bags.offsets.tolist()
    pieces = [slice(a, b) for a, b in pairwise(borders)]
    return [dict(zip(words[p], values[p], strict=True)) for p in pieces]


@pytest.fixture(params=["few", "long", "long and filled"])
def way(request, monkeypatch):
    """All ways through the code for the same small texts."""
    if request.param != "few":
        monkeypatch.setattr(latent, "_FEW", 1)
        monkeypatch.setattr(latent, "_WELL_FILLED", 2.0 if request.param == "long" else 0.0)


@pytest.mark.usefixtures("way")
def test_significances_of_two_sentences_worked_by_hand():
    """A^T A = [[2, 1], [1, 1]] has the eigenvalues (3 +- sqrt 5) / 2."""
    (lengths,) = measured([[["fog", "pier"], ["fog"]]], [1])
    first = (3 + 5**0.5) / 2
    # v is (first - 1, 1), normalised; A v gives first^2 - ... row by row: fog v1 + v2, pier v1.
    v = np.array([first - 1, 1]) / np.hypot(first - 1, 1)
    assert lengths["fog"] == pytest.approx((v[0] + v[1]) * first**0.5)
    assert lengths["pier"] == pytest.approx(v[0] * first**0.5)
    (whole,) = measured([[["fog", "pier"], ["fog"]]], [2])
    # Rows of A A^T = [[2, 1], [1, 1]]: lengths sqrt 5 and sqrt 2.
    assert whole == pytest.approx({"fog": 5**0.5, "pier": 2**0.5})


@pytest.mark.usefixtures("way")
def test_significances_are_those_of_a_whole_svd():
    @given(st.lists(st.tuples(texts, st.integers(1, 7)), min_size=1, max_size=4), weightings)
    def check(asked, chosen):
        lengths = measured(*zip(*asked, strict=True), **chosen)
        for (text, r), values in zip(asked, lengths, strict=True):
            expected = significances(text, r, **chosen)
            # Rounding is relative to the largest.
            near = 1e-10 * max(expected.values(), default=0.0)
            assert values == pytest.approx(expected, rel=1e-9, abs=near)

    check()


@given(st.lists(texts, min_size=2, max_size=5), st.integers(1, 4), weightings)
def test_a_text_has_the_same_bits_alone_and_among_others(many, r, chosen):
    # Terms are added up in the order of the vocabulary, which is one for all in real batches.
    known = [WORDS]
    _, *together = measured([known, *many], [1, *[r] * len(many)], **chosen)
    for text, values in zip(many, together, strict=True):
        _, alone = measured([known, text], [1, r], **chosen)
        assert {k: v.hex() for k, v in alone.items()} == {k: v.hex() for k, v in values.items()}


def test_small_blocks_give_the_same_bits(monkeypatch):
    random = np.random.default_rng(3)
    many = [
        [random.choice(WORDS, 4).tolist() for _ in range(random.integers(1, 6))] for _ in range(20)
    ]
    ranks = random.integers(1, 5, 20).tolist()
    expected = measured(many, ranks, local="LO", scope="ISF")
    monkeypatch.setattr(latent, "_BLOCK", 40)
    monkeypatch.setattr(Spaces, "_is_long", property(lambda s: np.zeros(len(s.sentences), bool)))
    assert measured(many, ranks, local="LO", scope="ISF") == expected


@pytest.mark.usefixtures("way")
def test_lengths_of_rows_of_a_gram_matrix():
    sentences = [["fog", "pier"], ["fog"], [], ["ice", "pier", "fog"], ["sea"]]
    _, spaces = spaces_of(sentences)
    # How many words each two sentences share.
    shared = [[len({*a} & {*b}) for b in sentences] for a in sentences]
    expected = [sum(n * n for n in row) ** 0.5 for row in shared]
    assert spaces.gram_lengths(0) == pytest.approx(expected)


def test_the_gram_matrix_of_a_long_text_is_never_whole_for_its_lengths(monkeypatch):
    monkeypatch.setattr(latent, "_FEW", 2)
    monkeypatch.setattr(Spaces, "gram", None)
    _, spaces = spaces_of([["fog"], ["fog"], ["ice"], ["fog"], ["sea", "ice"]])
    assert spaces.gram_lengths(0) ** 2 == pytest.approx([3, 3, 2, 3, 5])


@pytest.mark.usefixtures("way")
def test_a_cut_among_equal_singular_values_moves_to_the_last_of_them():
    _, spaces = spaces_of([["a", "b"], ["c", "d"], ["e", "f"], ["g"]])
    cuts = spaces.cut(np.zeros(4, np.int64), np.array([1, 2, 3, 4]))
    assert cuts.ends.tolist() == [3, 3, 3, 4]
    assert cuts.tied.tolist() == [True, True, False, False]
    # Zeros behind the rank are no tie.
    _, spaces = spaces_of([["a", "b"], ["a", "b"], ["a", "b"]])
    assert not spaces.cut(np.array([0, 0]), np.array([1, 2])).tied.any()


@pytest.mark.usefixtures("way")
def test_left_vectors_span_the_top_space():
    text = [["a", "b"], ["c", "d"], ["e"]]
    _, spaces = spaces_of(text)
    vectors = spaces.topics(0, 2)
    _, left, _ = svd(text)
    assert vectors.T @ vectors == pytest.approx(np.eye(2), abs=1e-12)
    # Projections on a space do not depend on its basis.
    assert vectors @ vectors.T == pytest.approx(left[:, :2] @ left[:, :2].T, abs=1e-12)


@given(st.lists(st.sampled_from([0.0, 1.0, 4.0, 9.0, 16.0]), min_size=1, max_size=8), st.data())
def test_the_end_of_a_group_is_where_the_slow_way_finds_it(squares, data):
    values = np.array(sorted(squares, reverse=True))
    r = data.draw(st.integers(1, len(values)))
    assert end_of_group(values, r) == equal_to(np.sqrt(values), r - 1)
    # A wobble of rounding changes nothing.
    wobble = values * (1 + np.resize([1e-13, -1e-13, 0], len(values)))
    assert end_of_group(wobble, r) == end_of_group(values, r)


def test_groups_leave_out_what_is_zero():
    assert groups(np.array([4.0, 4.0, 1.0, 1e-14])) == [slice(0, 2), slice(2, 3)]
    assert groups(np.zeros(3)) == [] == groups(np.zeros(0))
    assert rank(np.array([1.0, 1e-11, 1e-13])) == 2


def blocks(*sizes):
    """A^T A of texts with one term for each block of sentences: the sizes are the eigenvalues."""
    from scipy.sparse import block_diag

    return block_diag([np.ones((size, size)) for size in sizes]).tocsr()


@pytest.mark.parametrize("sizes", [[9, 8, 7, *[1] * 400], [9, 9, 9, 9, 4, 4, *[2] * 200]])
def test_leading_values_of_a_large_matrix_are_all_found_even_equal_ones(sizes):
    gram = blocks(*sizes)
    spectrum = decompose_leading(gram, 6)
    assert spectrum.values == pytest.approx(np.array(sizes[:6], float), rel=1e-12)
    assert spectrum.vectors.T @ spectrum.vectors == pytest.approx(np.eye(6), abs=1e-10)
    assert gram @ spectrum.vectors == pytest.approx(spectrum.vectors * spectrum.values, abs=1e-10)


def test_what_the_quick_method_overlooks_is_noticed(monkeypatch):
    """One of four equal values is lost on the way, as it may happen."""
    from scipy.sparse import linalg

    eigsh = linalg.eigsh

    def forgetful(matrix, k, **options):
        if k == 1:
            return eigsh(matrix, k, **options)
        values, vectors = eigsh(matrix, k + 1, **options)
        order = np.argsort(values)
        kept = [*order[:-2], order[-1]]
        return values[kept], vectors[:, kept]

    gram = blocks(9, 9, 9, 9, 4, 3, *[1] * 300)
    monkeypatch.setattr(linalg, "eigsh", forgetful)
    assert decompose_leading(gram, 5).values == pytest.approx(np.array([9.0, 9, 9, 9, 4]))


def test_a_long_text_of_zeros_has_no_topic():
    text = [["fog"] for _ in range(330)]
    (lengths,) = measured([text], [1], local="FQ", scope="EN")
    assert lengths == {"fog": 0.0}


def test_a_long_text_has_the_same_numbers_whatever_else_is_asked_of_it():
    random = np.random.default_rng(7)
    text = [[*random.choice(WORDS, 5).tolist(), f"w{i % 97}"] for i in range(330)]

    def one(*ranks):
        _, spaces = spaces_of(text)
        rows = np.zeros(len(ranks), np.int64)
        cuts = spaces.cut(rows, np.array(ranks)).ends
        return spaces.significances(rows, cuts).reshape(len(ranks), -1)

    together = one(200, 1, 7, 330)
    for place, r in enumerate((200, 1, 7, 330)):
        assert one(r)[0].tobytes() == together[place].tobytes()
    values = decompose(spaces_of(text)[1].gram(0)).values
    assert np.sqrt(values[:8]) == pytest.approx(svd(text)[2][:8], rel=1e-10)
    table, _ = spaces_of(text)
    expected = significances(text, 7)
    assert together[2] == pytest.approx(np.array([expected[w] for w in table.words]), rel=1e-7)


def test_all_dimensions_of_a_very_long_text_are_refused(monkeypatch):
    monkeypatch.setattr("summetry.arrays.svd.MOST_SENTENCES", 3)
    assert len(decompose(np.eye(3)).values) == 3
    message = r"all together for up to 3 sentences, and this one has 4; ask for few of them, or cut"
    for refused in (decompose, lambda gram: decompose_leading(gram, 1)):
        with pytest.raises(SummetryError, match=message):
            refused(np.eye(4))
