"""The languages of topics that do not say them, each guessed from its own text."""

from __future__ import annotations

import dataclasses

import msgspec

from summetry.records.corpus import Corpus
from summetry.records.topics import Topic, cut_anew
from summetry.records.units import fixed_topics
from summetry.text.guessing import guess_among


def text_of_topic(corpus: Corpus, topic: Topic) -> str:
    """The text of a topic, or of its summaries where it has none."""
    if units := topic.units:
        return " ".join(units)
    return "\n".join(corpus.text_of(summary) for summary in corpus.of_topic("summaries", topic.id))


def other_languages(corpus: Corpus) -> dict[str, str]:
    """The languages of topics that say none and are clearly not in that of the corpus."""
    guesses = {
        topic.id: guess_among(text_of_topic(corpus, topic), corpus.language)
        for topic in corpus.topics
        if not topic.language
    }
    return {topic: code for topic, code in guesses.items() if code != corpus.language}


def with_languages(corpus: Corpus, languages: dict[str, str]) -> Corpus:
    """The corpus with the languages of some topics, whose units are cut accordingly."""
    if not languages:
        return corpus
    free = free_topics(corpus)
    topics = tuple(
        _in_language(topic, languages[topic.id], topic.id in free)
        if topic.id in languages
        else topic
        for topic in corpus.topics
    )
    return dataclasses.replace(corpus, topics=topics)


def free_topics(corpus: Corpus) -> set[str]:
    """The topics whose units we have cut and nothing refers to: they can be cut otherwise."""
    fixed, cut = fixed_topics(corpus), set(corpus.cut_topics)
    return {
        topic.id
        for topic in corpus.topics
        if topic.id not in fixed
        and topic.documents
        and all(document.text for document in topic.documents)
        # A text that is one sentence has nothing cut.
        and (topic.id in cut or len(topic.units) == 1)
    }


def _in_language(topic: Topic, code: str, is_free: bool) -> Topic:
    topic = msgspec.structs.replace(topic, language=code)
    return cut_anew(topic, topic.unit, code) if is_free else topic
