"""The files of languages, and the language of a text, told from its stop words."""

import tomllib
from importlib.resources import files

import pytest
import Stemmer
from format_checks import refusal
from hypothesis import given
from hypothesis import strategies as st

from summetry.errors import SummetryError
from summetry.text.guessing import guess_among, guess_language, stop_word_shares
from summetry.text.languages import (
    Language,
    known_languages,
    language,
    language_code,
    read_language,
)

LISTS = ("abbreviations", "may_end", "before_number", "months", "stopwords")
PROMISED = "ar da de el en es fi fr hi it ja nb ne nl pt ru sv th tr zh"
RICH = "en sv da de el nb nl fr es it pt fi ru ar"
GOOD = 'name = "Testish"\nstemmer = ""\nspaced = true\n'


def test_the_languages_are_sorted_and_those_we_promise():
    assert known_languages() == sorted(known_languages())
    assert set(PROMISED.split()) <= set(known_languages())


@pytest.mark.parametrize("code", known_languages())
def test_every_language_is_written_by_the_rules(code):
    known = language(code)
    assert known.code == code and known.name
    raw = tomllib.loads((files("summetry.text.languages") / f"{code}.toml").read_text("utf-8"))
    for name in LISTS:
        folded = [word.casefold() for word in raw[name]]
        assert getattr(known, name) == set(folded)
        assert folded == sorted(set(folded))
        assert raw[name] == [word.lower() for word in raw[name]]
    # What never ends a sentence is in no other list of abbreviations.
    assert not known.abbreviations & (known.may_end | known.before_number)
    assert known.stemmer in {"", *Stemmer.algorithms()}
    # Months stand where ordinals take a full stop.
    assert bool(known.months) == known.ordinal_dot
    assert len(known.stopwords) >= (100 if code in RICH.split() else 0)
    assert len(known.abbreviations) >= (60 if code in ("en", "sv", "da", "de", "el") else 0)
    assert known.spaced == (code not in ("ja", "th", "zh"))


def test_a_region_falls_back_to_its_language_and_a_code_without_a_file_is_neutral():
    for code, base in (("en-GB", "en"), ("zh_TW", "zh"), ("pt-BR", "pt"), ("SV", "sv")):
        assert language(code) is language(base)
    for code in ("", "xx", "../en", "e", "en.toml"):
        neutral = language(code)
        assert neutral == Language(code=code) and neutral.spaced and not neutral.stemmer


def test_a_broken_file_is_named_with_its_field(tmp_path, refused):
    def read(content):
        (tmp_path / "qq.toml").write_bytes(content.encode("latin-1"))
        return read_language(tmp_path / "qq.toml")

    assert read(GOOD) == Language(code="qq", name="Testish"), "three fields are enough"
    lists = ['may_end = "etc"', 'may_end = ["etc."]', 'stopwords = ["of the"]', "stopwords = [1]"]
    added = [GOOD + line for line in ("stopword = []", *lists, 'months = ["may"]')]
    changed = [GOOD.replace('""', "3"), GOOD.replace("true", "1"), *added]
    assert refusal(read, "name = ").startswith("qq.toml: expected TOML in UTF-8, found: ")
    refused(read, ['name = "\xe5"', 'name = "Testish"', *changed])


def test_a_language_is_named_by_its_code_or_in_english():
    codes = {"en": "en", "English": "en", " german ": "de", "pt-BR": "pt-BR", "zh_Hant": "zh_Hant"}
    codes |= {"pl": "pl", "": ""} | {language(c).name.upper(): c for c in known_languages()}
    assert {name: language_code(name) for name in codes} == codes
    with pytest.raises(SummetryError, match=r"no language is named 'swedisch'\. Did you mean 'swe"):
        language_code("swedisch")


# --- guessing -------------------------------------------------------------------------------------

