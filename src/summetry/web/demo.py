"""The studies that ``summetry serve --demo`` opens."""

from __future__ import annotations

import dataclasses

import msgspec
from sqlalchemy import Connection

from summetry.formats import load
from summetry.records.corpus import Corpus
from summetry.records.topics import Topic
from summetry.web.pages import HERE
from summetry.web.settings import Asked, StudySettings
from summetry.web.store.accounts import add_member
from summetry.web.store.people import add_person
from summetry.web.store.studies import make_study

CORPUS = HERE.parent / "data" / "demo"
# The corpus has sentences only; these are the numbers of those that begin a paragraph.
PARAGRAPHS: dict[str, tuple[int, ...]] = {
    "t01": (2, 5, 10, 12, 15, 18, 20),
    "t02": (3, 6, 10, 12),
}


def demo_corpus() -> Corpus:
    corpus = load(CORPUS)
    topics = tuple(_with_paragraphs(topic) for topic in corpus.topics)
    return dataclasses.replace(corpus, topics=topics)


def make_demo(connection: Connection, researcher: int) -> list[str]:
    """Open a demo study for a researcher; the ids of the studies."""
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
    study = make_study(connection, "Demo: extracts", "extract", kept, settings, "open")
    add_member(connection, study, researcher)
    for name, group in (("Avocet", "trained readers"), ("Bittern", "students")):
        add_person(connection, study, name, group=group, joined=False)
    return [study]


def _with_paragraphs(topic: Topic) -> Topic:
    """The topic with what is known of its paragraphs, counted in each of its documents."""
    begins = PARAGRAPHS.get(topic.id, ())
    documents, first = [], 0
    for document in topic.documents:
        numbers = range(first, first + len(document.units))
        own = [1 + sum(first < begin <= n for begin in begins) for n in numbers]
        documents.append(msgspec.structs.replace(document, meta={"paragraphs": own}))
        first += len(document.units)
    return msgspec.structs.replace(topic, documents=tuple(documents))
