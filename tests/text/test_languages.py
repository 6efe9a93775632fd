import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
import Stemmer

from summetry.errors import SummetryError
from summetry.text.languages import (
    Language,
    known_languages,
    language,
    language_code,
    read_language,
)

LISTS = ("abbreviations", "may_end", "before_number", "months", "stopwords")
RICH = ["en", "sv", "da", "de", "el", "nb", "nl", "fr", "es", "it", "pt", "fi", "ru", "ar"]
GOOD = 'name = "Testish"\nstemmer = ""\nspaced = true\n'


def raw(code: str) -> dict[str, list[str]]:
    file = files("summetry.text.languages") / f"{code}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def test_the_languages_are_sorted_and_those_we_promise() -> None:
    promised = [
        "ar",
        "da",
        "de",
        "el",
        "en",
        "es",
        "fi",
        "fr",
        "hi",
        "it",
        "ja",
        "nb",
        "ne",
        "nl",
        "pt",
        "ru",
        "sv",
        "th",
        "tr",
        "zh",
    ]
    assert known_languages() == sorted(known_languages())
    assert set(promised) <= set(known_languages())


@pytest.mark.parametrize("code", known_languages())
def test_every_file_loads_under_its_code(code: str) -> None:
    known = language(code)
    assert known.code == code
    assert known.name


@pytest.mark.parametrize("code", known_languages())
def test_words_are_casefolded_when_read(code: str) -> None:
    for name in LISTS:
        words = getattr(language(code), name)
        assert words == {word.casefold() for word in words}


@pytest.mark.parametrize("code", known_languages())
def test_lists_are_written_small_sorted_and_without_duplicates(code: str) -> None:
    for name in LISTS:
        words = raw(code)[name]
        folded = [word.casefold() for word in words]
        assert folded == sorted(set(folded))
        assert words == [word.lower() for word in words]


@pytest.mark.parametrize("code", known_languages())
def test_what_never_ends_a_sentence_is_in_no_other_list_of_abbreviations(code: str) -> None:
    known = language(code)
    assert not known.abbreviations & (known.may_end | known.before_number)


@pytest.mark.parametrize("code", known_languages())
def test_a_stemmer_is_one_of_snowballs(code: str) -> None:
    assert language(code).stemmer in {"", *Stemmer.algorithms()}


@pytest.mark.parametrize("code", known_languages())
def test_months_stand_where_ordinals_take_a_full_stop(code: str) -> None:
    assert bool(language(code).months) == language(code).ordinal_dot


@pytest.mark.parametrize("code", RICH)
def test_the_main_languages_have_a_hundred_stop_words(code: str) -> None:
    assert len(language(code).stopwords) >= 100


@pytest.mark.parametrize("code", ["en", "sv", "da", "de", "el"])
def test_the_first_languages_have_many_abbreviations(code: str) -> None:
    assert len(language(code).abbreviations) >= 60


def test_scripts_without_blanks_say_so() -> None:
    assert {code for code in known_languages() if not language(code).spaced} == {"ja", "th", "zh"}


@pytest.mark.parametrize(
    ("code", "base"), [("en-GB", "en"), ("zh_TW", "zh"), ("pt-BR", "pt"), ("SV", "sv")]
)
def test_a_region_falls_back_to_its_language(code: str, base: str) -> None:
    assert language(code) is language(base)


@pytest.mark.parametrize("code", ["", "xx", "../en", "e", "en.toml"])
def test_a_code_without_a_file_is_neutral(code: str) -> None:
    assert language(code) == Language(code=code)
    assert language(code).spaced
    assert not language(code).stemmer


def write(folder: Path, text: str) -> Path:
    file = folder / "qq.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_three_fields_make_a_language(tmp_path: Path) -> None:
    assert read_language(write(tmp_path, GOOD)) == Language(code="qq", name="Testish")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "qq.toml: expected TOML"),
        ('name = "Testish"', "qq.toml: expected the field 'stemmer'"),
        (GOOD + "stopword = []", "qq.toml: expected one of the fields .*, found 'stopword'"),
        (GOOD.replace('""', "3"), "qq.toml: expected text in the field 'stemmer', found 3"),
        (
            GOOD.replace("true", "1"),
            "qq.toml: expected true or false in the field 'spaced', found 1",
        ),
        (GOOD + 'may_end = "etc"', "qq.toml: expected a list of words in the field 'may_end'"),
        (GOOD + 'may_end = ["etc."]', "last full stop in the field 'may_end', found 'etc.'"),
        (GOOD + 'stopwords = ["of the"]', "without blanks .* field 'stopwords', found 'of the'"),
        (GOOD + "stopwords = [1]", "field 'stopwords', found 1"),
        (GOOD + 'stopwords = [""]', "field 'stopwords', found ''"),
        (GOOD + 'months = ["may"]', "qq.toml: expected an empty field 'months'"),
    ],
)
def test_a_broken_file_is_named_with_its_field(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SummetryError, match=message):
        read_language(write(tmp_path, text))


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    file = tmp_path / "qq.toml"
    file.write_bytes(b'name = "\xe5"')
    with pytest.raises(SummetryError, match=r"qq\.toml: expected TOML in UTF-8"):
        read_language(file)


def test_a_language_is_named_by_its_code_or_in_english():
    names = ("en", "English", " german ", "pt-BR", "zh_Hant", "pl", "")
    assert [language_code(name) for name in names] == [
        "en", "en", "de", "pt-BR", "zh_Hant", "pl", "",
    ]  # fmt: skip
    for code in known_languages():
        assert language_code(language(code).name.upper()) == code


def test_an_unknown_language_is_answered_with_a_near_one():
    with pytest.raises(SummetryError, match=r"no language is named 'swedisch'\. Did you mean 'swe"):
        language_code("swedisch")
