"""Topics that do not say their language: each is guessed from its own text."""

from dataclasses import replace

from summetry.errors import Place
from summetry.records.builder import CorpusBuilder
from summetry.records.guessed_languages import (
    free_topics,
    other_languages,
    text_of_topic,
    with_languages,
)
from summetry.records.summaries import Extract, Summary
from summetry.records.topics import Document, Topic

ENGLISH = "Nobody knew what had happened to the ferry. It was the end of it."
SWEDISH = "Mötet är kl. 12. Ingen visste varför det hade hänt, och de var inte där."


def corpus(*records):
    builder = CorpusBuilder("c", "en")
    for name, text in (("en", ENGLISH), ("sv", SWEDISH), ("none", "")):
        documents = (Document(name, text=text),) if text else ()
        builder.add("topics", Topic(name, documents=documents), Place(name))
    for kind, record in records:
        builder.add(kind, record, Place(kind))
    return builder.build()


def test_a_topic_in_another_language_is_found_and_cut_by_its_rules():
    before = corpus()
    assert other_languages(before) == {"sv": "sv"}
    after = with_languages(before, {"sv": "sv"})
    assert after.topic("sv").language == "sv"
    assert after.topic("sv").units[0] == "Mötet är kl. 12."
    assert after.topic("en") == before.topic("en")


def test_a_topic_without_a_text_is_in_the_language_of_its_summaries():
    with_summary = corpus(("summaries", Summary("none", "lead", "candidate", text=SWEDISH)))
    assert text_of_topic(with_summary, with_summary.topic("none")) == SWEDISH
    assert other_languages(with_summary) == {"sv": "sv", "none": "sv"}


def test_a_topic_that_says_its_language_is_not_guessed():
    before = corpus()
    named = tuple(Topic(t.id, language="en", documents=t.documents) for t in before.topics)
    assert other_languages(replace(before, topics=named)) == {}


def test_units_that_something_refers_to_stay_in_another_language():
    before = corpus(("extracts", Extract("sv", "Ann", (0,))))
    assert free_topics(before) == {"en"}
    after = with_languages(before, {"sv": "sv"})
    assert after.topic("sv").units == before.topic("sv").units
    assert after.topic("sv").language == "sv"
