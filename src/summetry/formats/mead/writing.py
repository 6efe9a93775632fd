"""A corpus as the files of MEAD: a folder per topic."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from summetry.errors import SummetryError
from summetry.formats._writing import file_name, losses
from summetry.formats._xml import attribute, content
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic, paragraph_numbers

# What of a corpus these files can hold.
HELD = {
    "topics": {"id", "language", "documents"},
    "summaries": {"topic", "author", "role", "units", "meta"},
    "extracts": {"topic", "informant", "units", "meta"},
    "utilities": {"topic", "judge", "values"},
}
# How MEAD calls languages, where that is not their code.
LANGUAGES = {"ENG": "en", "CHIN": "zh"}
# What stands around a sentence in a file is no part of it.
BLANKS = " \t\r\n"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SPOKEN = {code: name for name, code in LANGUAGES.items()}


def written_files(corpus: Corpus) -> dict[str, str]:
    """The texts of all files, by their names."""
    return {
        f"{file_name(topic.id)}/{name}": "".join(lines)
        for topic in corpus.topics
        for name, lines in _files(corpus, topic).items()
    }


def _files(corpus: Corpus, topic: Topic) -> dict[str, Iterator[str]]:
    """The lines of each file of a topic, by their names in the topic's folder."""
    if not topic.documents:
        return {}
    language = corpus.language_of(topic)
    spoken = {"LANG": _SPOKEN.get(language, language.upper())} if language else {}
    # Every file but the first names the topic in QID, so its name must be one that XML can hold.
    attribute(topic.id)
    name = file_name(topic.id)
    files = {f"{name}.cluster": _cluster(topic, spoken)}
    for document in topic.documents:
        file = f"docsent/{file_name(document.id)}.docsent"
        if file in files:
            raise SummetryError(
                f"topic {topic.id!r} has several documents {document.id!r}, which MEAD would not "
                f"tell apart; rename them, or use another format"
            )
        files[file] = _docsent(document, spoken)
    sentences = [(d.id, number) for d in topic.documents for number, _ in enumerate(d.units, 1)]
    head = {"QID": topic.id, **spoken}
    for summary in corpus.of_topic("summaries", topic.id):
        if summary.units is not None:
            chosen = [sentences[unit] for unit in summary.units]
            file = f"{summary.role}s/{file_name(summary.author)}.extract"
            files[file] = _extract(head, summary.author, chosen, summary.meta)
    for extract in corpus.of_topic("extracts", topic.id):
        chosen = [sentences[unit] for unit in extract.units]
        file = f"informants/{file_name(extract.informant)}.extract"
        files[file] = _extract(head, extract.informant, chosen, extract.meta)
    if corpus.of_topic("utilities", topic.id):
        files[f"{name}.sentjudge"] = _sentjudge(corpus, topic)
    return files


def _cluster(topic: Topic, spoken: Mapping[str, str]) -> Iterator[str]:
    yield f"{_HEAD}{_tag('CLUSTER', spoken)}\n"
    for order, document in enumerate(topic.documents, start=1):
        yield f"{_tag('D', {'DID': document.id, 'ORDER': str(order)}, '/')}\n"
    yield "</CLUSTER>\n"


def _docsent(document: Document, spoken: Mapping[str, str]) -> Iterator[str]:
    head = {"DID": document.id, **_attributes(document.meta, "docno", "corr_doc"), **spoken}
    yield f"{_HEAD}{_tag('DOCSENT', head)}\n<BODY>\n"
    pairs = zip(_numbers(document), document.units, strict=True)
    lines = [f"{_tag('S', numbers)}{content(unit)}</S>\n" for numbers, unit in pairs]
    headline = _headline(document)
    if headline:
        yield from ("<HEADLINE>\n", *lines[:headline], "</HEADLINE>\n")
    yield from ("<TEXT>\n", *lines[headline:], "</TEXT>\n</BODY>\n</DOCSENT>\n")


