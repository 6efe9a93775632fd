"""Tokens: what a word is in many scripts, and that every tokenizer keeps to the text."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.text.tokens import TOKENIZERS, find_words, get_tokenizer


def words(text, name="words"):
    return [text[a:b] for a, b in get_tokenizer(name)(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dog's owner didn't pay.", ["The", "dog's", "owner", "didn't", "pay"]),
        ("It’s 3.5 km, or 2,400 m.", ["It’s", "3.5", "km", "or", "2,400", "m"]),
        ("'Tis the dogs' well-known den", ["Tis", "the", "dogs", "well", "known", "den"]),
        ("Räkna på åtta öl, kl. 7.30!", ["Räkna", "på", "åtta", "öl", "kl", "7.30"]),
        ("Blåbærgrød på Ærø", ["Blåbærgrød", "på", "Ærø"]),
        ("Die Straße, groß & grün", ["Die", "Straße", "groß", "grün"]),
        ("Η Αθήνα είναι μεγάλη.", ["Η", "Αθήνα", "είναι", "μεγάλη"]),
        ("مرحبا بالعالم، كيف الحال؟", ["مرحبا", "بالعالم", "كيف", "الحال"]),
        ("नेपाली भाषा सुन्दर छ।", ["नेपाली", "भाषा", "सुन्दर", "छ"]),
        ("北京天气。", ["北", "京", "天", "气"]),
        ("東京タワーへ行く", ["東", "京", "タ", "ワ", "ー", "へ", "行", "く"]),
        ("ภาษาไทย", ["ภ", "า", "ษ", "า", "ไ", "ท", "ย"]),
        ("iPhone手机 v2", ["iPhone", "手", "机", "v2"]),
        ("cafe\u0301 au lait", ["cafe\u0301", "au", "lait"]),
        ("", []),
        ("🙂 — ... !", []),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


def test_characters_are_what_a_reader_sees():
    assert words("e\u0301 👨‍👩‍👧 ab", "characters") == ["e\u0301", "👨‍👩‍👧", "a", "b"]


def test_text_between_blanks_is_left_as_it_is():
    assert words("do n't , really !", "blanks") == ["do", "n't", ",", "really", "!"]


def test_jieba_cuts_chinese_and_leaves_the_rest_to_the_words():
    assert words("我来到北京清华大学, didn't I", "jieba") == [
        "我", "来到", "北京", "清华大学", "didn't", "I",
    ]  # fmt: skip


def test_icu_cuts_thai_and_japanese_by_its_dictionaries():
    assert words("ภาษาไทยง่าย", "icu") == ["ภาษา", "ไทย", "ง่าย"]
    assert words("😀 日本語の文章", "icu") == ["日本語", "の", "文章"]


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
    assert [w for piece in text.split() for w in words(piece)] == words(text)


def test_an_unknown_tokenizer_suggests_the_right_one():
    with pytest.raises(SummetryError, match=r"no tokenizer is named 'word'. Did you mean 'words'"):
        get_tokenizer("word")


@pytest.mark.parametrize(("name", "package"), [("icu", "icu4py"), ("jieba", "rjieba")])
def test_a_missing_package_is_named_with_its_extra(name, package, monkeypatch):
    from summetry.text import tokens

    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setitem(sys.modules, f"{package}.breakers", None)
    for function in (tokens._icu_pieces, tokens._jieba):
        function.cache_clear()
    with pytest.raises(SummetryError, match=rf"needs the package {package}.*pip install {package}"):
        words("北京", name)


def test_a_megabyte_without_blanks_is_cut_in_no_time():
    assert len(find_words("北" * 300_000)) == 300_000
    assert len(find_words("a" * 1_000_000)) == 1
    assert len(find_words("1,1" * 100_000)) == 1
