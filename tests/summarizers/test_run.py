"""Summarizing: from rankings to summaries, authors, notes, what is learned from where."""

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

import summetry
from summetry.errors import Place, SummetryError, SummetryWarning
from summetry.formats.folder import Folder
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


def test_units_stand_in_the_order_of_the_source():
    summary = make((3, 0, 2, 1), "7 words")
    assert summary.units == (0, 2, 3)
    assert summary.text == "One two. Six. Seven eight nine ten."
    record = summary.record("given", length="7 words")
    assert (record.topic, record.author, record.role) == ("t", "given", "candidate")
    assert (record.units, record.text, record.sentences) == ((0, 2, 3), None, None)
    assert record.meta == {"length": "7 words"}


@pytest.mark.parametrize(
    ("length", "units"),
    [
        ("2 sentences", (1, 3)),
        ("7 words", (1, 3)),
        ("6 words", (3,)),
        ("70 percent", (1, 3)),
        ("69 percent", (3,)),
        # 21 and 16 characters and the blank between them.
        ("38 characters", (1, 3)),
        ("37 characters", (3,)),
        ("38 bytes", (1, 3)),
    ],
)
def test_what_is_counted(length, units):
    assert make((3, 1, 0, 2), length).units == units


def test_bytes_are_those_of_utf_8_and_scripts_without_blanks_have_none_between():
    assert make((0, 1), "9 bytes", units=["Zoë.", "Eve."]).units == (0,)
    assert make((0, 1), "10 bytes", units=["Zoë.", "Eve."]).units == (0, 1)
    chinese = ["没有人。", "受伤。"]
    assert make((0, 1), "7 characters", units=chinese, language="zh").units == (0, 1)
    assert make((0, 1), "7 characters", units=chinese, language="en").units == (0,)


@pytest.mark.parametrize(
    ("length", "sentences"),
    [
        ("6 words", ("Seven eight nine ten.", "Three four")),
        ("5 words", ("Seven eight nine ten.", "Three")),
        ("4 words", ("Seven eight nine ten.",)),
        ("3 words", ("Seven eight nine",)),
        ("7 words", ("Three four five.", "Seven eight nine ten.")),
        ("24 characters", ("Seven eight nine ten.", "Th")),
        ("22 characters", ("Seven eight nine ten.",)),
        ("28 bytes", ("Seven eight nine ten.", "Three")),
        ("3 bytes", ("Sev",)),
    ],
)
def test_what_is_cut_stands_last(length, sentences):
    summary = make((3, 1, 0, 2), length, "cut")
    assert summary.sentences == sentences


def test_a_summary_that_was_cut_is_stored_as_text_since_it_is_no_extract():
    summary = make((3, 1), "5 words", "cut")
    record = summary.record("given")
    assert (record.units, record.sentences) == (None, ("Seven eight nine ten.", "Three"))
    record = make((3, 1), "5 words", "cut", unit="paragraph").record("given")
    assert (record.sentences, record.text) == (None, "Seven eight nine ten. Three")


def test_a_source_that_ran_out_is_told_from_one_that_fills_the_length():
    assert make((0, 1), "9 words").ran_out
    assert not make((0, 1), "5 words").ran_out
    assert not make((0, 1), "3 words").ran_out
    assert make((), "3 words").ran_out
    assert not make((3, 2, 1, 0), "100 percent").ran_out
    assert make((3, 2, 1, 0), "100 percent").units == (0, 1, 2, 3)


def test_the_first_unit_that_does_not_fit_leaves_an_empty_summary():
    summary = make((3, 2), "2 words")
    assert (summary.units, summary.text, summary.ran_out) == ((), "", False)
    assert make((3, 2), "2 words", "skip").units == (2,)


