"""Indicators of the summary alone: by hand, and against plain definitions."""

import math
import unicodedata
from itertools import combinations

import pytest
from comparisons import one, scores
from hypothesis import given, settings
from hypothesis import strategies as st

import summetry
from summetry.errors import SummetryError, SummetryWarning
from summetry.metrics import METRICS, Needs
from summetry.metrics.cosine import cosine_of_tokens
from summetry.metrics.indicators import redundancy
from summetry.metrics.indicators.non_textual import non_textual_items
from summetry.metrics.indicators.repeated_ngrams import repeated_share
from summetry.records.batches import Comparison, Material, Side

INDICATORS = ["length", "non_textual", "pronoun_starts", "redundancy", "repeated_ngrams"]


def alone(text, language="en", sentences=None):
    return Comparison(Material("t", language), Side("candidate", text, None, sentences))


def value(spelling, text, language="en"):
    return one(spelling, alone(text, language))["value"]


def found(spelling, text, language="en"):
    """What an explanation lights up: the pieces of the summary, in order."""
    (part,) = METRICS.build(spelling).explain(alone(text, language)).parts
    return [text[a:b] for a, b in sorted(span for m in part.matches for span in m.candidate)]


def test_indicators_need_the_summary_only_and_are_computed_only_if_named():
    listed = [name for name in METRICS.names() if METRICS.get(name).family == "indicators"]
    assert listed == INDICATORS
    for name in listed:
        metric = METRICS.build(name)
        assert metric.needs == Needs.NOTHING and metric.only_if_asked


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [("length", 5), ("length(unit=sentences)", 2), ("length(unit=characters)", 26)],
)
def test_length_counts_words_sentences_or_characters(spelling, expected):
    assert value(spelling, "The ferry sank. It's gone.") == expected
    assert value(spelling, "") == 0


def test_sentences_that_a_summary_came_with_are_counted_as_they_are():
    cut = alone("One two. Three four.", sentences=("One two. Three", "four."))
    assert one("length(unit=sentences)", cut) == {"value": 2}
    whole = alone("One two. Three four.", sentences=("One two. Three four.",))
    assert one("length(unit=sentences)", whole) == {"value": 1}
    assert math.isnan(one("redundancy", whole)["max"])


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        # the cat sat the cat ran the cat sat: the three times, cat three times, sat twice.
        (1, 5 / 9),
        # the cat three times, cat sat twice.
        (2, 3 / 8),
        # the cat sat twice.
        (3, 1 / 7),
        (9, 0),
    ],
)
def test_repeated_ngrams_are_those_that_were_there_before(n, expected):
    text = "The cat sat. The cat ran. The cat sat."
    assert value(f"repeated_ngrams(n={n})", text) == pytest.approx(expected)


def test_every_place_of_a_repeated_ngram_is_lit_up():
    text = "The cat sat. A dog ran. The cat sat."
    assert found("repeated_ngrams", text) == ["The cat sat", "The cat sat"]


def test_a_summary_too_short_to_repeat_has_0_and_an_empty_one_the_worst_value():
    assert value("repeated_ngrams", "Two words.") == 0
    assert value("repeated_ngrams", "") == value("repeated_ngrams", "...") == 1


@settings(max_examples=60)
@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=12), st.integers(1, 4))
def test_repeated_ngrams_are_those_of_the_plain_definition(words, n):
    expected = repeated_share(words, n) if len(words) >= n else 0.0
    assert value(f"repeated_ngrams(n={n})", " ".join(words)) == pytest.approx(expected)


@pytest.mark.parametrize("n", [0, -1, 101])
def test_n_has_bounds(n):
    with pytest.raises(SummetryError, match=f"n must be 1 to 100, got {n}"):
        METRICS.build(f"repeated_ngrams(n={n})")


def test_redundancy_by_hand():
    """Counts: cat 1, sat 1 | cat 1, ran 1 | cat 2, sat 1 ran 0.

    Cosines: 1 / sqrt(2 * 2) = 1/2, 3 / sqrt(2 * 5), 2 / sqrt(2 * 5).
    """
    values = one("redundancy", alone("Cat sat. Cat ran. Cat sat cat."))
    cosines = [1 / 2, 3 / math.sqrt(10), 2 / math.sqrt(10)]
    assert values["max"] == pytest.approx(3 / math.sqrt(10))
    assert values["mean"] == pytest.approx(sum(cosines) / 3)


def test_the_words_of_the_two_most_alike_sentences_are_lit_up_and_all_pairs_listed():
    text = "The cat sat. Dogs ran off. A cat sat down."
    (part,) = METRICS.build("redundancy").explain(alone(text)).parts
    assert found("redundancy", text) == ["cat", "sat", "cat", "sat"]
    assert [(row[1], row[2]) for row in part.tables[0].rows] == [
        ("The cat sat.", "A cat sat down."),
        ("The cat sat.", "Dogs ran off."),
        ("Dogs ran off.", "A cat sat down."),
    ]


def test_equal_sentences_are_as_redundant_as_can_be_and_one_has_no_value():
    assert one("redundancy", alone("It sank. It sank.")) == {"max": 1, "mean": 1}
    for text in ("It sank.", "", "It sank. !!!"):
        assert all(math.isnan(number) for number in one("redundancy", alone(text)).values())


words = st.lists(st.sampled_from(["cat", "sat", "ran", "!"]), min_size=1, max_size=5)


