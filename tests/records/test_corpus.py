"""A corpus: its records, texts, marks, fingerprint, and the languages of its topics."""

from dataclasses import replace

import pytest

from summetry.errors import Place, UnknownNameError
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus, join_units
from summetry.records.guessed_languages import (
    free_topics,
    other_languages,
    text_of_topic,
    with_languages,
)
from summetry.records.judgments import Judgment
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


def test_a_topic_without_a_text_is_in_the_language_of_its_summaries():
    with_summary = guessable(("summaries", Summary("none", "lead", "candidate", text=SWEDISH)))
    assert text_of_topic(with_summary, with_summary.topic("none")) == SWEDISH
    assert other_languages(with_summary) == {"sv": "sv", "none": "sv"}


def test_units_that_something_refers_to_stay_in_another_language():
    before = guessable(("extracts", Extract("sv", "Ann", (0,))))
    assert free_topics(before) == {"en"}
    after = with_languages(before, {"sv": "sv"})
    assert after.topic("sv").units == before.topic("sv").units
    assert after.topic("sv").language == "sv"