@pytest.mark.parametrize(
    ("lengths", "limit", "expected"),
    [
        ([1, 1, 1], 2, 2),
        ([1, 1, 1], 9, 3),
        ([10, 20, 30], 50, 3),
        ([10, 20, 30], Fraction(49), 2),
        ([10, 20, 30], 3, 1),
        ([], 3, 0),
        ([0, 0], 3, 2),
    ],
)
def test_about_how_many_units_are_wanted(lengths, limit, expected):
    assert expected_units(lengths, Fraction(limit)) == expected


TEXTS = st.text(max_size=20) | st.lists(
    st.sampled_from(
        ["a", "bc", " ", "\n", "é", "e\u0301", "👩‍👩‍👧", "🇸🇪", "北", "ก็", "don't", "2,4", "."]
    )
).map("".join)


@settings(max_examples=120)
@given(TEXTS, st.integers(1, 12), st.sampled_from(["words", "characters", "bytes"]))
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


def test_a_per_cent_of_characters_is_of_the_text_with_its_blanks():
    # 8 + 16 + 4 + 21 characters and three blanks are 52; the first two with theirs are 25.
    assert make((0, 1, 2, 3), "49% of characters").units == (0, 1)  # of 25.48
    assert make((0, 1, 2, 3), "48% of characters").units == (0,)  # of 24.96
    assert make((3, 2, 1, 0), "50% of units").units == (2, 3)


HERE = Place("here")


def corpus_of(*topics, name="c", extracts=(), judgments=()):
    """A corpus of topics that are given as lists of units."""
    builder = CorpusBuilder(name, "en")
    for number, units in enumerate(topics):
        documents = (Document("d", units=tuple(units)),) if units else ()
        builder.add("topics", Topic(f"t{number}", documents=documents), HERE)
    for extract in extracts:
        builder.add("extracts", extract, HERE)
    for judgment in judgments:
        builder.add("judgments", judgment, HERE)
    return builder.build()


TWO = corpus_of(["One two three.", "Four five.", "Six."], ["Seven.", "Eight nine."])


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
    by_author = {}
    for summary in corpus.summaries:
        by_author.setdefault(summary.author, {})[summary.topic] = summary.units
    return by_author


def test_every_topic_by_every_summarizer():
    summarized = summarize(TWO, ["lead", "length"], "3 words")
    assert units_by_author(summarized) == {
        "lead": {"t0": (0,), "t1": (0, 1)},
        "length": {"t0": (0,), "t1": (0, 1)},
    }
    assert [(s.topic, s.author) for s in summarized.summaries] == [
        ("t0", "lead"),
        ("t0", "length"),
        ("t1", "lead"),
        ("t1", "length"),
    ]
    meta = {"summarizer": "lead", "length": "3 words", "fit": "stop"}
    assert summarized.summaries[0].meta == meta
    assert summarized.topics == TWO.topics and TWO.summaries == ()


def test_all_else_of_a_corpus_stays(demo, tmp_path):
    summarized = summarize(demo, ["random(seed=1)"], "30 percent")
    assert summarized.summaries[: len(demo.summaries)] == demo.summaries
    assert replace(summarized, summaries=demo.summaries) == demo
    Folder().write(summarized, tmp_path / "out")
    assert summetry.load(tmp_path / "out") == summarized


def test_the_result_can_be_scored(demo):
    table = summetry.evaluate(summarize(demo, ["length"], "mean"), ["unit_overlap", "coselection"])
    mine = [row for row in table.rows if row.author == "length"]
    assert len(mine) == len(demo.topics)


def test_a_length_of_mean_length_is_that_of_each_topic():
    extracts = [Extract("t0", "a", (1,)), Extract("t0", "b", (2,)), Extract("t1", "a", (1,))]
    corpus = corpus_of(
        ["One two three.", "Four five.", "Six."], ["Seven.", "Eight nine."], extracts=extracts
    )
    # (2 + 1) / 2 words, then 2 words.
    summarized = summarize(corpus, ["lead"], "mean", "skip")
    assert units_by_author(summarized)["lead"] == {"t0": (2,), "t1": (0,)}


