"""Tokens, titles, and pieces of text found again."""

import sys
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.text.finding import LooseText, dense
from summetry.text.titles import split_title
from summetry.text.tokens import TOKENIZERS, find_words, get_tokenizer


def cut(text, name="words"):
    return [text[a:b] for a, b in get_tokenizer(name)(text)]


# A tokenizer, a text, and the tokens with bars between them.
@pytest.mark.parametrize(("name", "text", "expected"), [
    ("words", "The dog's owner didn't pay.", "The|dog's|owner|didn't|pay"),
    ("words", "It’s 3.5 km, or 2,400 m.", "It’s|3.5|km|or|2,400|m"),
    ("words", "'Tis the dogs' well-known den", "Tis|the|dogs|well|known|den"),
    ("words", "Räkna på åtta öl, kl. 7.30!", "Räkna|på|åtta|öl|kl|7.30"),
    ("words", "Blåbærgrød på Ærø", "Blåbærgrød|på|Ærø"),
    ("words", "Die Straße, groß & grün", "Die|Straße|groß|grün"),
    ("words", "Η Αθήνα είναι μεγάλη.", "Η|Αθήνα|είναι|μεγάλη"),
    ("words", "مرحبا بالعالم، كيف الحال؟", "مرحبا|بالعالم|كيف|الحال"),
    ("words", "नेपाली भाषा सुन्दर छ।", "नेपाली|भाषा|सुन्दर|छ"),
    ("words", "北京天气。", "北|京|天|气"),
    ("words", "東京タワーへ行く", "東|京|タ|ワ|ー|へ|行|く"),
    ("words", "ภาษาไทย", "ภ|า|ษ|า|ไ|ท|ย"),
    ("words", "iPhone手机 v2", "iPhone|手|机|v2"),
    ("words", "cafe\u0301 au lait", "cafe\u0301|au|lait"),
    ("words", "", ""),
    ("words", "🙂 — ... !", ""),
    # What a reader sees.
    ("characters", "e\u0301 👨‍👩‍👧 ab", "e\u0301|👨‍👩‍👧|a|b"),
    ("blanks", "do n't , really !", "do|n't|,|really|!"),
    # Chinese by jieba, and the rest by the words.
    ("jieba", "我来到北京清华大学, didn't I", "我|来到|北京|清华大学|didn't|I"),
    ("icu", "ภาษาไทยง่าย", "ภาษา|ไทย|ง่าย"),
    ("icu", "😀 日本語の文章", "日本語|の|文章"),
])  # fmt: skip
def test_a_text_is_cut_into_tokens(name, text, expected):
    assert cut(text, name) == (expected.split("|") if expected else [])


@pytest.mark.parametrize("name", sorted(TOKENIZERS))
@given(text=st.text(max_size=40))
def test_spans_are_in_order_and_hold_no_white_space(name, text):
    spans = get_tokenizer(name)(text)
    ends = [0, *(end for _, end in spans)]
    assert all(a >= before and a < b for (a, b), before in zip(spans, ends, strict=False))
    assert not any(character.isspace() for a, b in spans for character in text[a:b])


@given(st.lists(st.text(max_size=10), max_size=5))
def test_cutting_at_blanks_first_gives_the_same_words(parts):
    text = " ".join(parts)
    assert [word for piece in text.split() for word in cut(piece)] == cut(text)


@pytest.mark.parametrize(("name", "package"), [("icu", "icu4py"), ("jieba", "rjieba")])
def test_a_missing_package_is_named_with_its_extra(name, package, monkeypatch):
    from summetry.text import tokens

    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, f"{package}.breakers", None)
    for function in (tokens._icu_pieces, tokens._jieba):
        function.cache_clear()
    with pytest.raises(SummetryError, match=rf"needs the package {package}.*pip install {package}"):
        cut("北京", name)


def test_a_megabyte_without_blanks_is_cut_in_no_time():
    with pytest.raises(SummetryError, match=r"no tokenizer is named 'word'. Did you mean 'words'"):
        get_tokenizer("word")
    assert len(find_words("北" * 300_000)) == 300_000
    assert len(find_words("a" * 1_000_000)) == 1
    assert len(find_words("1,1" * 100_000)) == 1


# --- titles ---------------------------------------------------------------------------------------

REST = "The ferry struck the pier. Nobody was hurt."


HEADS = [
    "The ferry struck the pier.", "Did the ferry strike the pier?", "“It sank!”", "In this report:",
    "1912", "- the ferry", "1. The ferry", "word " * 19, "w" * 121,
]  # fmt: skip
TITLE = "The ferry and the pier"


def test_a_short_line_with_an_empty_one_after_it_is_a_title():
    for line in (TITLE, "  Färjan:  en historia ", "Το πλοίο", "COVID-19 (part 2)"):
        assert split_title(f"{line}\n \n\n{REST}") == (" ".join(line.split()), REST)
    # What is long, ends like a sentence or stands alone is text.
    texts = ["", TITLE, f"{TITLE}\n\n", f"{TITLE}\n{REST}"]
    for text in (*texts, *[f"{head}\n\n{REST}" for head in HEADS]):
        assert split_title(text) == ("", text)


# --- pieces of text found again though blanks and line breaks differ ------------------------------


texts = st.text("ab \n\t ", max_size=12)
DENSE = "北京 下雨。e\u0301té"


@pytest.mark.parametrize(("text", "piece", "span"), [
    ("It sank.\nNobody was hurt.", "sank.Nobody", (3, 15)),
    ("abc", "x", None),
    ("", "x", None),
    ("abc", " \n", None),
    # Scripts without blanks, and letters of two marks.
    (DENSE, "京下雨", (1, 5)),
    (DENSE, "e\u0301té", (6, 10)),
])  # fmt: skip
def test_a_piece_is_found_though_blanks_differ(text, piece, span):
    assert LooseText(text).find(piece) == span
    if span:
        a, b = span
        assert LooseText(text).fits(piece, span) and LooseText(text).fits(f"{text[a:b]} ", span)


def test_of_equally_near_places_the_first_is_taken():
    assert LooseText("a b a").find("a", near=2) == (0, 1)
    # A span outside the text does not fit.
    for span in ((-1, 2), (2, 1), (0, 4), (2, 9)):
        assert not LooseText("abc").fits("abc", span)


@given(texts, texts, st.integers(0, 12))
def test_it_is_the_nearest_of_all_spans_that_fit(text, piece, near):
    """Against every span of the text, tried one by one."""
    loose = LooseText(text)
    spans = combinations(range(len(text) + 1), 2)
    solid = [(a, b) for a, b in spans if not (text[a].isspace() or text[b - 1].isspace())]
    every = [(a, b) for a, b in solid if dense(text[a:b]) == dense(piece)]
    expected = min(every, key=lambda span: (abs(span[0] - near), span[0]), default=None)
    assert loose.find(piece, near) == expected
    assert all(loose.fits(piece, span) for span in every)
