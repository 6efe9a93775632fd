"""Pieces of text found again though blanks and line breaks differ."""

from hypothesis import given
from hypothesis import strategies as st

from summetry.text.finding import LooseText, dense

texts = st.text("ab \n\t ", max_size=12)


def test_a_line_break_that_was_left_out_is_no_hindrance():
    text = LooseText("It sank.\nNobody was hurt.")
    assert text.find("sank.Nobody") == (3, 15)
    assert text.fits("sank.Nobody", (3, 15)) and text.fits("sank.\nNobody ", (3, 15))


def test_a_span_outside_the_text_does_not_fit():
    text = LooseText("abc")
    for span in ((-1, 2), (2, 1), (0, 4), (2, 9)):
        assert not text.fits("abc", span)


def test_what_is_not_there_is_not_found():
    assert LooseText("abc").find("x") is None
    assert LooseText("").find("x") is None


def test_of_equally_near_places_the_first_is_taken():
    assert LooseText("a b a").find("a", near=2) == (0, 1)


def test_nothing_is_nowhere():
    assert LooseText("abc").find(" \n") is None


def test_scripts_without_blanks_and_letters_of_two_marks():
    assert LooseText("北京 下雨。e\u0301té").find("京下雨") == (1, 5)
    assert LooseText("北京 下雨。e\u0301té").find("e\u0301té") == (6, 10)


@given(texts, texts, st.integers(0, 12))
def test_it_is_the_nearest_of_all_spans_that_fit(text, piece, near):
    """Against every span of the text, tried one by one."""
    loose = LooseText(text)
    every = [
        (a, b)
        for a in range(len(text))
        for b in range(a + 1, len(text) + 1)
        if not text[a].isspace() and not text[b - 1].isspace() and dense(text[a:b]) == dense(piece)
    ]
    expected = min(every, key=lambda span: (abs(span[0] - near), span[0]), default=None)
    assert loose.find(piece, near) == expected
    assert all(loose.fits(piece, span) for span in every)
