"""Lengths, and filling them, against definitions that try everything."""

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.records.lengths import (
    Filling,
    Length,
    exact,
    fill,
    is_reachable,
    mean_length,
    parse_length,
    share_of_words,
)


@st.composite
def fillings(draw):
    """An order of some units, the lengths of all, a limit with or without a fraction, a gap."""
    lengths = draw(st.lists(st.integers(0, 9), max_size=8))
    order = draw(st.permutations(range(len(lengths))))
    order = order[: draw(st.integers(0, len(order)))]
    limit = draw(st.fractions(0, 40, max_denominator=7) | st.integers(0, 40))
    return order, lengths, limit, draw(st.integers(0, 2))


def length_of(units, lengths, gap):
    return sum(lengths[unit] for unit in units) + gap * max(len(units) - 1, 0)


# --- hand-worked ------------------------------------------------------------------------------


def test_a_fraction_of_a_limit_is_exact():
    # Three units of a tenth of 30 words each: 0.1 * 3 <= 0.3 is false for floats.
    limit = Length("percent", exact("30")).limit([1] * 10)
    assert fill(range(10), [1] * 10, limit) == Filling((0, 1, 2))
    limit = Length("percent", exact("29")).limit([1] * 100)
    assert len(fill(range(100), [1] * 100, limit).units) == 29


# --- the definition, by trying all beginnings of the order -----------------------------------


@given(fillings())
@example(([2, 0, 1], [4, 3, 5], 9, 0))  # Two units are exactly as long as the limit.
def test_stop_takes_the_longest_beginning_that_fits_and_overshoot_the_shortest_above(drawn):
    order, lengths, limit, gap = drawn
    beginnings = [tuple(order[:count]) for count in range(len(order) + 1)]
    fitting = [units for units in beginnings if length_of(units, lengths, gap) <= limit]
    assert fill(order, lengths, limit, "stop", gap) == Filling(fitting[-1])
    enough = [units for units in beginnings if length_of(units, lengths, gap) >= limit]
    expected = enough[0] if enough else tuple(order)
    assert fill(order, lengths, limit, "overshoot", gap) == Filling(expected)


@given(fillings())
def test_skip_leaves_out_only_what_does_not_fit_beside_those_above_it(drawn):
    order, lengths, limit, gap = drawn
    taken = fill(order, lengths, limit, "skip", gap).units
    assert [unit for unit in order if unit in taken] == list(taken)
    assert length_of(taken, lengths, gap) <= limit or not taken
    for place, unit in enumerate(order):
        if unit not in taken:
            above = [other for other in order[:place] if other in taken]
            assert length_of([*above, unit], lengths, gap) > limit


@given(fillings())
@example(([0, 1], [2, 1], Fraction(5, 2), 0))  # Half a word is no room for a word.
def test_cut_is_stop_with_the_room_that_is_left_filled_up(drawn):
    order, lengths, limit, gap = drawn
    whole = fill(order, lengths, limit, "stop", gap).units
    filling = fill(order, lengths, limit, "cut", gap)
    assert filling.units == whole
    room = int(limit) - length_of(whole, lengths, gap) - (gap if whole else 0)
    if len(whole) < len(order) and room > 0:
        assert (filling.cut, filling.kept) == (order[len(whole)], room)
        assert room < lengths[filling.cut]
    else:
        assert filling.cut is None


def test_an_unknown_fit_rule_is_refused():
    with pytest.raises(SummetryError, match="fit must be one of stop, skip, overshoot, cut, got"):
        fill([0], [1], 1, "squeeze")


# --- lengths ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("texts", "length", "shown"), [
    (["100 words", "100words"], Length("words", 100), "100 words"),
    (["1 words"], Length("words", 1), "1 word"),
    (["3 sentences", "3", 3, np.int64(3), "3 units"], Length("units", 3), "3 units"),
    (["1 sentence"], Length("units", 1), "1 unit"),
    (["30%", "30 percent"], Length("percent", 30), "30%"),
    (["30% of the bytes"], Length("percent", 30, "bytes"), "30% of bytes"),
    (["665 bytes"], Length("bytes", 665), "665 bytes"),
    ([" 140 Characters "], Length("characters", 140), "140 characters"),
    (["12.5 %", "12.5 per cent", "12.50 %"], Length("percent", Fraction(25, 2)), "12.5%"),
    (["100/3 percent", "100/3%"], Length("percent", Fraction(100, 3)), "100/3%"),
    (["mean"], Length("mean"), "mean"),
    (["1000000000000000000007 bytes"], Length("bytes", 10**21 + 7),
     "1000000000000000000007 bytes"),
])  # fmt: skip
def test_equal_lengths_are_read_and_spelt_alike(texts, length, shown):
    assert [Length.parse(text) for text in texts] == [length] * len(texts)
    assert (str(length), Length.parse(shown)) == (shown, length)


