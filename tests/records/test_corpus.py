"""A corpus: building it, its records, texts, marks, fingerprint and languages of topics."""

from dataclasses import replace

import pytest
from format_checks import refusal

from summetry.errors import FormatError, Place, SummetryWarning, UnknownNameError
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import KINDS, Corpus, join_units
from summetry.records.guessed_languages import (
    free_topics,
    other_languages,
    text_of_topic,
    with_languages,
)
from summetry.records.judgments import Answer, Judgment, Qrel, Query, Question, Utilities
from summetry.records.pyramids import Label, LabelScu, Pyramid, Scu
from summetry.records.summaries import Extract, Person, Summary
from summetry.records.topics import Document, Topic, with_units

ENGLISH = Topic("t1", documents=(Document("d1", units=("A.", "B.")), Document("d2", units=("C.",))))
CHINESE = Topic("t2", language="zh", documents=(Document("d", units=("一。", "二。")),))
CORPUS = Corpus(
    name="c",
    language="en",
    scales={"grammaticality": ("E", "D", "C")},
    topics=(ENGLISH, CHINESE),
    summaries=(
        Summary("t1", "lead", "candidate", units=(2, 0)),
        Summary("t2", "lead", "candidate", units=(0, 1)),
        Summary("t1", "other", "candidate", text="own words", units=(1,)),
        Summary("t1", "m1", "reference", sentences=("One.", "Two.")),
    ),
)


def test_a_topic_is_found_by_its_id_and_its_records_keep_the_order_of_the_corpus():
    assert CORPUS.topic("t2") is CHINESE
    assert ENGLISH.units == ("A.", "B.", "C.")
    with pytest.raises(UnknownNameError, match=r"^no topic is named 't3'\. Known: t1, t2\.$"):
        CORPUS.topic("t3")
    assert [s.author for s in CORPUS.of_topic("summaries", "t1")] == ["lead", "other", "m1"]
    assert CORPUS.of_topic("summaries", "nowhere") == CORPUS.of_topic("extracts", "t1") == ()


def test_the_text_of_a_summary_is_its_own_or_that_of_its_units_in_their_order():
    # Units are joined without blanks where the language has none.
    expected = ["C. A.", "一。二。", "own words", "One. Two."]
    assert [CORPUS.text_of(summary) for summary in CORPUS.summaries] == expected
    assert CORPUS.text_of(Summary("t1", "silent", "candidate", text="", units=(0,))) == ""
    assert join_units(("a", "b"), "") == "a b"
    # A topic without a language has that of the corpus.
    assert (CORPUS.language_of(ENGLISH), CORPUS.language_of(CHINESE)) == ("en", "zh")


@pytest.mark.parametrize(("value", "number"), [("E", 1.0), ("C", 3.0), (4, 4.0), (2.5, 2.5)])
def test_a_mark_is_its_place_on_the_scale_from_one(value, number):
    assert CORPUS.mark(Judgment("t1", "lead", "j", "grammaticality", value)) == number


@pytest.mark.parametrize("change", [
    {"name": "d"}, {"language": "sv"}, {"scales": {}}, {"meta": {"a": 1}},
    {"topics": (CHINESE, ENGLISH)}, {"summaries": CORPUS.summaries[1:]},
    {"extracts": (Extract("t1", "p", (0,)),)}, {"people": (Person("p"),)},
])  # fmt: skip
def test_the_fingerprint_changes_with_any_record_and_not_with_problems(change):
    assert replace(CORPUS, **change).fingerprint != CORPUS.fingerprint
    assert len(CORPUS.fingerprint) == 10
    for equal in (replace(CORPUS), replace(CORPUS, problems=("a line was left out",))):
        assert (equal, equal.fingerprint) == (CORPUS, CORPUS.fingerprint)


TEXT = "Mr. Smith came. He saw it.\n\nThen he left."


@pytest.mark.parametrize(("unit", "units"), [
    ("sentence", ("Mr. Smith came.", "He saw it.", "Then he left.")),
    ("paragraph", ("Mr. Smith came. He saw it.", "Then he left.")),
    ("word", ("Mr", "Smith", "came", "He", "saw", "it", "Then", "he", "left")),
])  # fmt: skip
def test_the_text_of_a_topic_is_cut_into_units_of_its_kind(unit, units):
    cut = with_units(Topic("t", text=TEXT, unit=unit), "en")
    assert cut.units == units
    assert cut.documents == (Document("t", text=TEXT, units=units),)
    assert cut.text == ""


def test_each_document_is_cut_by_itself_and_units_that_are_there_stay():
    topic = Topic("t", documents=(Document("a", text="One"), Document("b", text="two. Three.")))
    assert with_units(topic).units == ("One", "two.", "Three.")
    topic = Topic("t", documents=(Document("a", text="One. Two.", units=("One. Two.",)),))
    assert with_units(topic) == topic
    cut = with_units(Topic("t", text=TEXT), "en")
    assert with_units(cut, "en") == cut


