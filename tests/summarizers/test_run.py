"""Summarizing: from rankings to summaries, authors, notes, what is learned from where."""

from collections import defaultdict
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar
from unittest import mock

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

import summetry
from summetry.errors import Place, SummetryError, SummetryWarning
from summetry.records.builder import CorpusBuilder
from summetry.records.judgments import Judgment
from summetry.records.lengths import Length
from summetry.records.summaries import Extract
from summetry.records.topics import Document, Topic
from summetry.summarizers import Ranking, Source
from summetry.summarizers.run import (
    SummarizerRun,
    beginning,
    expected_units,
    make_summary,
    summarize,
)
from summetry.text.tokens import find_words

UNITS = ("One two.", "Three four five.", "Six.", "Seven eight nine ten.")


@dataclass(frozen=True)
class Given:
    """A summarizer that takes units in the order it is told."""

    order: tuple[int, ...]
    name = "given"

    def rank(self, source, count):
        return Ranking(self.order)


def source(units=UNITS, language="en", unit="sentence"):
    return Source(Topic("t", unit=unit, documents=(Document("d", units=tuple(units)),)), language)


def make(order, length, fit="stop", **settings):
    return make_summary(source(**settings), Given(order), Length.parse(length), fit)


TEN = "Seven eight nine ten."
LAST = (3, 1, 0, 2)
ALL = (0, 1, 2, 3)


def test_units_stand_in_the_order_of_the_source():
    summary = make((3, 0, 2, 1), "7 words")
    assert summary.text == "One two. Six. Seven eight nine ten."
    record = summary.record("given", length="7 words")
    assert (record.topic, record.author, record.role) == ("t", "given", "candidate")
    assert (record.units, record.text, record.sentences) == ((0, 2, 3), None, None)
    assert record.meta == {"length": "7 words"}
    # What was cut is stored as text, since it is no extract.
    record = make((3, 1), "5 words", "cut").record("given")
    assert (record.units, record.sentences) == (None, (TEN, "Three"))
    record = make((3, 1), "5 words", "cut", unit="paragraph").record("given")
    assert (record.sentences, record.text) == (None, "Seven eight nine ten. Three")


@pytest.mark.parametrize(("order", "length", "settings", "units"), [
    ((3, 0, 2, 1), "7 words", {}, (0, 2, 3)),
    (LAST, "2 sentences", {}, (1, 3)),
    (LAST, "70 percent", {}, (1, 3)),
    (LAST, "69 percent", {}, (3,)),
    # 21 and 16 characters and the blank between them.
    (LAST, "38 characters", {}, (1, 3)),
    (LAST, "37 characters", {}, (3,)),
    # Bytes are those of UTF-8.
    ((0, 1), "9 bytes", {"units": ["Zoë.", "Eve."]}, (0,)),
    ((0, 1), "10 bytes", {"units": ["Zoë.", "Eve."]}, (0, 1)),
    # Scripts without blanks have none between units.
    ((0, 1), "7 characters", {"units": ["没有人。", "受伤。"], "language": "zh"}, (0, 1)),
    ((0, 1), "7 characters", {"units": ["没有人。", "受伤。"], "language": "en"}, (0,)),
    # A per cent of characters is of the text with its blanks: 8 + 16 + 4 + 21 and three
    # are 52; the first two with theirs are 25, of 25.48 and 24.96.
    (ALL, "49% of characters", {}, (0, 1)),
    (ALL, "48% of characters", {}, (0,)),
    ((3, 2, 1, 0), "50% of units", {}, (2, 3)),
    # The first that does not fit ends it, or is passed over.
    ((3, 2), "2 words", {}, ()),
    ((3, 2), "2 words", {"fit": "skip"}, (2,)),
])  # fmt: skip
def test_what_is_counted(order, length, settings, units):
    assert make(order, length, **settings).units == units


def test_what_is_cut_stands_last():
    sentences_by_length = {
        "6 words": (TEN, "Three four"), "4 words": (TEN,), "3 words": ("Seven eight nine",),
        "24 characters": (TEN, "Th"), "22 characters": (TEN,), "28 bytes": (TEN, "Three"),
    }  # fmt: skip
    for length, sentences in sentences_by_length.items():
        assert make(LAST, length, "cut").sentences == sentences, length


def test_a_source_that_ran_out_is_told_from_one_that_fills_the_length():
    for order, length, ran_out, units in (
        ((0, 1), "9 words", True, (0, 1)),
        ((0, 1), "5 words", False, (0, 1)),
        ((0, 1), "3 words", False, (0,)),
        ((), "3 words", True, ()),
        ((3, 2), "2 words", False, ()),
        ((3, 2, 1, 0), "100 percent", False, ALL),
    ):
        summary = make(order, length)
        assert (summary.ran_out, summary.units, bool(summary.text)) == (ran_out, units, bool(units))


