"""What MEAD, the summarizer of Radev and others, keeps: documents, extracts, judges' utilities.

    corpus/t1/t1.cluster                the topic t1: the names of its documents
    corpus/t1/docsent/D1.docsent        a document, sentence by sentence
    corpus/t1/t1.sentjudge              what judges gave each sentence: utilities
    corpus/t1/peers/lead.extract        what a system extracted; in models/ it is a model,
    corpus/t1/informants/ann.extract    in informants/ the choice of a person

What is inside of the files is shown in ``_mead_files.py``. Files are told apart by their endings,
and belong to the cluster in their folder or in the nearest one above. A document that is in no
cluster is a topic of its own. A single docsent file is a topic without summaries.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from summetry.errors import FormatError, Place, SummetryError
from summetry.formats._base import FORMATS, ReadOptions, first_bytes
from summetry.formats._writing import (
    file_name,
    losses,
    refuse_strangers,
    warn_not_written,
    write_files,
)
from summetry.formats._xml import attribute, content, opening_names
from summetry.formats.mead.area import ENDINGS, areas_of, mead_files
from summetry.formats.mead.files import BLANKS, LANGUAGES, read_docsent
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic

# What of a corpus these files can hold.
HELD = {
    "topics": {"id", "language", "documents"},
    "summaries": {"topic", "author", "role", "units", "meta"},
    "extracts": {"topic", "informant", "units", "meta"},
    "utilities": {"topic", "judge", "values"},
}
ROOTS = ("DOCSENT", "CLUSTER", "EXTRACT", "SENT-JUDGE")
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_SPOKEN = {code: name for name, code in LANGUAGES.items()}


@FORMATS.register
@dataclass(frozen=True)
class Mead:
    """The files of MEAD: clusters of documents, extracts and sentence judgments."""

    name: ClassVar[str] = "mead"
    title: ClassVar[str] = "MEAD's XML: documents, clusters, extracts and judges' utilities"
    can_write: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        if path.is_dir():
            # A folder of clusters, or that of one.
            ways = ("", "docsent/", "*/", "*/docsent/")
            return any(any(path.glob(f"{way}*.docsent")) for way in ways)
        return _kind(path) in ROOTS

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        if path.is_file():
            if _kind(path) in ROOTS[1:]:
                advice = "give the folder, which holds the documents too"
                raise FormatError(Place(str(path)), "a folder or a DOCSENT", _kind(path), advice)
            found = read_docsent(path)
            documents = (found.document,)
            topic = Topic(found.document.id, language=found.language, documents=documents)
            builder.add("topics", topic, found.place)
            return builder.build()
        areas = areas_of(path, builder)
        for area in areas:
            area.read_topics()
        for area in areas:
            area.read_choices()
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        if path.is_file() or path.suffix.lower() in ENDINGS:
            raise SummetryError(f"{path}: expected a folder to write to, found the name of a file")
        files = {
            f"{file_name(topic.id)}/{name}": "".join(lines)
            for topic in corpus.topics
            for name, lines in _files(corpus, topic).items()
        }
        there = mead_files(path) if path.is_dir() else []
        written = {path / name for name in files}
        refuse_strangers(path, [file for file in there if file not in written])
        write_files(files, path)
        path.mkdir(parents=True, exist_ok=True)
        warn_not_written(_by_fields(corpus), HELD, path, self.name, _lost(corpus))


def _kind(path: Path) -> str:
    """The name of the first element of a file, in large letters."""
    return "".join(opening_names(first_bytes(path))[:1]).upper()


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
    head = {"DID": document.id, **_told(document.meta, "docno", "corr_doc"), **spoken}
    yield f"{_HEAD}{_tag('DOCSENT', head)}\n<BODY>\n"
    headline = _headline(document)
    yield "<HEADLINE>\n" if headline else "<TEXT>\n"
    for place, (numbers, unit) in enumerate(zip(_numbers(document), document.units, strict=True)):
        if headline and place == headline:
            yield "</HEADLINE>\n<TEXT>\n"
        yield f"{_tag('S', numbers)}{content(unit)}</S>\n"
    if headline and headline == len(document.units):
        yield "</HEADLINE>\n<TEXT>\n"
    yield "</TEXT>\n</BODY>\n</DOCSENT>\n"


def _extract(
    head: Mapping[str, str], author: str, chosen: Sequence[tuple[str, int]], meta: Mapping[str, Any]
) -> Iterator[str]:
    more = _told(meta, "compression", "run")
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


def _told(meta: Mapping[str, Any], *keys: str) -> dict[str, str]:
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
    paragraphs = _paragraphs(document) or [1] * len(document.units)
    counts: Counter[int] = Counter()
    for number, paragraph in enumerate(paragraphs, start=1):
        counts[paragraph] += 1
        found = {"PAR": paragraph, "RSNT": counts[paragraph], "SNO": number}
        yield {name: str(value) for name, value in found.items()}


def _paragraphs(document: Document) -> list[int]:
    """The paragraph of each sentence where the document says it, as reading it does."""
    found = document.meta.get("paragraphs")
    if not isinstance(found, list) or len(found) != len(document.units):
        return []
    return found if all(type(number) is int and number > 0 for number in found) else []


def _headline(document: Document) -> int:
    found = document.meta.get("headline")
    return found if type(found) is int and 0 < found <= len(document.units) else 0


def _by_fields(corpus: Corpus) -> Corpus:
    """What is to be looked through field by field: the language is written with each topic."""
    whole = tuple(s for s in corpus.summaries if s.units is not None)
    return dataclasses.replace(corpus, language="", summaries=whole)


def _lost(corpus: Corpus) -> list[str]:
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
            len(_told(meta, "compression", "run")) < len(meta) for meta in metas
        ),
        ("unit", "with blanks around"): sum(
            unit != unit.strip(BLANKS) for d in documents for unit in d.units
        ),
    }
    return losses(counts)


def _is_ours(document: Document) -> bool:
    known = len(_told(document.meta, "docno", "corr_doc"))
    known += bool(_paragraphs(document)) + bool(_headline(document))
    return known == len(document.meta)