def test_the_language_of_the_topic_comes_before_that_of_the_corpus():
    text, swedish = "Se t.ex. Anders. Han gick.", ("Se t.ex. Anders.", "Han gick.")
    assert with_units(Topic("t", text=text), "sv").units == swedish
    assert with_units(Topic("t", text=text), "en").units != swedish
    assert with_units(Topic("t", text=text, language="sv"), "en").units == swedish


# --- topics that do not say their language: each is guessed from its own text ---


ENGLISH_TEXT = "Nobody knew what had happened to the ferry. It was the end of it."
SWEDISH = "Mötet är kl. 12. Ingen visste varför det hade hänt, och de var inte där."


def guessable(*records):
    builder = CorpusBuilder("c", "en")
    for name, text in (("en", ENGLISH_TEXT), ("sv", SWEDISH), ("none", "")):
        documents = (Document(name, text=text),) if text else ()
        builder.add("topics", Topic(name, documents=documents), Place(name))
    for kind, record in records:
        builder.add(kind, record, Place(kind))
    return builder.build()


def test_a_topic_in_another_language_is_found_and_cut_by_its_rules_unless_it_says_its_own():
    before = guessable()
    assert other_languages(before) == {"sv": "sv"}
    after = with_languages(before, {"sv": "sv"})
    assert after.topic("sv").language == "sv"
    assert after.topic("sv").units[0] == "Mötet är kl. 12."
    assert after.topic("en") == before.topic("en")
    named = tuple(Topic(t.id, language="en", documents=t.documents) for t in before.topics)
    assert other_languages(replace(before, topics=named)) == {}
    # A topic without a text is in the language of its summaries.
    with_summary = guessable(("summaries", Summary("none", "lead", "candidate", text=SWEDISH)))
    assert text_of_topic(with_summary, with_summary.topic("none")) == SWEDISH
    assert other_languages(with_summary) == {"sv": "sv", "none": "sv"}


def test_units_that_something_refers_to_stay_in_another_language():
    before = guessable(("extracts", Extract("sv", "Ann", (0,))))
    assert free_topics(before) == {"en"}
    after = with_languages(before, {"sv": "sv"})
    assert after.topic("sv").units == before.topic("sv").units
    assert after.topic("sv").language == "sv"


# --- building a corpus: what does not fit is named with its place, or left out and listed ---


PLACE = Place("file", 9)
TOPIC = Topic("t1", documents=(Document("d", units=("a", "b", "c")),))


def started(on_error="stop"):
    """A builder with one topic of three units, a question, a query and a summary."""
    builder = CorpusBuilder("c", scales={"grammar": ("C", "B", "A")}, on_error=on_error)
    builder.add("topics", TOPIC, Place("topics", 1))
    builder.add("topics", Topic("empty"), Place("topics", 2))
    builder.add("questions", Question("t1", "q1", "?", ("x", "y"), 1), Place("questions", 1))
    builder.add("queries", Query("k1", "words"), Place("queries", 1))
    builder.add("summaries", Summary("t1", "lead", "candidate", text=""), Place("summaries", 1))
    return builder


LEAD, GRAMMAR = ("t1", "a", "candidate"), ("t1", "lead", "j", "grammar")
WRONG = [
    Summary("t11", "a", "candidate", text=""),
    Extract("zzz", "p", (0,)),
    Summary(*LEAD, units=(0, 3)),
    Extract("t1", "p", (-1,)),
    Extract("empty", "p", (0,)),
    Extract("t1", "p", (2, 1, 2)),
    Label("t1", 7),
    Summary(*LEAD),
    Summary(*LEAD, text="x", sentences=("x",)),
    Summary("t1", "lead", "candidate", text="again"),
    TOPIC,
    Topic("t3", text="x", documents=(Document("d"),)),
    Topic("t3", documents=(Document("d", text="a b c", units=("a", "c", "b")),)),
    Topic("t3", documents=(Document("d", text="ab", units=("ab", "b")),)),
    Judgment(*GRAMMAR, "D"),
    Judgment("t1", "lead", "j", "clarity", "good"),
    Utilities("t1", "j", (1, 2)),
    Utilities("t1", "j", (1, -0.5, 2)),
    Pyramid("t1", (Scu("1"), Scu("2"), Scu("1"))),
    Pyramid("t1", (), {}, "mean"),
    Pyramid("t1", (Scu("1"), Scu("2", "", -1))),
    Label("t1", 0, (), (LabelScu("1", -0.5),)),
    Question("t1", "q2", "?", ("x",), 1),
    Question("t1", "q2", "?", (), 0),
    Answer("t1", "q9", "j", "nothing"),
    Qrel("k9", "t1", 1),
    Qrel("k1", "t9", 1),
    Summary("t1", "a", "peer", text=""),
]


def add(builder, record, place=PLACE):
    builder.add(next(kind for kind in KINDS if isinstance(record, KINDS[kind])), record, place)


