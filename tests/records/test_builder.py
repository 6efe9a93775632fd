"""Building a corpus: what does not fit is named with its place, or left out and listed."""

import pytest

from summetry.errors import FormatError, Place, SummetryWarning
from summetry.records.builder import CorpusBuilder
from summetry.records.judgments import Answer, Judgment, Qrel, Query, Question, Utilities
from summetry.records.pyramids import Label, LabelScu, Pyramid, Scu
from summetry.records.summaries import Extract, Person, Summary
from summetry.records.topics import Document, Topic

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


WRONG = [
    ("summaries", Summary("t11", "a", "candidate", text=""),
     "a topic of topics.jsonl, found topic 't11'; Did you mean 't1'?"),
    ("extracts", Extract("zzz", "p", (0,)), "a topic of topics.jsonl, found topic 'zzz'"),
    ("summaries", Summary("t1", "a", "candidate", units=(0, 3)),
     "units from 0 to 2 for topic 't1', found unit 3; units are counted from 0"),
    ("extracts", Extract("t1", "p", (-1,)),
     "units from 0 to 2 for topic 't1', found unit -1; units are counted from 0"),
    ("extracts", Extract("empty", "p", (0,)), "units of topic 'empty', which has none, found 0"),
    ("extracts", Extract("t1", "p", (2, 1, 2)), "each unit once, found unit 2 more than once"),
    ("labels", Label("t1", 7),
     "units from 0 to 2 for topic 't1', found unit 7; units are counted from 0"),
    ("summaries", Summary("t1", "a", "candidate"),
     "a summary with text, sentences or units, found none of them; "
     'write "text": "" for a system that returned nothing'),
    ("summaries", Summary("t1", "a", "candidate", text="x", sentences=("x",)),
     "text or sentences, found both; keep one of them"),
    ("summaries", Summary("t1", "lead", "candidate", text="again"),
     "one summary t1 lead candidate, found a second one, the first is summaries:1"),
    ("topics", TOPIC, "one topic t1, found a second one, the first is topics:1"),
    ("topics", Topic("t3", text="x", documents=(Document("d"),)),
     "text or documents, found both; put the text into a document"),
    ("topics", Topic("t3", documents=(Document("d", text="a b c", units=("a", "c", "b")),)),
     "the units of document 'd' in its text, in order, found unit 2 'b' that is not there"),
    ("topics", Topic("t3", documents=(Document("d", text="ab", units=("ab", "b")),)),
     "the units of document 'd' in its text, in order, found unit 1 'b' that is not there"),
    ("judgments", Judgment("t1", "lead", "j", "grammar", "D"),
     "a number or one of C, B, A, found the mark 'D' for grammar"),
    ("judgments", Judgment("t1", "lead", "j", "clarity", "good"),
     "a number, found the mark 'good' for clarity; "
     'declare "scales": {"clarity": [...]} in corpus.json'),
    ("utilities", Utilities("t1", "j", (1, 2)),
     "3 values, one for each unit of topic 't1', found 2"),
    ("utilities", Utilities("t1", "j", (1, -0.5, 2)),
     "utilities of 0 or more, found -0.5 for unit 1"),
    ("pyramids", Pyramid("t1", (Scu("1"), Scu("2"), Scu("1"))),
     "each SCU once, found SCU '1' more than once"),
    ("pyramids", Pyramid("t1", (Scu("1"), Scu("2", "", -1))),
     "weights of 0 or more, found -1 for SCU '2'"),
    ("labels", Label("t1", 0, (), (LabelScu("1", -0.5),)),
     "weights of 0 or more, found -0.5 for SCU '1'"),
    ("questions", Question("t1", "q2", "?", ("x",), 1),
     "an answer from 0 to 0, found the answer 1"),
    ("questions", Question("t1", "q2", "?", (), 0),
     "choices for the answer to name one of, found the answer 0"),
    ("answers", Answer("t1", "q9", "j", "nothing"),
     "a question of questions.jsonl, found question 'q9'"),
    ("qrels", Qrel("k9", "t1", 1), "a query of queries.jsonl, found query 'k9'"),
    ("qrels", Qrel("k1", "t9", 1), "a topic of topics.jsonl, found topic 't9'"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "record", "message"), WRONG)
def test_a_record_that_does_not_fit_is_named_with_its_place_or_left_out_and_listed(
    kind, record, message
):
    with pytest.raises(FormatError) as caught:
        started().add(kind, record, PLACE)
    assert str(caught.value) == f"file:9: expected {message}"
    builder = started("skip")
    builder.add(kind, record, PLACE)
    corpus = builder.build()
    assert corpus == started().build()
    assert corpus.problems == (f"file:9: expected {message}",)


TWICE = [
    ("extracts", Extract("t1", "p", (0,)), "extract t1 p"),
    ("judgments", Judgment("t1", "lead", "j", "d", 1), "judgment t1 lead j d"),
    ("utilities", Utilities("t1", "j", (1, 1, 1)), "utilities t1 j"),
    ("pyramids", Pyramid("t1", ()), "pyramid t1"),
    ("labels", Label("t1", 0), "label t1 0"),
    ("questions", Question("t1", "q2", "?"), "question t1 q2"),
    ("answers", Answer("t1", "q1", "j", "source", "a"), "answer t1 q1 j source a"),
    ("queries", Query("k2", ""), "query k2"),
    ("qrels", Qrel("k1", "t1", 0), "qrel k1 t1"),
    ("people", Person("p"), "person p"),
]