def test_about_how_many_units_are_wanted():
    tens = [10, 20, 30]
    for lengths, limit, expected in (
        ([1] * 3, 2, 2), ([1] * 3, 9, 3), (tens, 50, 3), (tens, 49, 2), (tens, 3, 1), ([], 3, 0),
        ([0, 0], 3, 2),
    ):  # fmt: skip
        assert expected_units(lengths, Fraction(limit)) == expected, (lengths, limit)


PARTS = ["a", "bc", " ", "\n", "é", "é", "👩\u200d👩\u200d👧", "🇸🇪", "北", "ก็", "don't", "2,4", "."]
PARTS += ["\r\n", "\x00", "\u0301", "\ud55c", "\u1100"]


@given(
    st.lists(st.sampled_from(PARTS)).map("".join),
    st.integers(1, 12),
    st.sampled_from(["words", "characters", "bytes"]),
)
def test_the_beginning_of_a_text_is_the_longest_that_fits_and_splits_no_character(
    text, most, counted
):
    start = beginning(text, most, counted)
    assert text.startswith(start)
    if counted == "words":
        assert len(find_words(start)) == min(most, len(find_words(text)))
        return
    size = len if counted == "characters" else lambda part: len(part.encode())
    borders = [0, *(match.end() for match in regex.finditer(r"\X", text))]
    fitting = [text[:end] for end in borders if size(text[:end]) <= most]
    assert start == max(fitting, key=len).rstrip()


HERE = Place("here")


def corpus_of(*topics, name="c", **records):
    """A corpus of topics that are given as lists of units."""
    builder = CorpusBuilder(name, "en")
    for number, units in enumerate(topics):
        documents = (Document("d", units=tuple(units)),) if units else ()
        builder.add("topics", Topic(f"t{number}", documents=documents), HERE)
    for kind, listed in records.items():
        for record in listed:
            builder.add(kind, record, HERE)
    return builder.build()


UNITS_OF_TWO = ["One two three.", "Four five.", "Six."], ["Seven.", "Eight nine."]
TWO = corpus_of(*UNITS_OF_TWO)


@dataclass(frozen=True)
class Pupil:
    """Takes all units, and remembers from which topics it learned."""

    seen: tuple[str, ...] | None = None
    name: ClassVar[str] = "pupil"
    lessons: ClassVar[list[tuple[str, frozenset[str]]]] = []
    taught: ClassVar[dict[str, tuple[str, ...] | None]] = {}

    def learn(self, corpus, leave_out):
        self.lessons.append((corpus.name, leave_out))
        return replace(self, seen=tuple(t.id for t in corpus.topics if t.id not in leave_out))

    def rank(self, source, count):
        self.taught[source.topic.id] = self.seen
        return Ranking(tuple(range(len(source))))


@pytest.fixture
def pupil():
    Pupil.lessons.clear()
    Pupil.taught.clear()
    return Pupil()


def units_by_author(corpus):
    by_author = defaultdict(dict)
    for summary in corpus.summaries:
        by_author[summary.author][summary.topic] = summary.units
    return by_author


def test_every_topic_by_every_summarizer():
    assert summetry.summarize is summarize
    progress = mock.Mock()
    summarized = summarize(TWO, ["lead", "length"], "3 words", progress=progress)
    assert progress.call_args_list == [mock.call(done, 4) for done in (1, 2, 3, 4)]
    assert [(s.topic, s.author, s.units) for s in summarized.summaries] == [
        ("t0", "lead", (0,)), ("t0", "length", (0,)),
        ("t1", "lead", (0, 1)), ("t1", "length", (0, 1)),
    ]  # fmt: skip
    meta = {"summarizer": "lead", "length": "3 words", "fit": "stop"}
    assert summarized.summaries[0].meta == meta
    assert summarized.topics == TWO.topics and TWO.summaries == ()
    # Authors may have other names.
    summarized = summarize(TWO, ["lead", "random(seed=3)"], "3 words", names=["first", "lots"])
    assert set(units_by_author(summarized)) == {"first", "lots"}
    assert summarized.summaries[1].meta["summarizer"] == "random(seed=3)"
    summarized = summarize(TWO, ["lead", "length"], "3 words", names=["our *"])
    assert set(units_by_author(summarized)) == {"our lead", "our length"}
    assert summarize(TWO, "lead", 1).summaries[-1].author == "lead"