def test_a_record_that_does_not_fit_is_named_with_its_place_or_left_out_and_listed(refused):
    def built(record):
        builder = started("skip")
        add(builder, record)
        corpus = builder.build()
        assert corpus == started().build()
        assert corpus.problems == (refusal(add, started(), record),)
        add(started(), record)

    refused(built, WRONG)


def test_the_same_record_twice_is_named_with_both_places(refused):
    def add_twice(record):
        builder = started()
        add(builder, record, Place("file", 3))
        with pytest.raises(FormatError, match="second one"):
            add(builder, record, Place("file", 3))  # Twice at one place is twice.
        add(builder, record)

    refused(add_twice, [
        Extract("t1", "p", (0,)), Judgment("t1", "lead", "j", "d", 1), Pyramid("t1", ()),
        Utilities("t1", "j", (1, 1, 1)), Label("t1", 0), Question("t1", "q2", "?"),
        Answer("t1", "q1", "j", "source", "a"), Query("k2", ""), Qrel("k1", "t1", 0), Person("p"),
    ])  # fmt: skip


@pytest.mark.parametrize("record", [
    # One author may be candidate and reference.
    Summary("t1", "lead", "reference", text=""),
    # A summary may be empty, and an extract may have no units.
    Summary(*LEAD, units=()),
    Extract("empty", "p", ()),
    # A mark on the scale and any number are kept.
    *(Judgment(*GRAMMAR, value) for value in ("A", "C", 2, 2.5, -1)),
    # Text and units that agree are kept as they are.
    Topic("t9", documents=(Document("d", text="a b. a", units=("a", "b.", "a")),)),
])  # fmt: skip
def test_a_record_that_fits_is_kept_as_it_is(record):
    builder = started()
    add(builder, record)
    kind = next(kind for kind in KINDS if isinstance(record, KINDS[kind]))
    assert getattr(builder.build(), kind)[-1] == record


def test_what_refers_to_something_that_was_left_out_is_left_out_too():
    builder = started("skip")
    add(builder, Topic("bad", text="x", documents=(Document("d"),)), Place("topics", 3))
    add(builder, Topic("good", text="Fine."), Place("topics", 4))
    for number, topic in enumerate(["bad", "good"], 2):
        add(builder, Summary(topic, "a", "candidate", text=""), Place("summaries", number))
        add(builder, Extract(topic, "p", (0,)), Place("extracts", number))
    add(builder, Question("t1", "q2", "?", ("x",), 5), Place("questions", 2))
    add(builder, Answer("t1", "q2", "j", "source"), Place("answers", 1))
    corpus = builder.build()
    assert [topic.id for topic in corpus.topics] == ["t1", "empty", "good"]
    assert [summary.topic for summary in corpus.summaries] == ["t1", "good"]
    assert [extract.topic for extract in corpus.extracts] == ["good"]
    assert corpus.answers == ()
    assert [problem.partition(": ")[0] for problem in corpus.problems] == (
        ["topics:3", "summaries:2", "extracts:2", "questions:2", "answers:1"]
    )
    message = "answers:1: expected a question of questions.jsonl, found question 'q2'"
    assert corpus.problems[-1] == message


def test_a_record_that_was_left_out_changes_nothing_else():
    # A second topic of one name does not change the units of the first.
    builder = started("skip")
    add(builder, Topic("t1", documents=(Document("d", units=("a",)),)))
    add(builder, Extract("t1", "p", (2,)))
    assert builder.build().extracts == (Extract("t1", "p", (2,)),)
    # A good record after a bad one of the same name is kept.
    builder = started("skip")
    add(builder, Extract("t1", "p", (9,)), Place("file", 1))
    add(builder, Extract("t1", "p", (1,)), Place("file", 2))
    corpus = builder.build()
    assert (corpus.extracts, len(corpus.problems)) == ((Extract("t1", "p", (1,)),), 1)


def test_many_sentences_without_a_blank_between_them_get_one_note():
    glued = "He left.The coach came.It rained.We won.And all sang."
    builder = CorpusBuilder("news", "en")
    for name, text in (("t1", glued), ("t2", glued), ("one", "He left.The coach came. It rained.")):
        add(builder, Topic(name, text=text))
    with pytest.warns(SummetryWarning) as notes:
        corpus = builder.build()
    assert [str(note.message) for note in notes] == [
        "news: 2 topics have sentences without a blank between them ('left.The'); "
        "cut there, at 8 places"
    ]
    assert [len(topic.units) for topic in corpus.topics] == [5, 5, 3]
    assert corpus.cut_topics == ("t1", "t2", "one")
    # Units that are there are not looked at.
    builder = CorpusBuilder("news", "en")
    document = Document("d", text="A.B.C.D.", units=("A.", "B.", "C.", "D."))
    add(builder, Topic("t", documents=(document,)))
    assert builder.build().cut_topics == ()
