"""A corpus as TAC's files: models, peers, manual tables, documents and the file of topics."""

from __future__ import annotations

import re
from collections.abc import Iterator

from summetry.errors import SummetryError, counted
from summetry.formats._writing import file_name, losses
from summetry.formats._xml import attribute, content
from summetry.formats.duc.documents import headline_units, written_document
from summetry.formats.duc.names import UNKNOWN, set_of, spell_name
from summetry.formats.tac.tables import written_tables
from summetry.records.corpus import Corpus
from summetry.records.topics import Topic

# What of a corpus these files can hold.
HELD = {
    "topics": {"id", "title", "query", "category", "group", "documents", "meta"},
    "summaries": {"topic", "author", "role", "text", "sentences"},
    "judgments": {"topic", "author", "judge", "dimension", "value"},
}
_BREAKS = re.compile(r"[\r\n]+")


def written_files(corpus: Corpus) -> tuple[dict[str, str], list[str]]:
    """The content of every file, and in words what is in none of them."""
    metas = {topic.id: _held_meta(topic) for topic in corpus.topics}
    files: dict[str, str] = {}
    changed, single = 0, 0
    for summary in corpus.summaries:
        meta = metas[summary.topic]
        name = spell_name(
            summary.topic, meta.get("length", ""), meta.get("selector", ""), summary.author
        )
        given = list(corpus.sentences_of(summary) or (corpus.text_of(summary),))
        lines = [line for text in given if (line := _BREAKS.sub(" ", text).strip())]
        marked = bool(lines) and lines[0].startswith("\ufeff")
        changed += marked or (lines != given and given != [""])
        single += len(lines) < 2 and corpus.sentences_of(summary) is not None
        files[f"{summary.role}s/{name}"] = "".join(f"{line}\n" for line in lines)
    tables, lost = written_tables(corpus)
    files |= {f"manual/manual.{role}": text for role, text in tables.items()}
    for topic in corpus.topics:
        folder = _docset_folder(topic, metas[topic.id].get("selector", ""))
        for document in topic.documents:
            name = f"docs/{folder}/{file_name(document.id)}"
            if name in files:
                raise SummetryError(f"topic {topic.id!r} has several documents {document.id!r}")
            files[name] = "".join(written_document(document))
    if any(topic.title or topic.query or topic.category for topic in corpus.topics):
        files["topics.xml"] = "".join(_statements(corpus))
    if changed:
        whose = counted(changed, "summary")
        lost.append(f"the line breaks, blank lines and outer blanks of {whose}")
    lost += losses({("summary", "whose only sentence is taken for running text"): single})
    return files, [*lost, *_lost_of_topics(corpus, metas)]


def _held_meta(topic: Topic) -> dict[str, str]:
    """What reading such files puts into a topic's ``meta``."""
    patterns = {"length": r"[1-9][0-9]*e?", "selector": "[A-Z]"}
    return {
        key: value
        for key, pattern in patterns.items()
        if isinstance(value := topic.meta.get(key), str) and re.fullmatch(pattern, value)
    }


def _docset_folder(topic: Topic, selector: str) -> str:
    group = set_of(topic.id)
    if not group:
        return file_name(topic.id)
    return f"{file_name(topic.id)[: -len(f'-{group}')]}{selector or UNKNOWN}-{group}"


def _statements(corpus: Corpus) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<topics>\n'
    for topic in corpus.topics:
        if topic.title or topic.query or topic.category:
            yield f"<topic id={attribute(topic.id)} category={attribute(topic.category)}>\n"
            yield f"<title>{content(topic.title)}</title>\n"
            yield f"<narrative>{content(topic.query)}</narrative>\n</topic>\n"
    yield "</topics>\n"


def _lost_of_topics(corpus: Corpus, metas: dict[str, dict[str, str]]) -> list[str]:
    documents = [document for topic in corpus.topics for document in topic.documents]
    written = {s.topic for s in corpus.summaries} | {j.topic for j in corpus.judgments}
    counts = {
        ("topic", "without documents, summaries or judgments"): sum(
            not topic.documents and topic.id not in written for topic in corpus.topics
        ),
        ("group", "that the name of the topic does not end in"): sum(
            topic.group != set_of(topic.id) for topic in corpus.topics
        ),
        ("topic", "with other meta"): sum(t.meta != metas[t.id] for t in corpus.topics),
        ("statement", "with other blanks than one between words"): sum(
            text != " ".join(text.split()) for t in corpus.topics for text in (t.title, t.query)
        ),
        ("topic", "whose documents are not in the order of their names"): sum(
            list(topic.documents) != sorted(topic.documents, key=lambda d: d.id)
            for topic in corpus.topics
        ),
        ("running text", "of documents"): sum(bool(d.text) for d in documents),
        ("document", "with other meta"): sum(
            len(d.meta) > bool(headline_units(d)) for d in documents
        ),
        ("unit", "with other blanks than one between words"): sum(
            unit != " ".join(unit.split()) for d in documents for unit in d.units
        ),
    }
    return losses(counts)