@settings(max_examples=60)
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
        expected = (math.nan, math.nan)
        if cosines:
            expected = max(cosines), math.fsum(cosines) / len(cosines)
        numbers = values["max"][place], values["mean"][place]
        assert numbers == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize(
    ("language", "text", "begins"),
    [
        ("en", 'Ann left. She ran. "They" hid. We stayed. Those who ran hid.', "She They Those"),
        ("sv", "Ann gick. Hon sprang. Vi stannade. Det regnade.", "Hon Det"),
        ("da", "Ann gik. Hun løb. Vi blev. Disse regler gælder.", "Hun Disse"),
        ("de", "Anna ging. Sie lief. Wir blieben. Das Haus blieb. Dieses Haus fiel.", "Sie Dieses"),
        ("el", "Η Άννα έφυγε. Αυτή έτρεξε. Εμείς μείναμε. Εκείνος γέλασε.", "Αυτή Εκείνος"),
        ("nb", "Ann gikk. Hun løp. Vi ble.", "Hun"),
    ],
)
def test_pronouns_at_the_start_of_sentences_are_found_by_language(language, text, begins):
    assert found("pronoun_starts", text, language) == begins.split()
    sentences = text.count(". ") + 1
    assert value("pronoun_starts", text, language) == len(begins.split()) / sentences


def test_equal_sentences_are_each_lit_up_where_they_are():
    text = "It sank.\n\n\n\n\nIt sank."
    (part,) = METRICS.build("pronoun_starts").explain(alone(text)).parts
    assert [match.candidate for match in part.matches] == [((0, 2),), ((13, 15),)]
    blanks = alone("It  sank. It\nsank.", sentences=("It sank.", "It sank."))
    (part,) = METRICS.build("pronoun_starts").explain(blanks).parts
    assert [match.candidate for match in part.matches] == [((0, 2),), ((10, 12),)]


def test_each_text_is_read_in_its_own_language():
    """Swedish "de" is no English pronoun, and English "he" is no Swedish one."""
    texts = alone("De kom. He kom.", "sv"), alone("De came. He came. It came.", "en")
    assert scores("pronoun_starts", *texts)["value"] == pytest.approx([1 / 2, 2 / 3])
    assert value("pronoun_starts(text=sv)", "De kom. He kom.", "en") == 1 / 2


def test_without_a_sentence_there_is_no_share_of_sentences():
    assert math.isnan(value("pronoun_starts", ""))
    assert math.isnan(value("pronoun_starts", "!!!"))


def test_a_language_without_a_list_is_refused_with_those_that_have_one():
    with pytest.raises(SummetryError, match="no list of pronouns for the language 'fi'; languages"):
        value("pronoun_starts", "Se upposi.", "fi")
    with pytest.raises(SummetryError, match=r"name it with --language en, or as in pronoun_starts"):
        value("pronoun_starts", "It sank.", "")


def test_the_language_is_guessed_where_no_text_says_it():
    text = "The ferry sank in the harbour. It was old, and they had known that for years."
    with pytest.warns(SummetryWarning, match="the language is guessed to be English"):
        english = summetry.score(text, metrics=["pronoun_starts"])
    text = "Färjan sjönk i hamnen och ingen var ombord. Den var gammal, och det visste de."
    with pytest.warns(SummetryWarning, match="the language is guessed to be Swedish"):
        swedish = summetry.score(text, metrics=["pronoun_starts"])
    assert [scored["pronoun_starts"].value for scored in (english, swedish)] == [0.5, 0.5]


@pytest.mark.parametrize("text", ["en(stop=true)", "auto(stem=true)", "raw"])
def test_words_must_stay_as_they_are_to_be_known_for_pronouns(text):
    with pytest.raises(SummetryError, match="pronoun_starts: text names the language"):
        METRICS.build(f"pronoun_starts(text={text})")


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("It sank.", []),
        ("See https://ferry.example/a?b=1).", ["https://ferry.example/a?b=1"]),
        ("(www.ferry.example), or a.b@ferry.example.", ["www.ferry.example", "a.b@ferry.example"]),
        ("A <b>ferry</b> sank &amp; more.", ["<b>", "</b>", "&amp;"]),
        ("AT&T; 3 < 4 and 5 > 4, a--b, C++, wait...", []),
        (
            "[[Ferry]] {{cite web}} **bold** `code`",
            ["[[", "]]", "{{cite web}}", "**", "**", "`", "`"],
        ),
        ("One | two ----- three ..... 4", ["|", "-----", "....."]),
        ("It\x00 sank\ufffd \ue000.", ["\x00", "\ufffd", "\ue000"]),
        ("It sank.\n  12  34\n* * *\nAll lived.", ["  12  34", "* * *"]),
        ("12 34", []),
        ("क्\u200dष 👩\u200d🚀 naïve 北京。", []),
    ],
)
def test_what_is_no_text(text, items):
    assert [text[slice(*item.span)] for item in non_textual_items(text)] == items
    assert found("non_textual", text) == items
    characters = sum(not c.isspace() for c in text)
    counted = sum(not c.isspace() for item in items for c in item)
    assert value("non_textual", text) == pytest.approx(counted / characters)


def test_nothing_of_an_empty_summary_is_text():
    assert value("non_textual", "") == value("non_textual", " \n") == 1


def test_every_character_that_is_no_text_is_seen_at_first_sight_too():
    """A quick look decides whether a text is searched: it may not miss a character."""
    for code in range(0x110000):
        kind, character = unicodedata.category(chr(code)), chr(code)
        is_item = character in "|`\ufeff\ufffd" or (
            kind in ("Cc", "Co", "Cs") and not character.isspace()
        )
        assert bool(non_textual_items(f"a{character}b")) == is_item, hex(code)


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
