"""The studies that ``summetry serve --demo`` opens."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import msgspec
from sqlalchemy import Connection

from summetry.formats import load
from summetry.records.corpus import KINDS, Corpus
from summetry.records.judgments import Judgment, Question
from summetry.records.topics import Topic
from summetry.stats.choices import Choice, shares_won
from summetry.web.pages import HERE
from summetry.web.settings import Asked, StudySettings
from summetry.web.store.accounts import add_member
from summetry.web.store.people import add_person
from summetry.web.store.studies import make_study
from summetry.web.tasks.pairs import DIMENSION

CORPUS = HERE.parent / "data" / "demo"
QUESTIONS = HERE / "demo_questions.jsonl"
# The corpus has sentences only; these are the numbers of those that begin a paragraph.
PARAGRAPHS: dict[str, tuple[int, ...]] = {
    "t01": (2, 5, 10, 12, 15, 18, 20),
    "t02": (3, 6, 10, 12),
    "t03": (5, 9, 11, 13, 16, 17, 22, 24),
    "t04": (3, 6, 9, 13, 16, 18),
    "t05": (4, 7, 10, 12, 15, 18, 22, 25, 28),
    "t06": (2, 5, 7, 9, 12, 16, 18),
    "t07": (4, 6, 9, 12, 15, 18, 20, 22),
    "t08": (2, 6, 7, 10, 13, 15, 17),
    "t09": (3, 5, 7, 10, 13, 15, 17, 20, 22),
}


def demo_corpus() -> Corpus:
    corpus = load(CORPUS)
    topics = tuple(_with_paragraphs(topic) for topic in corpus.topics)
    return dataclasses.replace(corpus, topics=topics)


def demo_questions() -> tuple[Question, ...]:
    """Multiple choice on the English topics of the demo corpus."""
    return tuple(msgspec.json.Decoder(Question).decode_lines(QUESTIONS.read_bytes()))


def make_demo(connection: Connection, researcher: int) -> list[str]:
    """Open a study of each task for a researcher; the ids of the studies."""
    groups = ("trained readers", "students")
    settings = StudySettings(
        title="Which sentences say what matters?",
        consent="I have read this and want to take part.",
        contact="study@example.org",
        questions=(Asked("reading", "Which of these groups do you belong to?", groups),),
        group="reading",
    )
    corpus = demo_corpus()
    extracts = _only(corpus, "extracts")
    studies = [
        make_study(connection, "Demo: extracts", "extract", extracts, settings, "open"),
        *_further_studies(connection, corpus),
    ]
    for study in studies:
        add_member(connection, study, researcher)
    for name, group in zip(("Avocet", "Bittern"), groups, strict=True):
        add_person(connection, studies[0], name, group=group, joined=False)
    return studies


def _further_studies(connection: Connection, corpus: Corpus) -> Iterator[str]:
    """A study of each task but extracts."""
    bare = _only(corpus)
    # With all six systems nothing can be significant: of nine topics the smallest p is 2/2^9, and
    # there are fifteen pairs. With five there are ten, and a clear difference can be seen.
    judged = _without(_only(corpus, "judgments"), "echo")
    preferred = dataclasses.replace(judged, judgments=tuple(_preferences(judged)))
    rated = _only(corpus, "utilities")
    # Nobody has marked the candidates yet.
    units = tuple(msgspec.structs.replace(pyramid, peers={}) for pyramid in corpus.pyramids)
    unmarked = dataclasses.replace(bare, pyramids=units)
    asked = demo_questions()
    known = {question.topic for question in asked}
    topics = tuple(topic for topic in bare.topics if topic.id in known)
    summaries = tuple(summary for summary in bare.summaries if summary.topic in known)
    with_questions = dataclasses.replace(bare, topics=topics, summaries=summaries, questions=asked)
    # With the number of texts that an informant gets; 0: all.
    about = {
        "accident": "something broke, sank or burned",
        "public health": "water, illness, hygiene",
        "nature": "plants, animals, seasons",
        "household": "family, repairs, everyday matters",
        "folk tale": "a story that is told",
    }
    for name, task, kept, title, number in (
        ("judgments", "judgment", judged, "How good is this summary?", 6),
        ("pairs", "pairs", preferred, "Which summary is better?", 8),
        ("utilities", "utility", rated, "Which sentences matter, and how much?", 3),
        ("categories", "category", bare, "What is this text about?", len(corpus.topics)),
        ("content units", "units", bare, "What do these summaries say?", 0),
        ("unit marks", "unit_marks", unmarked, "Does it say so?", 0),
        ("coverage", "coverage", bare, "How much of it is there?", 0),
        ("questions", "questions", with_questions, "What do you know after reading?", 0),
    ):
        beside = task in ("judgment", "pairs")
        settings = StudySettings(
            title=title,
            per_informant=number,
            with_source=beside,
            categories=about if task == "category" else {},
        )
        yield make_study(connection, f"Demo: {name}", task, kept, settings, "open")


def _only(corpus: Corpus, *kinds: str) -> Corpus:
    """The topics, summaries and people of a corpus, and these kinds of records."""
    others = set(KINDS) - {"topics", "summaries", "people", *kinds}
    nothing: dict[str, Any] = dict.fromkeys(others, ())
    return dataclasses.replace(corpus, **nothing)


def _without(corpus: Corpus, system: str) -> Corpus:
    """The corpus without the summaries of a system and what was said of them."""
    summaries = tuple(one for one in corpus.summaries if one.author != system)
    judgments = tuple(one for one in corpus.judgments if one.author != system)
    return dataclasses.replace(corpus, summaries=summaries, judgments=judgments)


def _preferences(corpus: Corpus) -> Iterator[Judgment]:
    """What the judges of the corpus would say of pairs of systems, by their responsiveness."""
    systems = {(one.topic, one.author) for one in corpus.summaries if one.role == "candidate"}
    marks: defaultdict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for one in corpus.judgments:
        if one.dimension == "responsiveness" and (one.topic, one.author) in systems:
            marks[one.topic, one.judge][one.author] = corpus.mark(one)
    for (topic, judge), own in marks.items():
        choices = [
            Choice(a, b, 1.0 if own[a] > own[b] else 0.5 if own[a] == own[b] else 0.0)
            for a, b in combinations(own, 2)
        ]
        for author, share in shares_won(choices).items():
            yield Judgment(topic, author, judge, DIMENSION, share)


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
