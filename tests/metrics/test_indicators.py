"""Indicators of the summary alone: by hand, and against plain definitions."""

import math
import tracemalloc
import unicodedata
from itertools import combinations

import pytest
from comparisons import explained, one, scores
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry.errors import SummetryError, SummetryWarning
from summetry.metrics import METRICS, Needs
from summetry.metrics.cosine import cosine_of_tokens
from summetry.metrics.indicators import redundancy
from summetry.metrics.indicators.non_textual import non_textual_items
from summetry.metrics.indicators.repeated_ngrams import repeated_share
from summetry.records.batches import Comparison, Material, Side


def alone(text, language="en", sentences=None):
    return Comparison(Material("t", language), Side("candidate", text, None, sentences))


def value(spelling, text, language="en"):
    return one(spelling, alone(text, language))["value"]


def highlighted(spelling, text, language="en"):
    """The pieces of the summary that an explanation points at, in order."""
    part = explained(spelling, alone(text, language))
    return [text[a:b] for a, b in sorted(span for m in part.matches for span in m.candidate)]


def test_indicators_need_the_summary_only_and_are_computed_only_if_named():
    indicators = [name for name in METRICS.names() if METRICS.get(name).family == "indicators"]
    assert " ".join(indicators) == "length non_textual pronoun_starts redundancy repeated_ngrams"
    for metric in map(METRICS.build, indicators):
        assert metric.needs == Needs.NOTHING and metric.only_if_asked


CATS = "The cat sat. The cat ran. The cat sat."
SANK = "The ferry sank. It's gone."


@pytest.mark.parametrize(("spelling", "value_by_text"), [
    ("length", {SANK: 5, "": 0}),
    ("length(unit=sentences)", {SANK: 2, "": 0}),
    ("length(unit=characters)", {SANK: 26, "": 0}),
    # the cat sat the cat ran the cat sat: the three times, cat three times, sat twice.
    ("repeated_ngrams(n=1)", {CATS: 5 / 9}),
    # the cat three times, cat sat twice.
    ("repeated_ngrams(n=2)", {CATS: 3 / 8}),
    # the cat sat twice.
    ("repeated_ngrams(n=3)", {CATS: 1 / 7}),
    ("repeated_ngrams(n=9)", {CATS: 0}),
    # Too short to repeat; and an empty one has the worst value.
    ("repeated_ngrams", {"Two words.": 0, "": 1, "...": 1}),
    # Nothing of an empty summary is text.
    ("non_textual", {"": 1, " \n": 1}),
    # Without a sentence there is no share of sentences.
    ("pronoun_starts", {"": math.nan, "!!!": math.nan}),
])  # fmt: skip
def test_values_by_hand(spelling, value_by_text):
    values = {text: value(spelling, text) for text in value_by_text}
    assert values == pytest.approx(value_by_text, nan_ok=True)


def test_sentences_that_a_summary_came_with_are_counted_as_they_are():
    for sentences, count in ((("One two. Three", "four."), 2), (("One two. Three four.",), 1)):
        cut = alone("One two. Three four.", sentences=sentences)
        assert one("length(unit=sentences)", cut) == {"value": count}
        assert math.isnan(one("redundancy", cut)["max"]) == (count == 1)
    # Equal ones are as redundant as can be, and one has no value.
    assert one("redundancy", alone("It sank. It sank.")) == {"max": 1, "mean": 1}
    for text in ("It sank.", "", "It sank. !!!"):
        assert all(math.isnan(number) for number in one("redundancy", alone(text)).values())


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=12), st.integers(1, 4))
def test_repeated_ngrams_are_those_of_the_plain_definition(words, n):
    expected = repeated_share(words, n) if len(words) >= n else 0.0
    assert value(f"repeated_ngrams(n={n})", " ".join(words)) == pytest.approx(expected)


def test_redundancy_by_hand():
    # Counts: cat 1, sat 1 | cat 1, ran 1 | cat 2, sat 1 ran 0. Cosines: 1 / sqrt(2 * 2) = 1/2,
    # 3 / sqrt(2 * 5), 2 / sqrt(2 * 5).
    values = one("redundancy", alone("Cat sat. Cat ran. Cat sat cat."))
    largest = 3 / math.sqrt(10)
    expected = {"max": largest, "mean": (1 / 2 + largest + 2 / math.sqrt(10)) / 3}
    assert values == pytest.approx(expected)


words = st.lists(st.sampled_from(["cat", "sat", "ran", "!"]), min_size=1, max_size=5)


