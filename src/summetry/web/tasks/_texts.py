"""Summaries and sources as people read them: which summaries there are, and their paragraphs."""

from __future__ import annotations

from collections.abc import Iterable

import regex

from summetry.errors import SummetryError
from summetry.records.corpus import Corpus, join_units
from summetry.records.prose import documents_in_paragraphs
from summetry.records.summaries import Role, Summary
from summetry.records.topics import Topic
from summetry.web.tasks._base import Work, summaries_of


def one_per_author(summaries: Iterable[Summary]) -> list[Summary]:
    """Each author's summary of each topic; one who has written both is judged as a system."""
    found: dict[tuple[str, str], Summary] = {}
    for summary in summaries:
        key = summary.topic, summary.author
        if key not in found or summary.role == "candidate":
            found[key] = summary
    return list(found.values())


def judged_summaries(corpus: Corpus, *, with_references: bool) -> list[Summary]:
    """The candidates of a corpus, and its references if they are judged too."""
    roles = ("candidate", "reference") if with_references else ("candidate",)
    return one_per_author(summary for summary in corpus.summaries if summary.role in roles)


def find_summary(work: Work, author: str, role: Role | None = None) -> Summary:
    """The summary that an item names, in this role or in the one that is judged."""
    corpus, topic = work.corpus, work.item.topic
    judged = one_per_author(corpus.of_topic("summaries", topic))
    for summary in summaries_of(corpus, topic, role) if role else judged:
        if summary.author == author:
            return summary
    # Without the name: who judges must not learn it.
    raise SummetryError("this summary is no longer part of the study; go on with the next one")


def summary_paragraphs(corpus: Corpus, summary: Summary) -> list[str]:
    return _blocks(corpus.text_of(summary))


def source_paragraphs(corpus: Corpus, topic: Topic) -> list[str]:
    """The text of a topic; where only its units are known, they are joined."""
    language = corpus.language_of(topic)
    found = []
    for document, blocks in documents_in_paragraphs(topic):
        if document.text:
            found += _blocks(document.text)
        else:
            found += [join_units((topic.units[n] for n in block), language) for block in blocks]
    return found


def _blocks(text: str) -> list[str]:
    blocks = (" ".join(block.split()) for block in regex.split(r"\n\s*\n", text))
    return [block for block in blocks if block]