def test_every_topic_can_have_a_length_of_its_own():
    extracts = [Extract("t1", "a", (1,))]
    corpus = corpus_of(
        ["One two three.", "Four five.", "Six."], ["Seven.", "Eight nine."], extracts=extracts
    )
    # Two units of t0; of t1 the 2 words that its only extract has, so no more than unit 0.
    summarized = summarize(corpus, ["lead"], {"t0": 2, "t1": "mean"})
    assert units_by_author(summarized)["lead"] == {"t0": (0, 1), "t1": (0,)}
    assert [summary.meta["length"] for summary in summarized.summaries] == ["2 units", "mean"]
    with pytest.raises(SummetryError, match="expected a length for topic 't1', found none"):
        summarize(corpus, ["lead"], {"t0": 2})


def test_a_topic_without_extracts_has_no_mean_length():
    with pytest.raises(SummetryError, match=r"topic 't0' has no extracts, .*extracts.jsonl would"):
        summarize(TWO, ["lead"], "mean")


def test_names_of_authors():
    summarized = summarize(TWO, ["lead", "random(seed=3)"], "3 words", names=["first", "lots"])
    assert set(units_by_author(summarized)) == {"first", "lots"}
    assert summarized.summaries[1].meta["summarizer"] == "random(seed=3)"
    summarized = summarize(TWO, ["lead", "length"], "3 words", names=["our *"])
    assert set(units_by_author(summarized)) == {"our lead", "our length"}


@pytest.mark.parametrize(
    ("summarizers", "names", "message"),
    [
        (["lead", "length"], ["a"], "a name for each of 2 summarizers, or one with .*found 1"),
        (["lead", "length"], ["a", "a"], "another name for each summarizer, found 'a' twice"),
        (["lead", "lead(documents=order)"], None, "found 'lead' twice"),
        (["lead"], [""], "found an empty one"),
        (["laed"], None, "no summarizer is named 'laed'. Did you mean 'lead'"),
        (["lead(document=all)"], None, "lead has no option 'document'"),
        ([], None, "no summarizer to work with"),
        (7, None, "summarizers must be a list, got an int"),
    ],
)
def test_names_that_do_not_work_are_told(summarizers, names, message):
    with pytest.raises(SummetryError, match=message):
        summarize(TWO, summarizers, "2 words", names=names)


def test_a_fit_rule_that_does_not_exist_is_told():
    with pytest.raises(SummetryError, match=r"^fit must be one of stop, .*Did you mean 'skip'"):
        summarize(TWO, ["lead"], "2 words", "skpi")


def test_an_author_who_is_there_already_is_not_written_over(demo):
    with pytest.raises(SummetryError, match="'demo' has summaries by 'lead' already; give the new"):
        summarize(demo, ["lead"], "50 words")


def test_marks_of_an_author_without_summaries_are_in_the_way_too():
    corpus = corpus_of(["One."], judgments=[Judgment("t0", "lead", "j", "quality", 3)])
    with pytest.raises(SummetryError, match="has summaries by 'lead' already"):
        summarize(corpus, ["lead"], "50 words")


def test_topics_that_got_less_or_nothing_share_a_line():
    with pytest.warns(SummetryWarning) as caught:
        summarize(TWO, ["lead", "ordered"], "3 units")
    assert [str(warning.message) for warning in caught] == [
        "lead, ordered: less than 3 sentences for 1 of 2 topics (t1), "
        "as no more sentences were ranked"
    ]
    with pytest.warns(SummetryWarning) as caught:
        summarize(TWO, ["lead", "length"], "1 words")
    assert [str(warning.message) for warning in caught] == [
        "lead: nothing fits into 1 word for 1 of 2 topics (t0), by the fit rule stop",
        "length: nothing fits into 1 word for 2 of 2 topics (t0, t1), by the fit rule stop",
    ]