def test_all_else_of_a_corpus_stays_and_the_result_can_be_scored(demo):
    with pytest.raises(SummetryError, match="'demo' has summaries by 'lead' already; give the new"):
        summarize(demo, ["lead"], "50 words")
    summarized = summarize(demo, ["random(seed=1)", "length"], "mean")
    assert summarized.summaries[: len(demo.summaries)] == demo.summaries
    assert replace(summarized, summaries=demo.summaries) == demo
    table = summetry.evaluate(summarized, ["unit_overlap", "coselection"])
    assert sum(row.author == "length" for row in table.rows) == len(demo.topics)


def test_a_mean_length_and_a_length_of_its_own_are_those_of_each_topic():
    extracts = [Extract("t0", "a", (1,)), Extract("t0", "b", (2,)), Extract("t1", "a", (1,))]
    corpus = corpus_of(*UNITS_OF_TWO, extracts=extracts)
    # (2 + 1) / 2 words, then 2 words.
    summarized = summarize(corpus, ["lead"], "mean", "skip")
    assert units_by_author(summarized)["lead"] == {"t0": (2,), "t1": (0,)}
    # Two units of t0; of t1 the 2 words that its only extract has, so no more than unit 0.
    summarized = summarize(corpus, ["lead"], {"t0": 2, "t1": "mean"})
    assert units_by_author(summarized)["lead"] == {"t0": (0, 1), "t1": (0,)}
    assert [summary.meta["length"] for summary in summarized.summaries] == ["2 units", "mean"]


@dataclass(frozen=True)
class Fussy:
    """Refuses the second topic."""

    name: ClassVar[str] = "fussy"

    def rank(self, source, count):
        if source.topic.id == "t1":
            raise SummetryError("needs a query")
        return Ranking((0,))


# Marks of an author without summaries are in the way too.
JUDGED = corpus_of(["One."], judgments=[Judgment("t0", "lead", "j", "quality", 3)])
LEARNERS = "train.* would not look at it: .*trainable"
ARTICLE = "The ferry sank in the fog. Nobody of the crew was hurt by it. It was old."


@pytest.mark.parametrize(("source", "summarizers", "length", "options", "words"), [
    (TWO, ["lead", "length"], 2, {"names": ["a"]},
     "a name for each of 2 summarizers, or one with .*found 1"),
    (TWO, ["lead", "length"], 2, {"names": ["a", "a"]},
     "another name for each summarizer, found 'a' twice"),
    (TWO, ["lead", "lead(documents=order)"], 2, {}, "found 'lead' twice"),
    (TWO, ["lead"], 2, {"names": [""]}, "found an empty one"),
    (TWO, [], 2, {}, "no summarizer to work with"),
    (TWO, ["lead"], 2, {"fit": "skpi"}, r"^fit must be one of stop, .*Did you mean 'skip'"),
    (TWO, ["lead"], {"t0": 2}, {}, "expected a length for topic 't1', found none"),
    (TWO, ["lead"], "mean", {}, r"topic 't0' has no extracts, .*extracts.jsonl would"),
    (TWO, [Fussy()], 2, {}, r"^fussy, topic 't1': needs a query$"),
    (JUDGED, ["lead"], 2, {}, "has summaries by 'lead' already"),
    (corpus_of([], []), ["lead"], 2, {}, "the corpus 'c' has no source to summarize"),
    (TWO, ["lead"], 2, {"train": TWO}, LEARNERS),
    (TWO, ["mmr(ranker=tf_idf)"], 2, {"train": TWO}, LEARNERS),
    ("Anna Berg, Carl Dahl", "lead", 1, {},
     r"the text: the language cannot be guessed from the words; name it with language= \("),
    ("article.txt", "lead", 1, {}, r"found the name of a file: .*Path\('article.txt'\)"),
])  # fmt: skip
def test_what_cannot_be_summarized_is_told(
    tmp_path, monkeypatch, source, summarizers, length, options, words
):
    (tmp_path / "article.txt").write_text(ARTICLE)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SummetryError, match=words):
        summarize(source, summarizers, length, **options)


@pytest.mark.parametrize(("corpus", "summarizers", "length", "notes"), [
    # Those that got less or nothing share a line.
    (TWO, ["lead", "ordered"], "3 units",
     ["lead, ordered: less than 3 sentences for 1 of 2 topics (t1), as no more sentences were "
      "ranked"]),
    (TWO, ["lead", "length"], "1 words",
     ["lead: nothing fits into 1 word for 1 of 2 topics (t0), by the fit rule stop",
      "length: nothing fits into 1 word for 2 of 2 topics (t0, t1), by the fit rule stop"]),
    # Many are counted and a few named.
    (corpus_of(*[["One two."]] * 7), ["lead"], "1 words",
     ["lead: nothing fits into 1 word for 7 of 7 topics (t0, t1, t2, t3, t4 and 2 more), by "
      "the fit rule stop"]),
    (corpus_of(["One two."], []), ["lead"], "2 words",
     ["no source, so no summary for 1 of 2 topics (t1)"]),
])  # fmt: skip
def test_what_a_topic_did_not_get_is_told(corpus, summarizers, length, notes):
    with pytest.warns(SummetryWarning) as caught:
        summarized = summarize(corpus, summarizers, length)
    assert [str(warning.message) for warning in caught] == notes
    with_source = [topic.id for topic in corpus.topics if topic.documents]
    assert [s.topic for s in summarized.summaries if s.author == "lead"] == with_source


