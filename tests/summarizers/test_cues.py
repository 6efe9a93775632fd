"""Lists of cue words, and counting words and phrases in a table."""

import tomllib
from importlib.resources import files

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from summetry.arrays.token_tables import build_table
from summetry.errors import SummetryError
from summetry.summarizers._cues import cues, known_cues, read_cues
from summetry.summarizers._words import count_phrases
from summetry.text.languages import known_languages
from summetry.text.pipeline import LanguagePipeline

LISTS = ("bonus", "stigma", "phrases")
GOOD = "bonus = []\nstigma = []\nphrases = []\n"


def test_the_languages_that_we_promise_have_lists():
    assert {"en", "sv", "de", "da", "el", "es", "fr"} <= set(known_cues()) <= set(known_languages())
    assert known_cues() == sorted(known_cues())


@pytest.mark.parametrize("code", known_cues())
def test_every_entry_is_written_once_in_lower_case(code):
    raw = tomllib.loads((files("summetry.summarizers._cues") / f"{code}.toml").read_text("utf-8"))
    for name in LISTS:
        assert len(raw[name]) >= 10
        assert len(raw[name]) == len(set(raw[name]))
        assert [entry for entry in raw[name] if entry != entry.lower()] == []


@pytest.mark.parametrize("code", known_cues())
def test_no_entry_is_good_and_bad_and_all_can_be_found(code):
    lists = cues(code)
    assert not set(lists.bonus) & set(lists.stigma)
    for entries in (lists.bonus, lists.stigma, lists.phrases):
        table = LanguagePipeline().encode(entries, [code] * len(entries))
        spelt = [tuple(table.text(i)) for i in range(len(table))]
        assert all(spelt) and len(spelt) == len(set(spelt))


def test_a_region_has_the_list_of_its_language():
    assert cues("en-GB") is not None and cues("sv_FI") == cues("sv")


def test_a_language_without_a_list_is_named():
    with pytest.raises(SummetryError, match=r"no cue words for the language 'xx'; .*: da, de, el"):
        cues("xx")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bonus = ", "qq.toml: expected TOML"),
        ("bonus = []", "qq.toml: expected the field 'stigma', found none"),
        ("", "qq.toml: expected the field 'bonus', found none"),
        (GOOD + "more = []", "expected one of the fields bonus, stigma, phrases, found 'more'"),
        (GOOD.replace("bonus = []", "bonus = 3"), "expected a list in the field 'bonus', found 3"),
        (GOOD.replace("stigma = []", 'stigma = ["a  b"]'), "in the field 'stigma', found 'a  b'"),
        (GOOD.replace("stigma = []", 'stigma = [""]'), "in the field 'stigma', found ''"),
        (GOOD.replace("phrases = []", "phrases = [1]"), "in the field 'phrases', found 1"),
    ],
)
def test_a_broken_file_is_named_with_its_field(tmp_path, text, message):
    file = tmp_path / "qq.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SummetryError, match=message):
        read_cues(file)


texts = st.lists(st.lists(st.sampled_from("abc"), max_size=8), max_size=5)
phrases = st.lists(st.lists(st.sampled_from("abcd"), max_size=3), max_size=6)


@settings(max_examples=90)
@given(texts, phrases)
def test_phrases_are_counted_as_by_hand(rows, listed):
    table = build_table([" ".join(row) for row in rows], lambda pieces: [[p] for p in pieces])
    distinct = {tuple(phrase) for phrase in listed if phrase}
    expected = [
        sum(
            tuple(row[at : at + len(phrase)]) == phrase
            for at in range(len(row))
            for phrase in distinct
        )
        for row in rows
    ]
    assert count_phrases(table, listed).tolist() == expected
