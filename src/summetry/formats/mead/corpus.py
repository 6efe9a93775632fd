"""What MEAD, the summarizer of Radev and others, keeps: documents, extracts, judges' utilities.

    corpus/t1/t1.cluster                 the topic t1: the names of its documents
    corpus/t1/docsent/D1.docsent         a document, sentence by sentence
    corpus/t1/t1.sentjudge               what judges gave each sentence: utilities
    corpus/t1/candidates/lead.extract    what a system extracted; in references/ (or models/) it is
                                         a reference,
    corpus/t1/informants/ann.extract     in informants/ the choice of a person

What is inside of the files is shown in ``files.py``. Files are told apart by their endings, and
belong to the cluster in their folder or in the nearest one above. A document that is in no cluster
is a topic of its own. A single docsent file is a topic without summaries.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, TypeVar

from summetry.errors import FormatError, Place, did_you_mean
from summetry.formats._base import FORMATS, Format, ReadOptions, first_bytes, visible_files
from summetry.formats._numbered import NamedSentence, NumberedDocument, unit_of
from summetry.formats._writing import must_be_folder, warn_not_written, write_folder
from summetry.formats._xml import opening_names
from summetry.formats.mead.files import (
    Cluster,
    ExtractFile,
    JudgeFile,
    read_cluster,
    read_docsent,
    read_extract,
    read_sentjudge,
)
from summetry.formats.mead.writing import HELD, by_fields, lost_in, written_files
from summetry.records.base import Number
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Utilities
from summetry.records.summaries import Extract, Role, Summary
from summetry.records.topics import Topic

_ROOTS = ("DOCSENT", "CLUSTER", "EXTRACT", "SENT-JUDGE")
_ENDINGS = (".docsent", ".cluster", ".extract", ".sentjudge")
_REFERENCES = ("references", "models")
Read = TypeVar("Read")
# A judged sentence: its unit, how the file names it, and what each judge gave.
_Judged = tuple[int, NamedSentence, tuple[tuple[str, Number], ...]]


@FORMATS.register
@dataclass(frozen=True)
class Mead(Format):
    """The files of MEAD: clusters of documents, extracts and sentence judgments."""

    name: ClassVar[str] = "mead"
    title: ClassVar[str] = "MEAD's XML: documents, clusters, extracts and judges' utilities"
    can_write: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        if path.is_dir():
            # A folder of clusters, or that of one.
            patterns = ("*.docsent", "docsent/*.docsent", "*/*.docsent", "*/docsent/*.docsent")
            return any(any(path.glob(pattern)) for pattern in patterns)
        return _kind(path) in _ROOTS

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        if path.is_file():
            if _kind(path) in _ROOTS[1:]:
                advice = "give the folder, which holds the documents too"
                raise FormatError(Place(str(path)), "a folder or a DOCSENT", _kind(path), advice)
            builder.add("topics", *_own_topic(read_docsent(path)))
            return builder.build()
        areas = _areas(path, builder)
        for area in areas:
            area.read_topics()
        for area in areas:
            area.read_choices()
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        must_be_folder(path, _ENDINGS, "found the name of a file")
        write_folder(written_files(corpus), path, visible_files(path, _ENDINGS))
        warn_not_written(by_fields(corpus), HELD, path, self.name, lost_in(corpus))


def _kind(path: Path) -> str:
    """The name of the first element of a file, in large letters."""
    return "".join(opening_names(first_bytes(path))[:1]).upper()


def _own_topic(numbered: NumberedDocument) -> tuple[Topic, Place]:
    """The topic of a document that is in no cluster."""
    document = numbered.document
    return Topic(document.id, language=numbered.language, documents=(document,)), numbered.place


def _areas(folder: Path, builder: CorpusBuilder) -> list[_Area]:
    """The files of a folder by the nearest folder that has a cluster, or all in one."""
    files = visible_files(folder, _ENDINGS)
    with_cluster = {path.parent for path in files if path.suffix.lower() == ".cluster"}
    groups: dict[Path, list[Path]] = {}
    for path in files:
        home = next((above for above in path.parents if above in with_cluster), folder)
        groups.setdefault(home, []).append(path)
    return [_Area(builder, group) for group in groups.values()]


@dataclass
class _Area:
    """Files below one folder with clusters, and what is known after reading some of them.

    The name of a document means something only within such an area.
    """

    builder: CorpusBuilder
    files: Sequence[Path]
    documents: dict[str, NumberedDocument] = field(default_factory=dict)
    topics: dict[str, tuple[NumberedDocument, ...]] = field(default_factory=dict)
    # The topics that each document is in, by the names of both.
    homes: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def read_topics(self) -> None:
        """Documents and clusters; they must be read, in all areas, before what refers to them."""
        self._each(".docsent", read_docsent, self._add_document)
        self._each(".cluster", read_cluster, self._add_cluster)
        for name, document in self.documents.items():
            if name not in self.homes:
                topic, place = _own_topic(document)
                self._add_topic(topic, (document,), place)

    def read_choices(self) -> None:
        """Extracts and judgments."""
        self._each(".extract", read_extract, self._add_extract)
        self._each(".sentjudge", read_sentjudge, self._add_judgments)

    def _each(self, ending: str, read: Callable[[Path], Read], add: Callable[[Read], None]) -> None:
        for file in self.files:
            if file.suffix.lower() == ending:
                with self.builder.reporting():
                    add(read(file))

    def _add_document(self, document: NumberedDocument) -> None:
        name = document.document.id
        first = self.documents.setdefault(name, document)
        if first is not document:
            found = f"a second one, the first is {first.place}"
            raise FormatError(document.place, f"one document {name!r}", found)

    def _add_cluster(self, cluster: Cluster) -> None:
        documents: dict[str, NumberedDocument] = {}
        for name, place in cluster.documents:
            if name not in self.documents:
                hint = did_you_mean(name, self.documents).strip()
                raise FormatError(place, "a document that has a docsent file", repr(name), hint)
            if name in documents:
                raise FormatError(place, "each document once", f"{name!r} again")
            documents[name] = self.documents[name]
        spoken = {document.language for document in documents.values()}
        language = cluster.language or (spoken.pop() if len(spoken) == 1 else "")
        held = tuple(known.document for known in documents.values())
        topic = Topic(cluster.id, language=language, documents=held)
        self._add_topic(topic, tuple(documents.values()), cluster.place)

    def _add_topic(
        self, topic: Topic, documents: tuple[NumberedDocument, ...], place: Place
    ) -> None:
        self.topics[topic.id] = documents
        for known in documents:
            self.homes[known.document.id].add(topic.id)
        self.builder.add("topics", topic, place)

    def _add_extract(self, chosen: ExtractFile) -> None:
        topic = self._topic(chosen.topic, chosen.sentences, chosen.place)
        units = tuple(self._unit(topic, sentence) for sentence in chosen.sentences)
        # The folder says who chose: MEAD's files do not.
        folder = Path(chosen.place.path).parent.name.lower()
        if folder == "informants":
            extract = Extract(topic, chosen.author, units, chosen.meta)
            self.builder.add("extracts", extract, chosen.place)
        else:
            role: Role = "reference" if folder in _REFERENCES else "candidate"
            summary = Summary(topic, chosen.author, role, units=units, meta=chosen.meta)
            self.builder.add("summaries", summary, chosen.place)

    def _add_judgments(self, judged: JudgeFile) -> None:
        # By topic, which is a cluster, or each document by itself.
        groups: dict[str, list[_Judged]] = {}
        for sentence, values in judged.sentences:
            with self.builder.reporting():
                topic = self._topic(judged.topic, (sentence,), sentence.place)
                unit = self._unit(topic, sentence)
                groups.setdefault(topic, []).append((unit, sentence, values))
        for topic, sentences in groups.items():
            with self.builder.reporting():
                self._add_utilities(topic, sentences, judged.place)

    def _add_utilities(self, topic: str, sentences: list[_Judged], place: Place) -> None:
        by_judge: dict[str, dict[int, Number]] = {}
        for unit, sentence, values in sentences:
            for judge, value in values:
                given = by_judge.setdefault(judge, {})
                if unit in given:
                    expected = f"one UTIL of judge {judge!r} for each sentence"
                    raise FormatError(sentence.place, expected, "a second one")
                given[unit] = value
        names = [
            f"SNO {number} of document {known.document.id!r}"
            for known in self.topics[topic]
            for number in known.numbers
        ]
        for judge, given in by_judge.items():
            missing = [name for unit, name in enumerate(names) if unit not in given]
            if missing:
                expected = f"a UTIL of judge {judge!r} for every sentence of topic {topic!r}"
                self.builder.report(FormatError(place, expected, f"none for {missing[0]}"))
            else:
                worth = tuple(given[unit] for unit in range(len(names)))
                self.builder.add("utilities", Utilities(topic, judge, worth), place)

    def _topic(self, qid: str, sentences: Sequence[NamedSentence], place: Place) -> str:
        """The topic that QID names, or else the one that has all the documents."""
        if qid in self.topics:
            return qid
        documents = {sentence.document for sentence in sentences}
        homes = [self.homes.get(name, set()) for name in documents]
        common = set.intersection(*homes) if homes else set()
        if len(common) == 1:
            return common.pop()
        found = f"QID={qid!r}" + (f" and documents of {len(common)} topics" if documents else "")
        hint = did_you_mean(qid, self.topics).strip()
        raise FormatError(place, "a QID that names a topic, or documents of one", found, hint)

    def _unit(self, topic: str, sentence: NamedSentence) -> int:
        return unit_of(sentence, self.topics[topic], topic, ("DID", "SNO"))
