"""What NIST gave out after DUC 2002: documents, abstracts, extracts and coverage scores.

    docs.with.sentence.breaks/d061j/AP880101-0001.S    a document, see ``_duc_documents.py``
    extracts_abstracts/d061ja/perdocs                  person A's abstracts, one a document
    extracts_abstracts/d061ja/100, .../200e            of the docset, in 100 words; an extract
    SEEpeers/D061.P.100.J.19.AP880101-0001.html        system 19's, see ``_duc_summaries.py``
    short.results.table                                coverage, see ``_duc_results.py``

Files are told apart by what they hold, wherever in a folder they are. A topic is what was to be
summarized in which length: ``D061.P.100.AP880101-0001`` is a document, ``D061.M.100`` a docset,
``D061.M.200e`` a docset by extraction. People, single letters, wrote models; numbers are peers. A
single document is a topic without summaries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from summetry.errors import FormatError, Place, did_you_mean
from summetry.formats._base import FORMATS, ReadOptions, visible_files
from summetry.formats._writing import warn_not_written, write_folder
from summetry.formats.duc.documents import Source, is_document, read_documents
from summetry.formats.duc.markup import tell
from summetry.formats.duc.names import SummaryName, parse_name, role_of, set_of, topic_of
from summetry.formats.duc.results import Result, is_results, read_results
from summetry.formats.duc.summaries import (
    Found,
    Picked,
    docset_of,
    holds_summaries,
    read_summaries,
)
from summetry.formats.duc.writing import HELD, written_files
from summetry.records.base import Meta
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Summary
from summetry.records.topics import Topic

_DEPTHS = ("", "*/", "*/*/", "*/*/*/")


@FORMATS.register
@dataclass(frozen=True)
class Duc:
    """Documents, summaries and coverage scores as NIST gave them out after DUC 2002."""

    name: ClassVar[str] = "duc"
    title: ClassVar[str] = "DUC 2002: documents in SGML, abstracts, extracts, coverage scores"
    can_write: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        if path.is_file():
            return is_document(path)
        ways = ("perdocs", "*.S", "*.[MP].*", "*results.table")
        files = (file for way in ways for depth in _DEPTHS for file in path.glob(f"{depth}{way}"))
        # A summary in a folder of this name is one of a later year, a line a sentence.
        files = (file for file in files if file.parent.name.lower() not in ("models", "peers"))
        return any(_is_ours(file) for file in files if file.is_file())

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        if path.is_file():
            for source in read_documents(path):
                topic = Topic(source.document.id, documents=(source.document,))
                builder.add("topics", topic, source.place)
            return builder.build()
        shelf = _Shelf(builder)
        for file in visible_files(path):
            try:
                shelf.take(file)
            except FormatError as error:
                builder.report(error)
        shelf.hand_over()
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        files, lost = written_files(corpus)
        write_folder(files, path)
        warn_not_written(corpus, HELD, path, self.name, lost)


def _is_ours(file: Path) -> bool:
    """Names with a set belong to TAC, and DUCView's files are named like summaries."""
    name = parse_name(file.name)
    if name:
        return not set_of(name.docset) and bool(name.document) == (name.kind == "P")
    return is_results(file) or is_document(file) or holds_summaries(file)


