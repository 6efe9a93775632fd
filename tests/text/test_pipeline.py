"""Pipelines: their spelling, what each step does, and that batch and single text agree."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from summetry import spec
from summetry.errors import SummetryError
from summetry.text.pipeline import LanguagePipeline, TextPipeline, fold

SPELLINGS = [
    "auto", "en(stem=true)", "sv(stop=true,stem=true)", "auto(stop=true)",
    "auto(tokens=characters,case=keep)", "en(tokens=blanks)", "en(lemma=true)",
]  # fmt: skip
OTHERS = ["rouge155", "rouge155(stem=true,stop=true)", "rouge_score", "rouge_score(stem=true)"]
CHARACTERS = "abc ÅÄö ßΣσς'’.,12 \n\x00\u2028北京タไ\u0e48éE\u0301İ\u212a"
some_text = st.text(st.sampled_from(CHARACTERS), max_size=30)


def tokens(text, pipeline, language="en"):
    table = TextPipeline.from_spec(pipeline).encode([text], [language])
    return table.text(0)


def test_a_spelling_reads_back():
    for spelling in SPELLINGS:
        pipeline = TextPipeline.from_spec(spelling)
        assert spec.show(pipeline) == spelling
        assert TextPipeline.from_spec(spec.show(pipeline)) == pipeline


@pytest.mark.parametrize("spelling", [*SPELLINGS, *OTHERS])
@given(texts=st.lists(st.tuples(some_text, st.sampled_from(["en", "sv"])), max_size=5))
def test_a_batch_holds_the_tokens_of_each_text_alone(spelling, texts):
    pipeline = TextPipeline.from_spec(spelling)
    table = pipeline.encode([text for text, _ in texts], [code for _, code in texts])
    assert len(table) == len(texts)
    assert list(table.words) == sorted(set(table.words))
    for row, (text, code) in enumerate(texts):
        located = pipeline.locate(text, code)
        assert table.text(row) == [token for token, _ in located]
        assert table.text(row) == pipeline.read(text, code)


def test_case_and_typography_are_folded():
    pairs = "Straße STRASSE|ΟΔΥΣΣΕΎΣ οδυσσεύς|ﬁnal final|Ａ１ a1|cafe\u0301 café"
    for pair in pairs.split("|"):
        word, other = pair.split()
        assert fold(word) == fold(other)
    assert (fold("ﬁnal"), fold("Ａ１")) == ("final", "a1")


@given(st.text(max_size=8))
def test_folding_twice_changes_nothing_more(word):
    assert fold(fold(word)) == fold(word)


@pytest.mark.parametrize(("language", "options", "text", "expected"), [
    ("en", "stem=true", "running summaries", "run summari"),
    ("sv", "stem=true", "flickorna sprang", "flick sprang"),
    ("da", "stem=true", "husene", "hus"),
    ("de", "stem=true", "Häuser", "haus"),
    ("el", "stem=true", "ανθρώπους", "ανθρωπ"),
    ("en", "stop=true", "The dam and the town", "dam town"),
    ("sv", "stop=true", "Det är en älv och en bro", "älv bro"),
    ("da", "stop=true", "Det er en bro og en by", "bro by"),
    ("de", "stop=true", "Der Damm und die Stadt", "damm stadt"),
    ("el", "stop=true", "Η γέφυρα της πόλης", "γέφυρα πόλησ"),
    ("ar", "stop=true", "الرجل في البيت", "الرجل البيت"),
    ("en", "lemma=true", "The mice were running", "the mouse be run"),
])  # fmt: skip
def test_stems_stop_words_and_lemmas_follow_the_language(language, options, text, expected):
    assert tokens(text, f"auto({options})", language) == expected.split()
    assert tokens(text, f"{language}({options})", "") == expected.split()


def test_auto_leaves_languages_without_stems_as_they_are():
    for language in ("zh", "ja", "th"):
        assert tokens("abc 北京タไ", "auto(stem=true)", language) == ["abc", "北", "京", "タ", "ไ"]


def test_what_cannot_be_is_told(refused):
    refused(lambda spelling: tokens("some text", spelling, ""), [
        "en(stem=true,lemma=true)", "en(stemm=true)", "en(stem=2)", "enn", "ja(stem=true)",
        "en(tokens=words2)", "en(stem=true).f", "raw.f", "auto(stem=true)", 3,
    ])  # fmt: skip
    with pytest.raises(SummetryError, match="there are no lemmas for the language 'zh'"):
        tokens("some text", "zh(lemma=true)", "")


def test_the_description_names_every_step():
    assert LanguagePipeline().describe() == "auto,words,fold"
    described = TextPipeline.from_spec("en(stop=true,stem=true)").describe()
    assert described == "en,words,fold,stop,stem:snowball"
    # No texts give an empty table.
    table = LanguagePipeline().encode([], [])
    assert len(table) == 0 and table.ids.dtype == np.int64


def by_text(table, first):
    """The tokens of each sentence of each text."""
    rows = [table.text(row) for row in range(len(table))]
    return [rows[a:b] for a, b in itertools.pairwise(first)]


@pytest.mark.parametrize(
    "spelling", ["en(stop=true)", "rouge155(stem=true,stop=true)", "rouge_score"]
)
@given(texts=st.lists(st.text(alphabet="aB 9.éİ\n\r", max_size=30)))
def test_tokens_by_sentence_are_those_of_each_sentence(spelling, texts):
    pipeline = TextPipeline.from_spec(spelling)
    rows = by_text(*pipeline.encode_by_sentence(texts, ["en"] * len(texts)))
    for text, row in zip(texts, rows, strict=True):
        located = [pipeline.locate(line, "en") for line in pipeline.sentences(text, "en")]
        assert row == [[token for token, _ in tokens] for tokens in located]


PIECES = [
    *"aZ9 .!?'\"`)([-,\n\0é“’…。\u3000\u2028人", "etc", "No", "Mr", "st", "XI", "iPhone", "iÉ",
    "word. ", "dam. The ", " . the ", " . Rain", "3.5", "e.g. ", "ends! ", "why?! ", "x. ",
    "don't ", "Straße. ", "café . ",
]  # fmt: skip


@given(texts=st.lists(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), max_size=4))
@pytest.mark.parametrize("code", ["", "en", "de", "el", "th"])
def test_sentences_of_a_batch_are_those_of_each_text_alone(code, texts):
    """Those that the kernel finds are those of the rules, and so are their words."""
    pipeline = LanguagePipeline(case="keep")
    assert by_text(*pipeline.encode_by_sentence(texts, [code] * len(texts))) == [
        [pipeline.read(sentence, code) for sentence in pipeline.sentences(text, code)]
        for text in texts
    ]
