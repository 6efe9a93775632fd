"""Lengths of the rows of A^T A, against the matrix itself."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from summetry.arrays import gram_rows
from summetry.arrays.gram_rows import gram_row_lengths, is_shorter_by_terms


def sparse(terms, sentences, share, seed=5):
    random = np.random.default_rng(seed)
    filled = random.random((terms, sentences)) < share
    return np.where(filled, random.random((terms, sentences)) + 0.1, 0.0)


@pytest.mark.parametrize("shape", [(1, 1), (3, 50), (50, 3), (40, 200), (1, 0), (5, 4)])
@pytest.mark.parametrize("block", [1, 30, 1_000_000])
def test_the_lengths_are_those_of_the_matrix(monkeypatch, shape, block):
    monkeypatch.setattr(gram_rows, "_BLOCK", block)
    dense = sparse(*shape, share=0.2)
    plain = np.sqrt(((dense.T @ dense) ** 2).sum(axis=1))
    # Sums in another order: some last digits.
    assert gram_row_lengths(csr_array(dense)) == pytest.approx(plain, rel=1e-12)


def test_many_short_sentences_go_by_terms_and_a_few_long_ones_do_not():
    assert is_shorter_by_terms(csr_array(sparse(20, 2000, 0.1)))
    assert not is_shorter_by_terms(csr_array(sparse(2000, 20, 0.1)))