@pytest.mark.parametrize(("kind", "record", "words"), TWICE)
def test_the_same_record_twice_is_named_with_both_places(kind, record, words):
    builder = started()
    builder.add(kind, record, Place("file", 3))
    with pytest.raises(FormatError) as caught:
        builder.add(kind, record, PLACE)
    assert str(caught.value) == (
        f"file:9: expected one {words}, found a second one, the first is file:3"
    )


def test_twice_at_one_place_is_twice():
    builder = started()
    builder.add("people", Person("p"), PLACE)
    with pytest.raises(FormatError, match=r"^file:9: expected one person p, found a second one"):
        builder.add("people", Person("p"), PLACE)


def test_one_author_may_be_candidate_and_reference():
    builder = started()
    builder.add("summaries", Summary("t1", "lead", "reference", text=""), PLACE)
    assert len(builder.build().summaries) == 2


def test_a_summary_may_be_empty_and_an_extract_may_have_no_units():
    builder = started()
    builder.add("summaries", Summary("t1", "a", "candidate", units=()), PLACE)
    builder.add("extracts", Extract("empty", "p", ()), PLACE)
    assert builder.build().extracts == (Extract("empty", "p", ()),)


@pytest.mark.parametrize("value", ["A", "C", 2, 2.5, -1])
def test_a_mark_on_the_scale_and_any_number_are_kept(value):
    builder = started()
    judgment = Judgment("t1", "lead", "j", "grammar", value)
    builder.add("judgments", judgment, PLACE)
    assert builder.build().judgments == (judgment,)


def test_what_refers_to_a_topic_that_was_left_out_is_left_out_too():
    builder = CorpusBuilder(on_error="skip")
    builder.add("topics", Topic("bad", text="x", documents=(Document("d"),)), Place("topics", 1))
    builder.add("topics", Topic("good", text="Fine."), Place("topics", 2))
    for number, topic in enumerate(["bad", "good"], 1):
        builder.add(
            "summaries", Summary(topic, "a", "candidate", text=""), Place("summaries", number)
        )
        builder.add("extracts", Extract(topic, "p", (0,)), Place("extracts", number))
    corpus = builder.build()
    assert [topic.id for topic in corpus.topics] == ["good"]
    assert [summary.topic for summary in corpus.summaries] == ["good"]
    assert [extract.topic for extract in corpus.extracts] == ["good"]
    assert [problem.partition(" ")[0] for problem in corpus.problems] == [
        "topics:1:",
        "summaries:1:",
        "extracts:1:",
    ]


def test_what_refers_to_a_question_that_was_left_out_is_left_out_too():
    builder = started("skip")
    builder.add("questions", Question("t1", "q2", "?", ("x",), 5), Place("questions", 2))
    builder.add("answers", Answer("t1", "q2", "j", "source"), Place("answers", 1))
    corpus = builder.build()
    assert corpus.answers == ()
    assert corpus.problems[1] == (
        "answers:1: expected a question of questions.jsonl, found question 'q2'"
    )


def test_a_second_topic_that_was_left_out_does_not_change_the_first():
    builder = started("skip")
    builder.add("topics", Topic("t1", documents=(Document("d", units=("a",)),)), PLACE)
    builder.add("extracts", Extract("t1", "p", (2,)), PLACE)
    assert builder.build().extracts == (Extract("t1", "p", (2,)),)


def test_a_good_record_after_a_bad_one_of_the_same_name_is_kept():
    builder = started("skip")
    builder.add("extracts", Extract("t1", "p", (9,)), Place("file", 1))
    builder.add("extracts", Extract("t1", "p", (1,)), Place("file", 2))
    corpus = builder.build()
    assert corpus.extracts == (Extract("t1", "p", (1,)),)
    assert len(corpus.problems) == 1


def test_text_and_units_that_agree_are_kept_as_they_are():
    topic = Topic("t9", documents=(Document("d", text="a b. a", units=("a", "b.", "a")),))
    builder = CorpusBuilder()
    builder.add("topics", topic, PLACE)
    assert builder.build().topics == (topic,)


def test_the_head_of_a_corpus_is_kept():
    corpus = CorpusBuilder("n", "sv", {"d": ("x",)}, {"a": 1}).build()
    assert (corpus.name, corpus.language) == ("n", "sv")
    assert (corpus.scales, corpus.meta) == ({"d": ("x",)}, {"a": 1})


def test_a_role_that_does_not_exist_is_refused():
    builder = CorpusBuilder()
    builder.add("topics", Topic("t", text="Fine."), Place("topics", 1))
    with pytest.raises(FormatError, match="expected the role candidate or reference, found 'peer'"):
        builder.add("summaries", Summary("t", "a", "peer", text=""), Place("summaries", 1))


def test_many_sentences_without_a_blank_between_them_get_one_note():
    glued = "He left.The coach came.It rained.We won.And all sang."
    builder = CorpusBuilder("news", "en")
    builder.add("topics", Topic("t1", text=glued), PLACE)
    builder.add("topics", Topic("t2", text=glued), PLACE)
    builder.add("topics", Topic("one", text="He left.The coach came. It rained."), PLACE)
    with pytest.warns(SummetryWarning) as notes:
        corpus = builder.build()
    assert [str(note.message) for note in notes] == [
        "news: 2 topics have sentences without a blank between them ('left.The'); "
        "cut there, at 8 places"
    ]
    assert [len(topic.units) for topic in corpus.topics] == [5, 5, 3]
    assert corpus.cut_topics == ("t1", "t2", "one")


def test_units_that_are_given_are_not_looked_at():
    builder = CorpusBuilder("news", "en")
    text = "A.B.C.D."
    units = ("A.", "B.", "C.", "D.")
    builder.add("topics", Topic("t", documents=(Document("d", text=text, units=units),)), PLACE)
    assert builder.build().cut_topics == ()