TEN_ELEVEN_TWELVE = corpus_of(["Ten."], ["Eleven."], ["Twelve."], name="other")
WITH_A_SOURCE_OF_TWO = corpus_of(["Ten."], UNITS_OF_TWO[1], ["Twelve."], name="other")


@pytest.mark.parametrize(("train", "lessons", "taught"), [
    # The topic at hand is left out.
    (None, [("c", {"t0"}), ("c", {"t1"})], {"t0": ("t1",), "t1": ("t0",)}),
    # Learning from another corpus happens once.
    (TEN_ELEVEN_TWELVE, [("other", set())], dict.fromkeys(["t0", "t1"], ("t0", "t1", "t2"))),
    # Nobody learns from a topic that is summarized.
    (WITH_A_SOURCE_OF_TWO, [("other", {"t1"})], dict.fromkeys(["t0", "t1"], ("t0", "t2"))),
])  # fmt: skip
def test_who_learns_learns_from_other_topics(pupil, train, lessons, taught):
    summarize(TWO, [pupil], "3 words", names=["pupil"], train=train)
    assert Pupil.lessons == lessons and Pupil.taught == taught


def test_one_that_learns_is_reason_enough_for_a_training_corpus():
    names = {"lead", "tf_idf(idf=corpus)"}
    other = corpus_of(["Ten."], ["Eleven."], name="other")
    assert set(units_by_author(summarize(TWO, sorted(names), "3 words", train=other))) == names


def test_a_summarizer_that_cannot_is_left_out_and_a_note_says_why():
    options, progress = {"skip_unusable": True}, mock.Mock()
    run = SummarizerRun(TWO, [Fussy(), "lead", "nobody"], "3 words", progress=progress, **options)
    by_author = run.summaries()
    assert list(by_author) == ["lead"] and len(by_author["lead"]) == 2
    assert run.notes == [
        "nobody is left out: no summarizer is named 'nobody'. `summetry summarizers` lists all.",
        "fussy is left out: topic 't1': needs a query",
    ]
    assert set(units_by_author(run.with_candidates(by_author))) == {"lead"}
    # Every summary is counted, and progress comes to its end all the same.
    assert progress.call_args_list == [mock.call(done, 4) for done in (1, 2, 3, 4)]
    with pytest.raises(SummetryError, match="fussy is left out: topic 't1': needs a query"):
        SummarizerRun(TWO, [Fussy()], "3 words", **options).summaries()


# --- a text in memory -----------------------------------------------------------------------------


def test_a_text_by_one_summarizer_gives_one_summary_and_by_a_list_one_for_each_name():
    summary = summarize(ARTICLE, "length", 2, language="en")
    assert str(summary) == summary.text
    assert summary.text == "The ferry sank in the fog. Nobody of the crew was hurt by it."
    assert summary.sentences == ("The ferry sank in the fog.", "Nobody of the crew was hurt by it.")
    assert summary.units == (0, 1)
    assert repr(summary).startswith("NewSummary('The ferry sank in the fog. Nob...")
    assert repr(summary).endswith("', units=(0, 1))") and len(repr(summary)) < 100
    # Three sentences are the default.
    assert len(summarize(f"{ARTICLE} A fourth one.", "lead", language="en").sentences) == 3
    # A query is handed on.
    summary = summarize(ARTICLE, "simple_match", 1, language="en", query="who was hurt?")
    assert summary.units == (1,)
    with pytest.warns(SummetryWarning, match="^the language is guessed to be English; language= n"):
        assert summarize(ARTICLE, "length", 2).units == (0, 1)
    # A list gives one for each name.
    summaries = summarize(ARTICLE, ["length", Given((2, 0, 1))], "1 sentence", language="en")
    assert list(summaries) == ["length", "given(order=[2,0,1])"]
    texts = ["Nobody of the crew was hurt by it.", "It was old."]
    assert list(map(str, summaries.values())) == texts
    assert list(summarize(ARTICLE, ["lead"], language="en", names=["mine"])) == ["mine"]
    assert summarize(ARTICLE, Given((2,)), 1, language="en").units == (2,)