@given(st.lists(st.lists(words, min_size=2, max_size=5), min_size=1, max_size=3), st.integers(1, 5))
def test_redundancy_is_that_of_the_plain_definition(texts, at_once):
    """One sentence per line, and whichever pairs are compared at once."""
    compared = [alone("\n".join(" ".join(s) for s in text)) for text in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(redundancy, "_AT_ONCE", at_once)
        values = scores("redundancy", *compared)
    for place, text in enumerate(texts):
        sentences = [[w for w in s if w != "!"] for s in text]
        cosines = [cosine_of_tokens(a, b) for a, b in combinations(filter(None, sentences), 2)]
        mean = math.fsum(cosines) / len(cosines) if cosines else math.nan
        expected = max(cosines, default=math.nan), mean
        numbers = values["max"][place], values["mean"][place]
        assert numbers == pytest.approx(expected, nan_ok=True)


def test_redundancy_of_a_long_text_takes_memory_for_some_of_its_pairs_at_a_time():
    """500 sentences have 124,750 pairs, and each pair has 30 words."""
    words = [f"w{k * k % 997}" for k in range(7500)]
    text = "\n".join(" ".join(words[k : k + 15]) for k in range(0, 7500, 15))
    tracemalloc.start()
    found = one("redundancy", alone(text))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 0 < found["mean"] < found["max"] <= 1
    assert peak < 30e6


@pytest.mark.parametrize(("language", "text", "begins"), [
    ("en", 'Ann left. She ran. "They" hid. We stayed. Those who ran hid.', "She They Those"),
    ("sv", "Ann gick. Hon sprang. Vi stannade. Det regnade.", "Hon Det"),
    ("de", "Anna ging. Sie lief. Wir blieben. Das Haus blieb. Dieses Haus fiel.", "Sie Dieses"),
    ("el", "Η Άννα έφυγε. Αυτή έτρεξε. Εμείς μείναμε. Εκείνος γέλασε.", "Αυτή Εκείνος"),
])  # fmt: skip
def test_pronouns_at_the_start_of_sentences_are_found_by_language(language, text, begins):
    assert highlighted("pronoun_starts", text, language) == begins.split()
    sentences = text.count(". ") + 1
    assert value("pronoun_starts", text, language) == len(begins.split()) / sentences


def test_equal_sentences_are_each_highlighted_where_they_are():
    cut = alone("It  sank. It\nsank.", sentences=("It sank.", "It sank."))
    for comparison, end in ((alone("It sank.\n\n\n\n\nIt sank."), (13, 15)), (cut, (10, 12))):
        part = explained("pronoun_starts", comparison)
        assert [match.candidate for match in part.matches] == [((0, 2),), (end,)]


def test_each_text_is_read_in_its_own_language_which_is_guessed_where_none_is_named():
    # Swedish "de" is no English pronoun, and English "he" is no Swedish one.
    texts = alone("De kom. He kom.", "sv"), alone("De came. He came. It came.", "en")
    assert scores("pronoun_starts", *texts)["value"] == pytest.approx([1 / 2, 2 / 3])
    assert value("pronoun_starts(text=sv)", "De kom. He kom.", "en") == 1 / 2
    for language, text in (
        ("English", "The ferry sank in the harbour. It was old, and they had known for years."),
        ("Swedish", "Färjan sjönk i hamnen och ingen var ombord. Den var gammal, och de visste."),
    ):
        with pytest.warns(SummetryWarning, match=f"the language is guessed to be {language}"):
            scored = summetry.score(text, metrics=["pronoun_starts"])
        assert scored["pronoun_starts"].value == 0.5
    with pytest.raises(SummetryError, match=r"name it with --language en, or as in pronoun_starts"):
        value("pronoun_starts", "It sank.", "")


@pytest.mark.parametrize(("text", "items"), [
    ("It sank.", []),
    ("See https://ferry.example/a?b=1).", ["https://ferry.example/a?b=1"]),
    ("(www.ferry.example), or a.b@ferry.example.", ["www.ferry.example", "a.b@ferry.example"]),
    ("A <b>ferry</b> sank &amp; more.", ["<b>", "</b>", "&amp;"]),
    ("AT&T; 3 < 4 and 5 > 4, a--b, C++, wait...", []),
    ("[[Ferry]] {{cite web}} **b**", ["[[", "]]", "{{cite web}}", "**", "**"]),
    ("`code`", ["`", "`"]),
    ("One | two ----- three ..... 4", ["|", "-----", "....."]),
    ("It\x00 sank\ufffd \ue000.", ["\x00", "\ufffd", "\ue000"]),
    ("It sank.\n  12  34\n* * *\nAll lived.", ["  12  34", "* * *"]),
    ("12 34", []),
    ("क्\u200dष 👩\u200d🚀 naïve 北京。", []),
])  # fmt: skip
def test_what_is_no_text(text, items):
    assert [text[slice(*item.span)] for item in non_textual_items(text)] == items
    assert highlighted("non_textual", text) == items
    characters = sum(not c.isspace() for c in text)
    counted = sum(not c.isspace() for item in items for c in item)
    assert value("non_textual", text) == pytest.approx(counted / characters)


def is_no_text(code):
    kind, character = unicodedata.category(chr(code)), chr(code)
    return character in "|`\ufeff\ufffd" or (kind in ("Cc", "Co", "Cs") and not character.isspace())


def test_every_character_that_is_no_text_is_seen_at_first_sight_too():
    """A quick look decides whether a text is searched: it may not miss a character."""
    # All of the first 0x400, every 499th, and both sides wherever text begins or ends.
    expected = list(map(is_no_text, range(0x110000)))
    borders = [code for code in range(1, 0x110000) if expected[code] != expected[code - 1]]
    for code in {*range(0x400), *range(0, 0x110000, 499), *borders, *(b - 1 for b in borders)}:
        assert bool(non_textual_items(f"a{chr(code)}b")) == expected[code], hex(code)


def test_long_texts_without_blanks_take_no_more_than_their_length():
    """A pattern that tries every start of a run would look at 10^10 characters here."""
    assert non_textual_items("a" * 100_000) == []
    assert len(non_textual_items("北" * 100_000 + "\nb\n" + "-" * 100_000)) == 1
    assert len(non_textual_items("a\n" + "- " * 50_000 + "b")) == 0


@given(st.text(alphabet="ab<>&;|-.@/:w\x00\x1c \n{}[]", max_size=40))
def test_items_do_not_overlap_and_are_counted_without_white_space(text):
    items = non_textual_items(text)
    ends = [0, *(end for item in items for end in item.span)]
    assert ends == sorted(ends)
    for item in items:
        assert item.characters == sum(not c.isspace() for c in text[slice(*item.span)]) > 0
