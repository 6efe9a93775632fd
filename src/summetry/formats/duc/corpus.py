"""What NIST gave out after DUC 2002: documents, abstracts, extracts and coverage scores.

    docs.with.sentence.breaks/d061j/AP880101-0001.S    a document, see ``documents.py``
    extracts_abstracts/d061ja/perdocs                  person A's abstracts, one per document
    extracts_abstracts/d061ja/100, .../200e            of the docset, in 100 words; an extract
    SEEpeers/D061.P.100.J.19.AP880101-0001.html        system 19's, see ``summaries.py``
    short.results.table                                coverage, see ``results.py``

Files are told apart by what they hold, wherever in a folder they are. A topic is what was to be
summarized in which length: ``D061.P.100.AP880101-0001`` is a document, ``D061.M.100`` a docset,
``D061.M.200e`` a docset by extraction. People, single letters, wrote references; numbers are
candidates. A single document is a topic without summaries.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from summetry.errors import Place
from summetry.formats._base import FORMATS, Format, ReadOptions, files_named, visible_files
from summetry.formats._numbered import NumberedDocument, unit_of
from summetry.formats.duc.documents import is_document, read_documents
from summetry.formats.duc.names import SummaryName, parse_name, role_of, set_of, topic_of
from summetry.formats.duc.results import Result, is_results, read_results
from summetry.formats.duc.summaries import DucSummary, docset_of, holds_summaries, read_summaries
from summetry.formats.texts import warn_at
from summetry.records.base import Meta
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Summary
from summetry.records.topics import Topic


@FORMATS.register
@dataclass(frozen=True)
class Duc(Format):
    """Documents, summaries and coverage scores as NIST gave them out after DUC 2002."""

    name: ClassVar[str] = "duc"
    title: ClassVar[str] = "DUC 2002: documents in SGML, abstracts, extracts, coverage scores"

    def recognise(self, path: Path) -> bool:
        if path.is_file():
            return is_document(path)
        files = files_named(path, ("perdocs", "*.S", "*.[MP].*", "*results.table"))
        # A summary in a folder of this name is one of a later year, with one sentence per line.
        files = (file for file in files if file.parent.name.lower() not in ("models", "peers"))
        return any(_is_ours(file) for file in files)

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        if path.is_file():
            for source in read_documents(path):
                topic = Topic(source.document.id, documents=(source.document,))
                builder.add("topics", topic, source.place)
            return builder.build()
        files = _Files(builder)
        for file in visible_files(path):
            with builder.reporting():
                files.read(file)
        files.add_records()
        return builder.build()


def _is_ours(file: Path) -> bool:
    """Names with a set belong to TAC, and DUCView's files are named like summaries."""
    name = parse_name(file.name)
    if name:
        return not set_of(name.docset) and bool(name.document) == (name.kind == "P")
    return is_results(file) or is_document(file) or holds_summaries(file)


@dataclass
class _Files:
    """What the files held that were read so far."""

    builder: CorpusBuilder
    sources: dict[str, dict[str, NumberedDocument]] = field(default_factory=dict)
    selectors: dict[str, str] = field(default_factory=dict)
    topics: dict[str, tuple[SummaryName, Place]] = field(default_factory=dict)
    summaries: list[DucSummary] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)

    def read(self, file: Path) -> None:
        """Read a file, if it is one of DUC's."""
        if is_results(file):
            for result in read_results(file, self.builder):
                self._name_topic(result.name, result.place)
                self.results.append(result)
        elif is_document(file):
            self._read_documents(file)
        elif _is_ours(file):
            for summary in read_summaries(file):
                self._name_topic(summary.name, summary.place)
                self.summaries.append(summary)

    def add_records(self) -> None:
        """Give the builder all records; topics first, since the others refer to them."""
        named = {name.docset for name, _ in self.topics.values()}
        for docset, sources in self.sources.items():
            if docset not in named:
                place = next(iter(sources.values())).place
                self.topics[docset] = SummaryName(docset, "", "", "", "", ""), place
        for topic, (name, place) in sorted(self.topics.items()):
            self.builder.add("topics", self._topic(topic, name), place)
        first_ones: dict[tuple[str, str], DucSummary] = {}
        for summary in self.summaries:
            first = first_ones.setdefault((topic_of(summary.name), summary.name.author), summary)
            if first is summary:
                with self.builder.reporting():
                    self.builder.add("summaries", self._summary(summary), summary.place)
            elif " ".join(first.lines()).split() != " ".join(summary.lines()).split():
                warn_at(summary.place, f"another text than {first.place}, which was taken")
        for result in self.results:
            for dimension, value in result.values.items():
                author, judge = result.name.author, result.assessor
                whose = topic_of(result.name), author, judge
                judgment = Judgment(*whose, dimension, value, result.model)
                self.builder.add("judgments", judgment, result.place)

    def _name_topic(self, name: SummaryName, place: Place) -> None:
        self.topics.setdefault(topic_of(name), (name, place))
        if name.selector:
            self.selectors.setdefault(name.docset, name.selector)

    def _read_documents(self, file: Path) -> None:
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

    def _sources(self, name: SummaryName) -> list[NumberedDocument]:
        """The documents of a topic, by their names."""
        sources = self.sources.get(name.docset, {})
        return [sources[key] for key in sorted(sources) if name.document in ("", key)]

    def _summary(self, summary: DucSummary) -> Summary:
        topic, author = topic_of(summary.name), summary.name.author
        role = role_of(author)
        sources = self._sources(summary.name)
        if summary.picked and sources and all(source.numbers for source in sources):
            units = [unit_of(one, sources, topic, ("docid", "num")) for one in summary.picked]
            return Summary(topic, author, role, units=tuple(units))
        if summary.picked or summary.sentences:
            return Summary(topic, author, role, sentences=summary.lines())
        return Summary(topic, author, role, text=summary.text)