def test_many_topics_are_counted_and_a_few_named():
    corpus = corpus_of(*[["One two."]] * 7)
    with pytest.warns(SummetryWarning, match=r"for 7 of 7 topics \(t0, .*t4 and 2 more\)"):
        summarize(corpus, ["lead"], "1 words")


def test_topics_without_a_source_get_no_summary_and_that_is_said():
    corpus = corpus_of(["One two."], [])
    with pytest.warns(SummetryWarning, match=r"no source, so no summary for 1 of 2 topics \(t1\)"):
        summarized = summarize(corpus, ["lead"], "2 words")
    assert [summary.topic for summary in summarized.summaries] == ["t0"]


def test_a_corpus_without_any_source_is_told():
    with pytest.raises(SummetryError, match="the corpus 'c' has no source to summarize"):
        summarize(corpus_of([], []), ["lead"], "2 words")


def test_learning_leaves_out_the_topic_at_hand(pupil):
    summarize(TWO, [pupil], "3 words", names=["pupil"])
    assert Pupil.lessons == [("c", frozenset({"t0"})), ("c", frozenset({"t1"}))]
    assert Pupil.taught == {"t0": ("t1",), "t1": ("t0",)}


def test_learning_from_another_corpus_happens_once(pupil):
    other = corpus_of(["Ten."], ["Eleven."], ["Twelve."], name="other")
    summarize(TWO, [pupil], "3 words", names=["pupil"], train=other)
    assert Pupil.lessons == [("other", frozenset())]
    assert Pupil.taught == {"t0": ("t0", "t1", "t2"), "t1": ("t0", "t1", "t2")}


def test_nobody_learns_from_a_topic_that_is_summarized(pupil):
    other = corpus_of(["Ten."], ["Seven.", "Eight nine."], ["Twelve."], name="other")
    summarize(TWO, [pupil], "3 words", names=["pupil"], train=other)
    assert Pupil.lessons == [("other", frozenset({"t1"}))]


@dataclass(frozen=True)
class Fussy:
    """Refuses the second topic."""

    name: ClassVar[str] = "fussy"

    def rank(self, source, count):
        if source.topic.id == "t1":
            raise SummetryError("needs a query")
        return Ranking((0,))


def test_a_summarizer_that_cannot_is_an_error_that_names_the_topic():
    with pytest.raises(SummetryError, match=r"^fussy, topic 't1': needs a query$"):
        summarize(TWO, [Fussy()], "3 words")


def test_or_it_is_left_out_and_a_note_says_why():
    run = SummarizerRun(TWO, [Fussy(), "lead", "nobody"], "3 words", skip_unusable=True)
    by_author = run.summaries()
    assert list(by_author) == ["lead"] and len(by_author["lead"]) == 2
    assert run.notes == [
        "nobody is left out: no summarizer is named 'nobody'. `summetry summarizers` lists all.",
        "fussy is left out: topic 't1': needs a query",
    ]
    assert set(units_by_author(run.with_candidates(by_author))) == {"lead"}


def test_nobody_left_is_an_error():
    with pytest.raises(SummetryError, match="fussy is left out: topic 't1': needs a query"):
        SummarizerRun(TWO, [Fussy()], "3 words", skip_unusable=True).summaries()


def test_progress_counts_every_summary():
    seen = []
    summarize(TWO, ["lead", "length"], "3 words", progress=lambda *now: seen.append(now))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_progress_comes_to_its_end_though_a_summarizer_is_left_out():
    seen = []
    run = SummarizerRun(
        TWO, ["lead", Fussy()], "3 words", progress=lambda *now: seen.append(now),
        skip_unusable=True,
    )  # fmt: skip
    run.summaries()
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize("name", ["lead", "tf_idf", "mmr(ranker=tf_idf)"])
def test_a_training_corpus_that_nobody_learns_from_is_refused(name):
    with pytest.raises(SummetryError, match=r"train.* would not look at it: .*trainable"):
        summarize(TWO, [name], "3 words", train=TWO)


