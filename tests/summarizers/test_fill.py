"""From rankings to summaries: order, cutting, what is stored."""

from dataclasses import dataclass
from fractions import Fraction

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.records.lengths import Budget
from summetry.records.topics import Document, Topic
from summetry.summarizers import Ranking, Source
from summetry.summarizers._fill import beginning, make_summary, wanted_units
from summetry.text.tokens import find_words

UNITS = ("One two.", "Three four five.", "Six.", "Seven eight nine ten.")


@dataclass(frozen=True)
class Given:
    """A summarizer that takes units in the order it is told."""

    order: tuple[int, ...]
    name = "given"

    def rank(self, source, wanted):
        return Ranking(self.order)


def source(units=UNITS, language="en", unit="sentence"):
    return Source(Topic("t", unit=unit, documents=(Document("d", units=tuple(units)),)), language)


def make(order, budget, fit="stop", **settings):
    return make_summary(source(**settings), Given(order), Budget.parse(budget), fit)


def test_units_stand_in_the_order_of_the_source():
    made = make((3, 0, 2, 1), "7 words")
    assert made.units == (0, 2, 3)
    assert made.text == "One two. Six. Seven eight nine ten."
    record = made.record("given", budget="7 words")
    assert (record.topic, record.author, record.role) == ("t", "given", "candidate")
    assert (record.units, record.text, record.sentences) == ((0, 2, 3), None, None)
    assert record.meta == {"budget": "7 words"}


@pytest.mark.parametrize(
    ("budget", "units"),
    [
        ("2 sentences", (1, 3)),
        ("7 words", (1, 3)),
        ("6 words", (3,)),
        ("70 percent", (1, 3)),
        ("69 percent", (3,)),
        # 21 and 16 characters and the blank between them.
        ("38 characters", (1, 3)),
        ("37 characters", (3,)),
        ("38 bytes", (1, 3)),
    ],
)
def test_what_is_counted(budget, units):
    assert make((3, 1, 0, 2), budget).units == units


def test_bytes_are_those_of_utf_8_and_scripts_without_blanks_have_none_between():
    assert make((0, 1), "9 bytes", units=["Zoë.", "Eve."]).units == (0,)
    assert make((0, 1), "10 bytes", units=["Zoë.", "Eve."]).units == (0, 1)
    chinese = ["没有人。", "受伤。"]
    assert make((0, 1), "7 characters", units=chinese, language="zh").units == (0, 1)
    assert make((0, 1), "7 characters", units=chinese, language="en").units == (0,)


@pytest.mark.parametrize(
    ("budget", "pieces"),
    [
        ("6 words", ("Seven eight nine ten.", "Three four")),
        ("5 words", ("Seven eight nine ten.", "Three")),
        ("4 words", ("Seven eight nine ten.",)),
        ("3 words", ("Seven eight nine",)),
        ("7 words", ("Three four five.", "Seven eight nine ten.")),
        ("24 characters", ("Seven eight nine ten.", "Th")),
        ("22 characters", ("Seven eight nine ten.",)),
        ("28 bytes", ("Seven eight nine ten.", "Three")),
        ("3 bytes", ("Sev",)),
    ],
)
def test_what_is_cut_stands_last(budget, pieces):
    made = make((3, 1, 0, 2), budget, "cut")
    assert made.pieces == pieces


def test_a_summary_that_was_cut_is_stored_as_text_since_it_is_no_extract():
    made = make((3, 1), "5 words", "cut")
    record = made.record("given")
    assert (record.units, record.sentences) == (None, ("Seven eight nine ten.", "Three"))
    record = make((3, 1), "5 words", "cut", unit="paragraph").record("given")
    assert (record.sentences, record.text) == (None, "Seven eight nine ten. Three")


def test_a_source_that_ran_out_is_told_from_one_that_fills_the_budget():
    assert make((0, 1), "9 words").ran_out
    assert not make((0, 1), "5 words").ran_out
    assert not make((0, 1), "3 words").ran_out
    assert make((), "3 words").ran_out
    assert not make((3, 2, 1, 0), "100 percent").ran_out
    assert make((3, 2, 1, 0), "100 percent").units == (0, 1, 2, 3)


def test_the_first_unit_that_does_not_fit_leaves_an_empty_summary():
    made = make((3, 2), "2 words")
    assert (made.units, made.text, made.ran_out) == ((), "", False)
    assert make((3, 2), "2 words", "skip").units == (2,)


@pytest.mark.parametrize(
    ("lengths", "limit", "wanted"),
    [
        ([1, 1, 1], 2, 2),
        ([1, 1, 1], 9, 3),
        ([10, 20, 30], 50, 3),
        ([10, 20, 30], Fraction(49), 2),
        ([10, 20, 30], 3, 1),
        ([], 3, 0),
        ([0, 0], 3, 2),
    ],
)
def test_about_how_many_units_are_wanted(lengths, limit, wanted):
    assert wanted_units(lengths, Fraction(limit)) == wanted


TEXTS = st.text(max_size=20) | st.lists(
    st.sampled_from(
        ["a", "bc", " ", "\n", "é", "e\u0301", "👩‍👩‍👧", "🇸🇪", "北", "ก็", "don't", "2,4", "."]
    )
).map("".join)


@settings(max_examples=400)
@given(TEXTS, st.integers(1, 12), st.sampled_from(["words", "characters", "bytes"]))
def test_the_beginning_of_a_text_is_the_longest_that_fits_and_splits_no_character(
    text, most, counted
):
    found = beginning(text, most, counted)
    assert text.startswith(found)
    if counted == "words":
        assert len(find_words(found)) == min(most, len(find_words(text)))
        return
    size = len if counted == "characters" else lambda part: len(part.encode())
    borders = [0, *(match.end() for match in regex.finditer(r"\X", text))]
    fitting = [text[:end] for end in borders if size(text[:end]) <= most]
    assert found == max(fitting, key=len).rstrip()


def test_a_per_cent_of_characters_is_of_the_text_with_its_blanks():
    # 8 + 16 + 4 + 21 characters and three blanks are 52; the first two with theirs are 25.
    assert make((0, 1, 2, 3), "49% of characters").units == (0, 1)  # of 25.48
    assert make((0, 1, 2, 3), "48% of characters").units == (0,)  # of 24.96
    assert make((3, 2, 1, 0), "50% of units").units == (2, 3)