@given(
    st.builds(Length, st.sampled_from(["units", "words", "bytes"]), st.integers(1, 10**20))
    | st.builds(Length, st.just("percent"), st.fractions(0.001, 100))
)
def test_the_spelling_of_a_length_reads_back(length):
    assert Length.parse(str(length)) == length


def test_a_length_that_makes_no_sense_is_refused(refused):
    refused(lambda *given: Length(*given) if given[1:] else Length.parse(*given), [
        "", "0.3", "words", "3 mean", "3 lines", "0 words", "1.5 words", "101 percent",
        "1.2.3 percent", "1/0 percent", "30 percent of pages", "30 words of bytes",
        0.3, True, None, Fraction(3), ["3"], ("pages", 2), ("mean", 3), ("words", -3),
    ])  # fmt: skip


@pytest.mark.parametrize(("length", "gap", "counted", "limit"), [
    ("3 sentences", 0, "units", 3),
    ("20 words", 0, "words", 20),
    ("7 characters", 0, "characters", 7),
    ("7 bytes", 0, "bytes", 7),
    ("30 percent", 0, "words", Fraction(36, 10)),
    ("100 percent", 0, "words", 12),
    ("mean", 0, "words", Fraction(19, 3)),
    # Lengths 3, 5 and 4, with 1 between two units: 14 in all.
    ("50 percent of characters", 1, "characters", 7),
    ("50% of the Bytes", 1, "bytes", 7),
    ("50 % of sentences", 1, "units", 7),
    ("mean of characters", 1, "characters", Fraction(9 + 4 + 8, 3)),
    ("50 percent of words", 1, "words", 7),
])  # fmt: skip
def test_the_limit_and_what_it_counts(length, gap, counted, limit):
    parsed = Length.parse(length)
    assert parsed.counted == counted
    assert parsed.limit([3, 5, 4], [{0, 1}, {2}, {2, 0}], gap=gap) == limit
    assert Length.parse(str(parsed)) == parsed


def test_the_mean_length_counts_a_unit_once_and_an_empty_extract_as_nothing():
    assert mean_length([3, 5], [(0, 0)]) == 3
    assert mean_length([3, 5], [(0, 1), ()]) == 4
    with pytest.raises(SummetryError, match=r"needs extracts, found none; extracts.jsonl would"):
        Length("mean").limit([3, 5])


def test_a_number_is_taken_as_it_is_written():
    assert exact(0.1) * 3 == exact("0.3") == Fraction(3, 10)
    assert exact(7) == 7
    assert exact("1e2") == exact(1e2) == 100
    assert Length("percent", 0.3) == Length.parse("0.3 percent") == Length("percent", exact("3/10"))
    # No float has such exponents.
    for text in (float("nan"), "1e999999999", "1E-999999999", "1e309", "1e", "e5"):
        with pytest.raises(SummetryError, match=f"expected a number, found '{text}'"):
            exact(text)


def test_a_length_for_all_topics_or_for_each():
    assert parse_length("30%").of_topic("any") == Length("percent", 30)
    lengths = parse_length({"t1": "37%", "t2": 3})
    assert lengths.of_topic("t1") == Length("percent", 37)
    assert parse_length(lengths) is lengths
    with pytest.raises(SummetryError, match="length: expected a length for topic 't3', found none"):
        lengths.of_topic("t3")
    with pytest.raises(SummetryError, match="cannot read the length 'x'"):
        parse_length({"t1": "x"})


@pytest.mark.parametrize("seed", range(20))
def test_a_length_can_be_reached_if_one_of_all_choices_has_it(seed):
    draw = random.Random(seed)
    words = [draw.randrange(12) for _ in range(draw.randrange(1, 8))]
    shares = {
        share_of_words(units, words)
        for count in range(len(words) + 1)
        for units in combinations(range(len(words)), count)
    }
    for low in range(0, 95, 5):
        for high in (low + 1, low + 4):
            fits = not sum(words) or any(low <= share <= high for share in shares)
            assert is_reachable(words, low, high) == fits