def test_one_that_learns_is_reason_enough_for_a_training_corpus():
    other = corpus_of(["Ten."], ["Eleven."], name="other")
    summarized = summarize(TWO, ["lead", "tf_idf(idf=corpus)"], "3 words", train=other)
    assert set(units_by_author(summarized)) == {"lead", "tf_idf(idf=corpus)"}


def test_the_public_name_is_the_same_function():
    assert summetry.summarize is summarize


# --- a text in memory -----------------------------------------------------------------------------

ARTICLE = "The ferry sank in the fog. Nobody of the crew was hurt by it. It was old."


def test_a_text_by_one_summarizer_gives_one_summary():
    summary = summarize(ARTICLE, "length", 2, language="en")
    assert str(summary) == summary.text
    assert summary.text == "The ferry sank in the fog. Nobody of the crew was hurt by it."
    assert summary.sentences == ("The ferry sank in the fog.", "Nobody of the crew was hurt by it.")
    assert summary.units == (0, 1)
    assert repr(summary).startswith("NewSummary('The ferry sank in the fog. Nob...")
    assert repr(summary).endswith("', units=(0, 1))") and len(repr(summary)) < 100


def test_a_text_by_a_list_of_summarizers_gives_one_summary_for_each_name():
    summaries = summarize(ARTICLE, ["length", Given((2, 0, 1))], "1 sentence", language="en")
    assert {name: str(summary) for name, summary in summaries.items()} == {
        "length": "Nobody of the crew was hurt by it.",
        "given(order=[2,0,1])": "It was old.",
    }
    assert list(summarize(ARTICLE, ["lead"], language="en", names=["mine"])) == ["mine"]
    assert summarize(ARTICLE, Given((2,)), 1, language="en").units == (2,)


def test_three_sentences_are_the_default():
    assert len(summarize(f"{ARTICLE} A fourth one.", "lead", language="en").sentences) == 3


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (ARTICLE, "English"),
        ("Färjan sjönk i dimman. Ingen av dem som var ombord blev skadad.", "Swedish"),
        ("Die Fähre sank im Nebel. Niemand von der Mannschaft wurde dabei verletzt.", "German"),
        ("渡轮在星期一撞上了码头。没有人受伤。", "Chinese"),
    ],
)
def test_the_language_of_a_text_is_guessed_and_a_warning_says_so(text, name):
    message = f"^the language is guessed to be {name}; language= names another$"
    with pytest.warns(SummetryWarning, match=message):
        summarize(text, "lsa", length=1)


def test_the_query_of_a_text_is_handed_on():
    summary = summarize(ARTICLE, "simple_match", 1, language="en", query="who was hurt?")
    assert summary.units == (1,)


def test_a_corpus_takes_one_summarizer_too():
    assert summarize(TWO, "lead", 1).summaries[-1].author == "lead"


def test_what_is_no_text_and_no_corpus_is_refused(tmp_path, monkeypatch):
    with pytest.raises(SummetryError, match=r"source must be a text or a corpus, .* got a list"):
        summarize([ARTICLE], "lead", 1)
    with pytest.raises(SummetryError, match="the text: expected a text with sentences, found none"):
        summarize(" \n", "lead", 1)
    cannot = r"the text: the language cannot be guessed from the words; name it with language= \("
    with pytest.raises(SummetryError, match=cannot):
        summarize("Anna Berg, Carl Dahl", "lead", 1)
    with pytest.raises(SummetryError, match="language and query go with a text; a corpus has its"):
        summarize(TWO, "lead", 1, language="en")
    with pytest.raises(SummetryError, match="language must be a string, got an int"):
        summarize(ARTICLE, "lead", 1, language=7)
    (tmp_path / "article.txt").write_text(ARTICLE)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SummetryError, match=r"found the name of a file: .*Path\('article.txt'\)"):
        summarize("article.txt", "lead", 1)
