"""From the files of MEAD to records: which sentence of which document is which unit.

Files belong together that lie below the same folder with clusters; a name of a document means
something only there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from summetry.errors import FormatError, Place, did_you_mean
from summetry.formats.mead.files import (
    Cluster,
    DocSent,
    ExtractFile,
    JudgeFile,
    Named,
    read_cluster,
    read_docsent,
    read_extract,
    read_sentjudge,
)
from summetry.records.builder import CorpusBuilder
from summetry.records.judgments import Utilities
from summetry.records.summaries import Extract, Role, Summary
from summetry.records.topics import Topic

ENDINGS = (".docsent", ".cluster", ".extract", ".sentjudge")
Read = TypeVar("Read")


def mead_files(folder: Path) -> list[Path]:
    """The files of MEAD in a folder and below it, sorted, hidden ones left out."""
    return [
        path
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in ENDINGS
        and path.is_file()
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]


def areas_of(folder: Path, builder: CorpusBuilder) -> list[Area]:
    """The files of a folder by the nearest folder that has a cluster, or all in one."""
    files = mead_files(folder)
    with_cluster = {path.parent for path in files if path.suffix.lower() == ".cluster"}
    groups: dict[Path, list[Path]] = {}
    for path in files:
        home = next((above for above in path.parents if above in with_cluster), folder)
        groups.setdefault(home, []).append(path)
    return [Area(builder, group) for group in groups.values()]


@dataclass
class Area:
    """Files that belong together, and what is known after reading some of them."""

    builder: CorpusBuilder
    files: Sequence[Path]
    documents: dict[str, DocSent] = field(default_factory=dict)
    topics: dict[str, tuple[DocSent, ...]] = field(default_factory=dict)
    # The topics that each document is in, by the names of both.
    homes: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    def read_topics(self) -> None:
        """Documents and clusters; they must be read, in all areas, before what refers to them."""
        for found in self._each(".docsent", read_docsent):
            self._add_document(found)
        for cluster in self._each(".cluster", read_cluster):
            self._add_cluster(cluster)
        for name, found in self.documents.items():
            if name not in self.homes:
                topic = Topic(name, language=found.language, documents=(found.document,))
                self._add_topic(topic, (found,), found.place)

    def read_choices(self) -> None:
        """Extracts and judgments."""
        for extract in self._each(".extract", read_extract):
            self._add_extract(extract)
        for judged in self._each(".sentjudge", read_sentjudge):
            for topic, sentences in self._by_topic(judged).items():
                self._add_utilities(topic, sentences, judged.place)

    def _each(self, ending: str, read: Callable[[Path], Read]) -> Iterator[Read]:
        for file in self.files:
            if file.suffix.lower() == ending:
                try:
                    yield read(file)
                except FormatError as error:
                    self.builder.report(error)

    def _add_document(self, found: DocSent) -> None:
        name = found.document.id
        if name in self.documents:
            what = f"a second one, the first is {self.documents[name].place}"
            self.builder.report(FormatError(found.place, f"one document {name!r}", what))
        else:
            self.documents[name] = found

    def _add_cluster(self, cluster: Cluster) -> None:
        found: dict[str, DocSent] = {}
        for name, place in cluster.documents:
            if name not in self.documents:
                hint = did_you_mean(name, self.documents).strip()
                error = FormatError(place, "a document that has a docsent file", repr(name), hint)
                self.builder.report(error)
                return
            if name in found:
                self.builder.report(FormatError(place, "each document once", f"{name!r} again"))
                return
            found[name] = self.documents[name]
        spoken = {document.language for document in found.values()}
        language = cluster.language or (spoken.pop() if len(spoken) == 1 else "")
        documents = tuple(one.document for one in found.values())
        topic = Topic(cluster.id, language=language, documents=documents)
        self._add_topic(topic, tuple(found.values()), cluster.place)

    def _add_topic(self, topic: Topic, found: tuple[DocSent, ...], place: Place) -> None:
        self.topics[topic.id] = found
        for one in found:
            self.homes[one.document.id].add(topic.id)
        self.builder.add("topics", topic, place)

    def _add_extract(self, found: ExtractFile) -> None:
        try:
            topic = self._topic(found.topic, found.sentences, found.place)
            units = tuple(self._unit(topic, sentence) for sentence in found.sentences)
        except FormatError as error:
            self.builder.report(error)
            return
        # The folder says who chose: MEAD's files do not.
        folder = Path(found.place.path).parent.name.lower()
        if folder == "informants":
            extract = Extract(topic, found.author, units, found.meta)
            self.builder.add("extracts", extract, found.place)
        else:
            role: Role = "reference" if folder == "models" else "candidate"
            summary = Summary(topic, found.author, role, units=units, meta=found.meta)
            self.builder.add("summaries", summary, found.place)

    def _by_topic(self, judged: JudgeFile) -> dict[str, list[Judged]]:
        """The judged sentences by topic: a cluster, or each document by itself."""
        groups: dict[str, list[Judged]] = {}
        for sentence, values in judged.sentences:
            try:
                topic = self._topic(judged.topic, (sentence,), sentence.place)
                unit = self._unit(topic, sentence)
            except FormatError as error:
                self.builder.report(error)
                continue
            groups.setdefault(topic, []).append((unit, sentence, values))
        return groups

    def _add_utilities(self, topic: str, sentences: list[Judged], place: Place) -> None:
        by_judge: dict[str, dict[int, int | float]] = {}
        for unit, sentence, values in sentences:
            for judge, value in values:
                given = by_judge.setdefault(judge, {})
                if unit in given:
                    wanted = f"one UTIL of judge {judge!r} for each sentence"
                    self.builder.report(FormatError(sentence.place, wanted, "a second one"))
                    return
                given[unit] = value
        names = [
            f"SNO {number} of document {found.document.id!r}"
            for found in self.topics[topic]
            for number in found.numbers
        ]
        for judge, given in by_judge.items():
            missing = [name for unit, name in enumerate(names) if unit not in given]
            if missing:
                wanted = f"a UTIL of judge {judge!r} for every sentence of topic {topic!r}"
                self.builder.report(FormatError(place, wanted, f"none for {missing[0]}"))
            else:
                worth = tuple(given[unit] for unit in range(len(names)))
                self.builder.add("utilities", Utilities(topic, judge, worth), place)

    def _topic(self, asked: str, sentences: Sequence[Named], place: Place) -> str:
        """The topic that QID names, or else the one that has all the documents."""
        if asked in self.topics:
            return asked
        wanted = {sentence.document for sentence in sentences}
        homes = [self.homes.get(name, set()) for name in wanted]
        able = set.intersection(*homes) if homes else set()
        if len(able) == 1:
            return able.pop()
        found = f"QID={asked!r}" + (f" and documents of {len(able)} topics" if wanted else "")
        hint = did_you_mean(asked, self.topics).strip()
        raise FormatError(place, "a QID that names a topic, or documents of one", found, hint)

    def _unit(self, topic: str, sentence: Named) -> int:
        first = 0
        for found in self.topics[topic]:
            if found.document.id == sentence.document:
                if sentence.number in found.numbers:
                    return first + found.numbers[sentence.number]
                wanted = (
                    f"a sentence of document {sentence.document!r}, which has {len(found.numbers)}"
                )
                raise FormatError(sentence.place, wanted, f"SNO={str(sentence.number)!r}")
            first += len(found.document.units)
        known = [found.document.id for found in self.topics[topic]]
        hint = did_you_mean(sentence.document, known).strip()
        wanted = f"a document of topic {topic!r}"
        raise FormatError(sentence.place, wanted, f"DID={sentence.document!r}", hint)


# A judged sentence: its unit, how the file names it, and what each judge gave.
Judged = tuple[int, Named, tuple[tuple[str, int | float], ...]]
