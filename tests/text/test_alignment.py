"""Extracts that are given as text, and the units of the source that they hold."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.text.alignment import align

SCHOOL = [
    "ذهب أحمد إلى المدرسة صباح اليوم.",
    "قال المدير: «وصل الطلاب متأخرين، ولم يشرح أحد السبب».",
    "هذا شيء غريب على مدى سنة ١٩٩٠.",
    "نعم.",
]
FERRY = [
    "He said “don’t go” to her.",
    "ABC12 opens in Japan in 2007.",
    "2007.",
    "Yes.",
    "It rained.",
    "Yes.",
    "The ferry, which had left the old pier at noon with nine cars on board, sank.",
]


# The sentences that are found, each with its units and how, as a reader of both texts would say.
@pytest.mark.parametrize(("source", "text", "expected"), [
    (SCHOOL, SCHOOL[1], [((1,), "exact")]),
    # Without hamza and dots of teh marbuta; with diacritics; with tatweel; with other quotes.
    (SCHOOL, "ذهب احمد الى المدرسه صباح اليوم", [((0,), "normalised")]),
    (SCHOOL, "ذَهَبَ أحمدُ إلى الـمـدرسـة صَباحَ اليوم", [((0,), "normalised")]),
    (SCHOOL, 'قال المدير: "وصل الطلاب متأخرين ولم يشرح أحد السبب"', [((1,), "normalised")]),
    # Another seat of the hamza, alef for yeh, other digits.
    (SCHOOL, "هذا شئ غريب علي مدي سنة 1990", [((2,), "normalised")]),
    # Two sentences joined in another order, and one in two lines.
    (SCHOOL, "هذا شيء غريب على مدى سنة ١٩٩٠ نعم", [((2,), "exact"), ((3,), "exact")]),
    (SCHOOL, "قال المدير: «وصل الطلاب\nمتأخرين، ولم يشرح أحد السبب", [((1,), "exact")]),
    # A sentence whose halves are given as two; three of four words are too few.
    (SCHOOL, "وصل الطلاب متأخرين كلهم. ولم يشرح أحد السبب.", [((), "lost"), ((1,), "near")]),
    (SCHOOL, "هبت عاصفة على المدرسة.", [((), "lost")]),
    (FERRY, "He said \"don't go\"\nTO HER", [((0,), "normalised")]),
    (FERRY, "ＡＢＣ１２ opens in Jap\u00adan in\u200b 2007.", [((1,), "normalised")]),
    # The year is no unit of its own inside a sentence that has one word more.
    (FERRY, "ABC12 opens in Japan again in 2007", [((1,), "near")]),
    (FERRY, "The ferry, which had left the old pier at noon. With nine cars on board (!) it sank.",
     [((6,), "near"), ((6,), "near")]),
    # Two sentences and a foreign one without a mark between them, none as it is in the source.
    (FERRY, "ABC12 opens in all Japan in 2007 the ferry which had left the pier at noon with nine "
     "cars sank a storm broke all windows", [((1,), "near"), ((6,), "near"), ((), "lost")]),
    # Four words that are the half of a sentence are not enough beside others.
    (FERRY, "ABC12 opens in Japan but nobody among its rivals there knows when", [((), "lost")]),
    # Of two equal sentences the one that is not taken yet.
    (FERRY, "Yes. Yes.", [((3,), "exact"), ((5,), "exact")]),
    (FERRY, "Yes. Yes. Yes.", [((3,), "exact"), ((5,), "exact"), ((3,), "exact")]),
    (FERRY, "It rained. A pier sank.", [((4,), "exact"), ((), "lost")]),
    (["北京天气很好。", "明天下雨。"], "北京天气很好！", [((0,), "exact")]),
    (FERRY, " \n", []),
    (FERRY, "***", [((), "lost")]),
])  # fmt: skip
def test_sentences_are_found_as_a_reader_would_find_them(source, text, expected):
    found = align(text, source, "ar" if source is SCHOOL else "")
    assert [(match.units, match.how) for match in found.matches] == expected


@given(st.integers(0, 2**32))
def test_whoever_copies_units_with_small_differences_has_chosen_these(seed):
    random = Random(seed)
    words = ["أحمد", "مدرسة", "إلى", "don’t", "Straße", "Ελλάδα", "naïve", "２００７"]
    units = [" ".join([f"n{i}", *random.choices(words, k=random.randint(1, 12))]) for i in range(9)]
    chosen = random.sample(range(9), random.randint(1, 9))
    swaps = [("أ", "ا"), ("ة", "ه"), ("د", "دـ"), ("’", "'"), ("ß", "ss"), ("ï", "i"),
             ("２００７", "2007"), ("λλ", "ΛΛ"), ("إ", "إِ"), (" ", "\n")]  # fmt: skip
    pieces = [units[unit] for unit in chosen]
    for place, piece in enumerate(pieces):
        for old, new in random.sample(swaps, 3):
            piece = piece.replace(old, new)
        pieces[place] = piece + random.choice([". ", "! ", " ", "\n", ".\r\n"])
    found = align("".join(pieces), [f"{unit}." for unit in units])
    assert [match.units for match in found.matches] == [(unit,) for unit in chosen]
    assert {match.how for match in found.matches} <= {"exact", "normalised"}