# Two sentences about a ferry that struck a pier, written in each language.
SAMPLES = {
    "ar": "اصطدمت العبارة بالرصيف صباح يوم الثلاثاء ولم يكن أحد يعرف ما هو السبب. وكان معظم "
    "الركاب في طريقهم إلى العمل.",
    "da": "Færgen ramte molen tirsdag morgen, og ingen vidste, hvad der havde forårsaget det. De "
    "fleste af passagererne var på vej til arbejde.",
    "de": "Die Fähre stieß am Dienstagmorgen gegen den Pier, und niemand wusste, was die Ursache "
    "war. Die meisten Fahrgäste waren auf dem Weg zur Arbeit.",
    "el": "Το πλοίο χτύπησε στην προβλήτα την Τρίτη το πρωί και κανείς δεν ήξερε ποια ήταν η "
    "αιτία. Οι περισσότεροι επιβάτες πήγαιναν στη δουλειά τους.",
    "en": "The ferry struck the pier on Tuesday morning and nobody knew what had caused it. Most "
    "of the passengers were on their way to work.",
    "es": "El transbordador chocó contra el muelle el martes por la mañana y nadie sabía cuál "
    "había sido la causa. La mayoría de los pasajeros iban al trabajo.",
    "fi": "Lautta törmäsi laituriin tiistaiaamuna, eikä kukaan tiennyt, mikä sen oli "
    "aiheuttanut. Useimmat matkustajista olivat matkalla töihin.",
    "fr": "Le ferry a heurté la jetée mardi matin et personne ne savait ce qui en était la "
    "cause. La plupart des passagers allaient au travail.",
    "hi": "मंगलवार की सुबह नौका घाट से टकरा गई और किसी को नहीं पता था कि इसका कारण क्या था। "
    "अधिकांश यात्री काम पर जा रहे थे।",
    "it": "Il traghetto ha urtato il molo martedì mattina e nessuno sapeva quale fosse la causa. "
    "La maggior parte dei passeggeri stava andando al lavoro.",
    "ja": "火曜日の朝、フェリーが桟橋に衝突し、原因が何であったのかは誰も知らなかった。乗客のほと"
    "んどは仕事に向かう途中だった。",
    "nb": "Ferjen traff bryggen tirsdag morgen, og ingen visste hva som hadde forårsaket det. De "
    "fleste av passasjerene var på vei til jobben.",
    "ne": "मंगलबार बिहान डुंगा घाटमा ठोक्कियो र यसको कारण के थियो भन्ने कसैलाई थाहा थिएन। धेरैजसो "
    "यात्रुहरू काममा जाँदै थिए।",
    "nl": "De veerboot botste dinsdagochtend tegen de pier en niemand wist wat de oorzaak was. "
    "De meeste passagiers waren op weg naar hun werk.",
    "pt": "A balsa bateu no cais na terça-feira de manhã e ninguém sabia qual tinha sido a "
    "causa. A maioria dos passageiros estava a caminho do trabalho.",
    "ru": "Паром врезался в причал во вторник утром, и никто не знал, что было причиной. "
    "Большинство пассажиров ехали на работу.",
    "sv": "Färjan slog i bryggan på tisdagsmorgonen och ingen visste vad som hade orsakat det. "
    "De flesta av passagerarna var på väg till arbetet.",
    "th": "เรือข้ามฟากชนท่าเรือเมื่อเช้าวันอังคารและไม่มีใครรู้ว่าอะไรเป็นสาเหตุ ผู้โดยสารส่วนใหญ่กำลังเดินทางไปทำงาน",
    "tr": "Feribot salı sabahı iskeleye çarptı ve buna neyin sebep olduğunu kimse bilmiyordu. "
    "Yolcuların çoğu işe gitmek için bu yolu kullanıyordu.",
    "zh": "星期二早上渡轮撞上了码头，没有人知道是什么原因造成的。大多数乘客都是在去上班的路上。",
}


@pytest.mark.parametrize("code", known_languages())
def test_a_text_of_two_sentences_is_told(code):
    assert guess_language(SAMPLES[code]) == code
    assert guess_language(SAMPLES[code].upper()) == code


def test_a_text_of_the_demo_corpus_is_told(demo):
    for topic in demo.topics:
        assert guess_language(" ".join(topic.units)) == topic.language
    # A tie is no guess, and the share counts letters.
    # The word stands in several lists and there is no other.
    shares = stop_word_shares("de de de")
    assert sum(share == max(shares.values()) for share in shares.values()) > 1
    assert guess_language("de de de") == ""
    # "the" and "of" are five of the eleven letters.
    assert stop_word_shares("The fog of war!")["en"] == pytest.approx(5 / 11)


# Polish and Hungarian, which we have no lists for.
NO_LISTS = [
    "Prom uderzył w molo we wtorek rano i nikt nie wiedział, co było przyczyną.",
    "A komp kedd reggel nekiütközött a mólónak, és senki sem tudta, mi okozta.",
]


def test_nothing_is_guessed_where_nothing_fits():
    for text in ("", "1 2 3 4.5 %", "Anna Berg, Carl Dahl, Eva Falk", *NO_LISTS):
        assert guess_language(text) == ""


@given(st.text())
def test_shares_are_shares(text):
    assert all(share >= 0 for share in stop_word_shares(text).values())
    assert guess_language(text) in {"", *known_languages()}


@pytest.mark.parametrize(("text", "common", "expected"), [
    ("Färjan slog i bryggan och ingen visste vad som hade hänt.", "en", "sv"),
    ("Färjan slog i bryggan.", "en", "en"),
    ("Nobody knew what had happened to the ferry and to the pier.", "sv", "en"),
    ("Nobody knew what had happened to the ferry and to the pier.", "", "en"),
    ("Stockholm Malmö Lund Uppsala Kiruna Falun Borås Kalmar Visby", "en", "en"),
    # Norwegian is near to Danish: what fits both follows the others.
    ("Det var en god dag, og vi var alle i den samme by.", "da", "da"),
])  # fmt: skip
def test_one_text_among_others_is_in_another_language_only_if_that_is_clear(text, common, expected):
    assert guess_among(text, common) == expected
