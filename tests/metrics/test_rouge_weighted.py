"""ROUGE-W: many tables side by side against one table at a time."""

import numpy as np
import pytest

from summetry.metrics._rouge_weighted import weighted_mark_pairs, weighted_marks
from summetry.text.vocabulary import build_table


@pytest.mark.parametrize("longest", [3, 16, 64, 70])
@pytest.mark.parametrize("weight", [1.2, 2.0, 0.5])
def test_a_batch_marks_what_one_table_marks(longest, weight):
    random = np.random.default_rng(longest)
    texts = [
        " ".join(random.choice(list("abcd"), size=random.integers(0, longest + 1)))
        for _ in range(30)
    ]
    table = build_table(texts, lambda pieces: [[piece] for piece in pieces])
    marked, other = random.integers(0, 30, 80), random.integers(0, 30, 80)
    found = weighted_mark_pairs(table, marked, other, weight)
    start = 0
    for m, o in zip(marked, other, strict=True):
        expected = weighted_marks(table.row(m).tolist(), table.row(o).tolist(), weight)
        assert found[start : start + len(expected)].tolist() == expected
        start += len(expected)
    assert start == len(found)


def test_a_longer_run_weighs_more_than_a_scattered_match():
    # "ab" in one piece is worth 4 of weight 2; a and b apart are worth 1 each.
    assert weighted_marks("abxab", "ab", 2.0) == [False, False, False, True, True]
    assert weighted_marks("axb", "ab", 2.0) == [True, False, True]
