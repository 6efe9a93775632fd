"""The stemmer of ROUGE-1.5.5: its patterns against counting letter by letter, and its text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry import spec
from summetry.metrics.rouge import porter as porter_module
from summetry.metrics.rouge.porter import porter, stem_like_rouge
from summetry.metrics.rouge.texts import rouge_stop_words
from summetry.text.pipeline import TextPipeline

letters = st.text("aeiouybcdlnstwx19", max_size=10)


def kinds(word):
    """c or v for each letter; y is a vowel only after a consonant."""
    found = ""
    for letter in word:
        after_consonant = found[-1:] == "c"
        found += "v" if letter in "aeiou" or (letter == "y" and after_consonant) else "c"
    return found


def measure(word):
    return len(re.findall("v+c+", kinds(word)))


@given(letters)
def test_the_patterns_measure_as_counting_does(word):
    assert bool(porter_module._ONE_OR_MORE(word)) == (measure(word) >= 1)
    assert bool(porter_module._EXACTLY_ONE(word)) == (measure(word) == 1)
    assert bool(porter_module._TWO_OR_MORE(word)) == (measure(word) >= 2)
    assert bool(porter_module._HAS_VOWEL(word)) == ("v" in kinds(word))
    short = re.fullmatch("c+vc", kinds(word)) is not None and word[-1] not in "wxy"
    assert bool(porter_module._SHORT(word)) == short


@given(st.text("aeiouybcdlnstwx19", min_size=4, max_size=12))
def test_a_stem_is_never_longer_than_its_word(word):
    assert 0 < len(porter(word)) <= len(word) + 1


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("agreement", "agreem"),
        ("accidental", "accid"),
        ("possibly", "possibl"),
        ("analogy", "analog"),
        ("hopping", "hop"),
        ("hoping", "hope"),
        ("went", "go"),
        ("was", "was"),
        ("1990s", "1990"),
        ("better", "well"),
        ("y", "y"),
    ],
)
def test_words_that_the_reading_of_the_script_names(word, stem):
    assert stem_like_rouge([word]) == [stem]


def test_tokens_are_runs_of_ascii_letters_and_digits():
    pipeline = TextPipeline.from_spec("rouge155")
    table = pipeline.encode(["Don't pay 3.5% for café_x — well-known! Ω"], [""])
    assert table.text(0) == ["don", "t", "pay", "3", "5", "for", "caf", "x", "well", "known"]


@given(st.lists(st.text("abC'é .\n-1", max_size=20), max_size=4), st.booleans(), st.booleans())
def test_a_batch_holds_the_tokens_of_each_text_alone(texts, stem, stop):
    pipeline = TextPipeline.from_spec(f"rouge155(stem={stem},stop={stop})")
    table = pipeline.encode(texts, [""] * len(texts))
    for row, text in enumerate(texts):
        assert table.text(row) == [token for token, _ in pipeline.locate(text, "")]


def test_stop_words_go_before_stemming():
    pipeline = TextPipeline.from_spec("rouge155(stem=true,stop=true)")
    assert pipeline.encode(["The bridges of being useful"], [""]).text(0) == ["bridg"]
    assert len(rouge_stop_words()) == 543
    assert spec.show(pipeline) == "rouge155(stem=true,stop=true)"
    assert pipeline.describe() == "rouge155,stop,stem"