def _extract(
    head: Mapping[str, str], author: str, chosen: Sequence[tuple[str, int]], meta: Mapping[str, Any]
) -> Iterator[str]:
    more = _attributes(meta, "compression", "run")
    yield f"{_HEAD}{_tag('EXTRACT', {**head, 'SYSTEM': author, **more})}\n"
    for order, (document, number) in enumerate(chosen, start=1):
        named = {"ORDER": str(order), "DID": document, "SNO": str(number)}
        yield f"{_tag('S', named, '/')}\n"
    yield "</EXTRACT>\n"


def _sentjudge(corpus: Corpus, topic: Topic) -> Iterator[str]:
    judges = corpus.of_topic("utilities", topic.id)
    yield f"{_HEAD}{_tag('SENT-JUDGE', {'QID': topic.id})}\n"
    unit = 0
    for document in topic.documents:
        for numbers in _numbers(document):
            yield _tag("S", {"DID": document.id, **numbers})
            for judge in judges:
                yield _tag("JUDGE", {"N": judge.judge, "UTIL": repr(judge.values[unit])}, "/")
            yield "</S>\n"
            unit += 1
    yield "</SENT-JUDGE>\n"


def _attributes(meta: Mapping[str, Any], *keys: str) -> dict[str, str]:
    """What reading such a file puts into ``meta``, as attributes again."""
    return {
        key.upper().replace("_", "-"): meta[key]
        for key in keys
        if isinstance(meta.get(key), str) and meta[key]
    }


def _tag(name: str, attributes: Mapping[str, str], end: str = "") -> str:
    return f"<{name}{''.join(f' {key}={attribute(a)}' for key, a in attributes.items())}{end}>"


def _numbers(document: Document) -> Iterator[dict[str, str]]:
    """Each sentence's paragraph, number in the paragraph, and number in the document."""
    paragraphs = paragraph_numbers(document) or [1] * len(document.units)
    counts: Counter[int] = Counter()
    for number, paragraph in enumerate(paragraphs, start=1):
        counts[paragraph] += 1
        numbers = {"PAR": paragraph, "RSNT": counts[paragraph], "SNO": number}
        yield {name: str(value) for name, value in numbers.items()}


def _headline(document: Document) -> int:
    """How many units stand in the headline, where the document says it, as reading it does."""
    count = document.meta.get("headline")
    return count if type(count) is int and 0 < count <= len(document.units) else 0


def by_fields(corpus: Corpus) -> Corpus:
    """What is to be looked through field by field: the language is written with each topic."""
    whole = tuple(s for s in corpus.summaries if s.units is not None)
    return dataclasses.replace(corpus, language="", summaries=whole)


def lost_in(corpus: Corpus) -> list[str]:
    """What is not written, in words, beside whole fields."""
    documents = [document for topic in corpus.topics for document in topic.documents]
    metas = [s.meta for s in corpus.summaries if s.units is not None]
    metas += [extract.meta for extract in corpus.extracts]
    counts = {
        ("topic", "without documents, and what belongs there"): sum(
            not topic.documents for topic in corpus.topics
        ),
        ("summary", "without units"): sum(s.units is None for s in corpus.summaries),
        ("running text", "of documents"): sum(bool(d.text) for d in documents),
        ("date", "of documents"): sum(bool(d.date) for d in documents),
        ("document", "with other meta"): sum(not _is_ours(d) for d in documents),
        ("extract", "with other meta"): sum(
            len(_attributes(meta, "compression", "run")) < len(meta) for meta in metas
        ),
        ("unit", "with blanks around"): sum(
            unit != unit.strip(BLANKS) for d in documents for unit in d.units
        ),
    }
    return losses(counts)


def _is_ours(document: Document) -> bool:
    known = len(_attributes(document.meta, "docno", "corr_doc"))
    known += bool(paragraph_numbers(document)) + bool(_headline(document))
    return known == len(document.meta)
