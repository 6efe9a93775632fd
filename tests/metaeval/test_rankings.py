"""What a comparison is asked for, and what its tests could not have shown: by hand."""

import numpy as np
import pytest
from rankings import compare, table_of

from summetry.errors import SummetryError
from summetry.metaeval.rankings import CompareSettings


def test_a_test_that_cannot_find_anything_says_so():
    few = {f"s{i}": np.random.default_rng(i).random(9).tolist() for i in range(6)}
    ranking = compare(table_of(few))
    # 15 times 2 / 2^9 is 0.0586.
    assert ranking.notes == (
        "nothing can be significant here: the smallest p of 9 topics is 0.0039, corrected for "
        "15 comparisons 0.059; more topics, or test='t', can show more",
    )
    for way in ({"test": "t"}, {"correction": "bh"}, {"correction": "none"}, {"alpha": 0.1}):
        assert compare(table_of(few), **way).notes == ()
    many = {f"s{i}": np.random.default_rng(i).random(30).tolist() for i in range(6)}
    (note,) = compare(table_of(many), draws=99).notes
    assert "the smallest p of 99 permutations is 0.01, corrected for 15 comparisons 0.15" in note
    assert "draws=299 or more" in note
    assert compare(table_of(many), draws=299).notes == ()
    # Uncorrected, as many draws are enough as make p small by itself.
    (note,) = compare(table_of(many), draws=9, correction="bh").notes
    assert "the smallest p of 9 permutations is 0.1; draws=19 or more" in note
    assert compare(table_of(many), draws=19, correction="bh").notes == ()


def test_against_a_baseline_there_are_fewer_tests_than_behind_the_letters():
    """15 times 2 / 2^9 is 0.0586 for the letters, 5 times 0.0195 against a named system."""
    few = {f"s{i}": np.random.default_rng(i).random(9).tolist() for i in range(6)}
    (note,) = compare(table_of(few), baseline="s1").notes
    assert note.startswith(
        "only comparisons with s1 can be significant here: elsewhere the smallest p of 9 topics is "
        "0.0039, corrected for 15 comparisons 0.059; more topics"
    )
    # Of seven topics p is 2 / 2^7 = 0.0156, five times that 0.078: nothing is significant.
    fewer = {name: scores[:7] for name, scores in few.items()}
    (note,) = compare(table_of(fewer), baseline="s1").notes
    assert note.startswith("nothing can be significant here")


def test_what_was_found_is_not_said_to_be_impossible():
    """Of 30 topics 24 differ, always the same way: all signs are counted, p = 2 / 2^24.

    Ten draws could not give a p below 1/11, but this one is not drawn.
    """
    ranking = compare(table_of({"a": [1] * 24 + [0] * 6, "b": [0] * 30}), draws=10)
    assert ranking.against[0].p == 2 / 2**24
    assert ranking.verdict(ranking.against[0]) == "worse" and ranking.notes == ()


def test_many_systems_get_the_permutations_that_they_need():
    """40 systems have 780 pairs: 10,000 permutations could reject nothing at alpha 0.05."""
    usual = CompareSettings()
    assert usual.permutations(15) == usual.resamples == 10_000
    assert usual.permutations(780) == 2 * (780 * 20 - 1)
    assert CompareSettings(correction="bh").permutations(780) == 10_000
    assert CompareSettings(draws=99).permutations(780) == CompareSettings(draws=99).resamples == 99
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=(40, 30))
    numbers[0] += 5
    ranking = compare(table_of({f"s{k}": row for k, row in enumerate(numbers.tolist())}))
    assert all(pair.corrected <= 0.05 for pair in ranking.against)
    assert not [note for note in ranking.notes if "nothing can be significant" in note]


def test_mistakes_are_named():
    table = table_of({"a": [1, 2, 4], "b": [4, 6, 8]})
    with pytest.raises(SummetryError, match="no paired test is named 'z'"):
        compare(table, test="z")
    with pytest.raises(SummetryError, match=r"no correction is named 'tukey'\. Known: bh, bonf"):
        compare(table, correction="tukey")
    with pytest.raises(SummetryError, match=r"alpha must be between 0 and 1, such as 0.05, got 5"):
        compare(table, alpha=5)
    with pytest.raises(SummetryError, match="draws must be 1 or more, got 0"):
        compare(table, draws=0)
    with pytest.raises(SummetryError, match=r"draws must be 10,000,000 or fewer, got 10,000,001"):
        compare(table, draws=10_000_001)
    with pytest.raises(SummetryError, match="seed must be 0 or more, got -1"):
        CompareSettings(seed=-1)
