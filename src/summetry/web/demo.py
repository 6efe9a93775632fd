"""The studies that ``summetry serve --demo`` opens."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection

from summetry.formats import load
from summetry.records.corpus import Corpus
from summetry.records.judgments import Question
from summetry.records.topics import Topic
from summetry.web.pages import HERE
from summetry.web.settings import Asked, StudySettings
from summetry.web.store.accounts import add_member
from summetry.web.store.studies import make_study

CORPUS = HERE.parent / "data" / "demo"
QUESTIONS = HERE / "demo_questions.jsonl"
# The corpus has sentences only; these are the numbers of those that begin a paragraph.
PARAGRAPHS: dict[str, tuple[int, ...]] = {
    "t01": (2, 5, 10, 12, 15, 18, 20),
    "t02": (3, 6, 10, 12),
}


def demo_corpus() -> Corpus:
    corpus = load(CORPUS)
    topics = tuple(_with_paragraphs(topic) for topic in corpus.topics)
    return dataclasses.replace(corpus, topics=topics)


def demo_questions() -> tuple[Question, ...]:
    """Multiple choice on the English topics of the demo corpus."""
    lines = QUESTIONS.read_bytes().splitlines()
    return tuple(msgspec.json.decode(line, type=Question) for line in lines)


def make_demo(connection: Connection, researcher: int) -> list[str]:
    """Open the demo studies for a researcher; their ids."""
    settings = StudySettings(
        title="Which sentences say what matters?",
        consent="I have read this and want to take part.",
        contact="study@example.org",
        questions=(
            Asked(
                "reading",
                "Do you edit or review texts as part of your work or studies?",
                ("trained readers", "students"),
            ),
        ),
        group="reading",
    )
    corpus = demo_corpus()
    kept = dataclasses.replace(
        corpus, judgments=(), utilities=(), pyramids=(), labels=(), questions=(), answers=()
    )
    studies = [make_study(connection, "Demo: extracts", "extract", kept, settings, "open")]
    studies += _content_studies(connection, corpus)
    for study in studies:
        add_member(connection, study, researcher)
    return studies


def _content_studies(connection: Connection, corpus: Corpus) -> Iterator[str]:
    """Studies in which people say what summaries hold: units, their marks, coverage, questions."""
    bare = dataclasses.replace(corpus, extracts=(), judgments=(), utilities=(), pyramids=())
    # Nobody has marked the candidates yet.
    units = tuple(msgspec.structs.replace(pyramid, peers={}) for pyramid in corpus.pyramids)
    asked = demo_questions()
    known = {question.topic for question in asked}
    topics = tuple(topic for topic in bare.topics if topic.id in known)
    summaries = tuple(summary for summary in bare.summaries if summary.topic in known)
    with_questions = dataclasses.replace(bare, topics=topics, summaries=summaries, questions=asked)
    for name, task, kept, title in (
        ("content units", "units", bare, "What do these summaries say?"),
        ("unit marks", "unit_marks", dataclasses.replace(bare, pyramids=units), "Does it say so?"),
        ("coverage", "coverage", bare, "How much of it is there?"),
        ("questions", "questions", with_questions, "What do you know after reading?"),
    ):
        settings = StudySettings(title=title)
        yield make_study(connection, f"Demo: {name}", task, kept, settings, "open")


def _with_paragraphs(topic: Topic) -> Topic:
    """The topic with what is known of its paragraphs, counted in each of its documents."""
    begins = PARAGRAPHS.get(topic.id, ())
    documents, first = [], 0
    for document in topic.documents:
        own = [b - first for b in begins if first <= b < first + len(document.units)]
        documents.append(msgspec.structs.replace(document, meta={"paragraphs": own}))
        first += len(document.units)
    return msgspec.structs.replace(topic, documents=tuple(documents))