@dataclass
class _Shelf:
    """What the files held so far."""

    builder: CorpusBuilder
    sources: dict[str, dict[str, Source]] = field(default_factory=dict)
    selectors: dict[str, str] = field(default_factory=dict)
    topics: dict[str, tuple[SummaryName, Place]] = field(default_factory=dict)
    summaries: list[Found] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    def take(self, file: Path) -> None:
        """Read a file, if it is one of these."""
        if is_results(file):
            for result in read_results(file, self.builder):
                self._note(result.name, result.place)
                self.results.append(result)
        elif is_document(file):
            self._take_documents(file)
        elif _is_ours(file):
            for found in read_summaries(file):
                self._note(found.name, found.place)
                self.summaries.append(found)

    def hand_over(self) -> None:
        """Topics first, since the others refer to them."""
        named = {name.docset for name, _ in self.topics.values()}
        for docset, sources in self.sources.items():
            if docset not in named:
                place = next(iter(sources.values())).place
                self.topics[docset] = SummaryName(docset, "", "", "", "", ""), place
        for topic, (name, place) in sorted(self.topics.items()):
            self.builder.add("topics", self._topic(topic, name), place)
        taken: dict[tuple[str, str], Found] = {}
        for found in self.summaries:
            try:
                self._hand_over_summary(found, taken)
            except FormatError as error:
                self.builder.report(error)
        for result in self.results:
            for dimension, value in result.values.items():
                author, judge = result.name.author, result.assessor
                meta: Meta = {"model": result.model} if result.model else {}
                judgment = Judgment(topic_of(result.name), author, judge, dimension, value, meta)
                self.builder.add("judgments", judgment, result.place)

    def _note(self, name: SummaryName, place: Place) -> None:
        self.topics.setdefault(topic_of(name), (name, place))
        if name.selector:
            self.selectors.setdefault(name.docset, name.selector)

    def _take_documents(self, file: Path) -> None:
        docset, selector, _ = docset_of(file.parent.name)
        if selector:
            self.selectors.setdefault(docset, selector)
        sources = self.sources.setdefault(docset, {})
        for source in read_documents(file):
            first = sources.setdefault(source.document.id, source)
            if first is not source and source.numbers:
                # The same document with sentences is worth more than without.
                sources[source.document.id] = source

    def _topic(self, topic: str, name: SummaryName) -> Topic:
        documents = tuple(source.document for source in self._sources(name))
        group = ".".join(filter(None, [name.kind, name.length]))
        meta: Meta = {"docset": name.docset}
        if name.docset in self.selectors:
            meta["selector"] = self.selectors[name.docset]
        return Topic(topic, group=group, documents=documents, meta=meta)

    def _sources(self, name: SummaryName) -> list[Source]:
        """The documents of a topic, by their names."""
        sources = self.sources.get(name.docset, {})
        return [sources[key] for key in sorted(sources) if name.document in ("", key)]

    def _hand_over_summary(self, found: Found, taken: dict[tuple[str, str], Found]) -> None:
        topic, author = topic_of(found.name), found.name.author
        first = taken.setdefault((topic, author), found)
        if first is not found:
            if _words(first) != _words(found):
                tell(found.place, f"another text than {first.place}, which was taken")
            return
        role = role_of(author)
        sources = self._sources(found.name)
        if found.picked and sources and all(source.numbers for source in sources):
            units = tuple(_unit(picked, sources, topic) for picked in found.picked)
            summary = Summary(topic, author, role, units=units)
        elif found.picked or found.sentences:
            lines = found.sentences or tuple(picked.text for picked in found.picked)
            summary = Summary(topic, author, role, sentences=lines)
        else:
            summary = Summary(topic, author, role, text=found.text)
        self.builder.add("summaries", summary, found.place)


def _words(found: Found) -> list[str]:
    lines = found.sentences or tuple(picked.text for picked in found.picked) or (found.text,)
    return " ".join(lines).split()


def _unit(picked: Picked, sources: Sequence[Source], topic: str) -> int:
    first = 0
    for source in sources:
        if source.document.id == picked.document:
            if picked.number in source.numbers:
                return first + source.numbers[picked.number]
            wanted = f"a sentence of document {picked.document!r}, which has {len(source.numbers)}"
            raise FormatError(picked.place, wanted, f"num={str(picked.number)!r}")
        first += len(source.document.units)
    hint = did_you_mean(picked.document, [source.document.id for source in sources]).strip()
    wanted = f"a document of topic {topic!r}"
    raise FormatError(picked.place, wanted, f"docid={picked.document!r}", hint)
