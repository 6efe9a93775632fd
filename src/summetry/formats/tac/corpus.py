"""What NIST gave out after the summarization tasks of TAC, 2008 to 2011.

    models/D1001-A.M.100.A.C       a person's summary of set A of topic D1001: a model
    peers/D1001-A.M.100.A.17       a system's: a peer
    manual.peer, manual.model      what assessors said of each, see ``_tac_tables.py``
    D1001A/D1001A-A/NAME           a document of set A, SGML as in ``_duc_documents.py``
    topics.xml                     <topic id="D1001A" category="2"><title>...</title>
                                   <narrative>...</narrative></topic>

Files are told apart by their names, wherever in a folder they are. A line of a summary is a
sentence; one that is a single line is a text whose sentences are not known. Metric files of the
task AESOP are score tables: ``_tac_aesop.py``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

from summetry.errors import FormatError, Place
from summetry.formats._base import FORMATS, ReadOptions, first_bytes, visible_files
from summetry.formats._writing import warn_not_written, write_folder
from summetry.formats.aesop import write_aesop
from summetry.formats.duc.documents import is_document, read_documents
from summetry.formats.duc.markup import read_markup, read_old_text, tell
from summetry.formats.duc.names import SummaryName, known, parse_name, role_of, set_of
from summetry.formats.tac.tables import read_table, table_role
from summetry.formats.tac.writing import HELD, written_files
from summetry.records.base import Meta
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Role, Summary
from summetry.records.topics import Document, Topic

__all__ = ["Tac", "write_aesop"]

_FOLDERS: dict[str, Role] = {"models": "reference", "peers": "candidate"}
# The folder of a set: the topic, who chose it, and the set.
_DOCSET = re.compile(r"(.*)([A-Z-])-([A-Z])")
_TOPIC = re.compile(rb"<topic\s[^>]*\bid\s*=", re.IGNORECASE)
_DEPTHS = ("", "*/", "*/*/", "*/*/*/")


@FORMATS.register
@dataclass(frozen=True)
class Tac:
    """Summaries, manual scores and documents as NIST gave them out after TAC."""

    name: ClassVar[str] = "tac"
    title: ClassVar[str] = "TAC 2008-2011: models, peers, manual scores and documents"
    can_write: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        if path.is_file():
            return table_role(path.name) is not None
        ways = [f"{depth}{name}" for depth in _DEPTHS for name in ("*.M.*", "*manual.*")]
        files = (file for way in ways for file in path.glob(way))
        return any(table_role(file.name) or _is_summary(file) for file in files)

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        shelf = _Shelf(options.builder(path.stem))
        for file in visible_files(path):
            try:
                shelf.take(file)
            except FormatError as error:
                shelf.builder.report(error)
        shelf.hand_over()
        return shelf.builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        files, lost = written_files(corpus)
        write_folder(files, path)
        warn_not_written(corpus, HELD, path, self.name, lost)


def _summary_name(file: Path) -> SummaryName | None:
    """The parts of a summary's name; one of a single document is not of TAC."""
    name = parse_name(file.name)
    return name if name and name.kind == "M" and not name.document else None


def _is_summary(file: Path) -> bool:
    """Whether a file is a summary of a set, or in a folder that says what it is."""
    name = _summary_name(file)
    return bool(name and (set_of(name.docset) or file.parent.name.lower() in _FOLDERS))


@dataclass
class _Shelf:
    """What the files held so far, by topic."""

    builder: CorpusBuilder
    places: dict[str, Place] = field(default_factory=dict)
    metas: dict[str, Meta] = field(default_factory=dict)
    documents: dict[str, list[Document]] = field(default_factory=dict)
    told: dict[str, dict[str, str]] = field(default_factory=dict)
    summaries: dict[tuple[str, str, Role], tuple[Place, Summary]] = field(default_factory=dict)
    judgments: list[tuple[Place, Judgment]] = field(default_factory=list)

    def take(self, file: Path) -> None:
        """Read a file, if its name says that it is one of these."""
        name = _summary_name(file)
        role = table_role(file.name)
        if name:
            self._take_summary(file, name)
        elif role:
            for place, judgment in read_table(file, role, self.builder):
                self.places.setdefault(judgment.topic, place)
                self.judgments.append((place, judgment))
        elif file.suffix.lower() == ".xml" and _TOPIC.search(first_bytes(file)):
            self._take_topics(file)
        elif is_document(file):
            self._take_documents(file)

    def hand_over(self) -> None:
        """Topics first, since the others refer to them."""
        for topic in sorted(self.places):
            documents = tuple(sorted(self.documents.get(topic, ()), key=lambda d: d.id))
            told = self._statement(topic)
            found = Topic(
                topic,
                title=told.get("title", ""),
                query=told.get("query", ""),
                category=told.get("category", ""),
                group=set_of(topic),
                documents=documents,
                meta=self.metas.get(topic, {}),
            )
            self.builder.add("topics", found, self.places[topic])
        for place, summary in self.summaries.values():
            self.builder.add("summaries", summary, place)
        for place, judgment in self.judgments:
            self.builder.add("judgments", judgment, place)

    def _statement(self, topic: str) -> dict[str, str]:
        """What the file of topics says, under the name of the set or that of the whole topic."""
        base = topic.removesuffix(f"-{set_of(topic)}")
        selector = str(self.metas.get(topic, {}).get("selector", ""))
        # The reader of the file leaves out blanks around a name.
        names = (topic.strip(), f"{base}{selector}", base)
        return next((self.told[name] for name in names if name in self.told), {})

    def _note(self, topic: str, place: Place, **meta: str) -> None:
        self.places.setdefault(topic, place)
        known_ones = self.metas.setdefault(topic, {})
        for key, value in meta.items():
            if value:
                known_ones.setdefault(key, value)

    def _take_summary(self, file: Path, name: SummaryName) -> None:
        place = Place(str(file))
        self._note(name.docset, place, length=name.length, selector=name.selector)
        role = _FOLDERS.get(file.parent.name.lower(), role_of(name.author))
        lines = [line.strip() for line in read_old_text(file).split("\n")]
        lines = [line for line in lines if line]
        if len(lines) > 1:
            summary = Summary(name.docset, name.author, role, sentences=tuple(lines))
        else:
            summary = Summary(name.docset, name.author, role, text="".join(lines))
        first, kept = self.summaries.setdefault((name.docset, name.author, role), (place, summary))
        if _words(kept) != _words(summary):
            tell(place, f"another text than {first}, which was taken as the same summary")

    def _take_documents(self, file: Path) -> None:
        found = _DOCSET.fullmatch(unquote(file.parent.name))
        topic = f"{found[1]}-{found[3]}" if found else unquote(file.parent.name)
        for source in read_documents(file):
            selector = known(found[2]) if found else ""
            self._note(topic, source.place, selector=selector)
            self.documents.setdefault(topic, []).append(source.document)

    def _take_topics(self, file: Path) -> None:
        for element in read_markup(file).all("TOPIC"):
            told = {
                "title": element.first("TITLE"),
                "query": element.first("NARRATIVE"),
                "category": element.attributes.get("category", "").strip(),
            }
            self.told[element.attributes.get("id", "").strip()] = told


def _words(summary: Summary) -> list[str]:
    return (summary.text or " ".join(summary.sentences or ())).split()
