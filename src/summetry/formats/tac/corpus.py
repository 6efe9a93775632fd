"""What NIST gave out after the summarization tasks of TAC, 2008 to 2011.

    models/D1001-A.M.100.A.C       a person's summary of set A of topic D1001: a reference
    peers/D1001-A.M.100.A.17       a system's: a candidate
    manual.peer, manual.model      what assessors said of each, see ``tables.py``
    D1001A/D1001A-A/NAME           a document of set A, SGML as in ``duc/documents.py``
    topics.xml                     <topic id="D1001A" category="2"><title>...</title>
                                   <narrative>...</narrative></topic>

Files are told apart by their names, wherever in a folder they are. A line of a summary is a
sentence; one that is a single line is a text whose sentences are not known. Metric files of the
task AESOP are score tables: ``formats/aesop.py``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote

from summetry.errors import Place
from summetry.formats._base import (
    FORMATS,
    Format,
    ReadOptions,
    files_named,
    first_bytes,
    visible_files,
)
from summetry.formats.duc.documents import is_document, read_documents
from summetry.formats.duc.markup import read_markup
from summetry.formats.duc.names import SummaryName, known, parse_name, role_of, set_of
from summetry.formats.tac.tables import judged_in, read_table
from summetry.formats.texts import read_old_text, warn_at
from summetry.records.base import Meta
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Role, Summary
from summetry.records.topics import Document, Topic

_FOLDERS: dict[str, Role] = {"models": "reference", "peers": "candidate"}
# The folder of a set: the topic, who chose it, and the set.
_DOCSET = re.compile(r"(.*)([A-Z-])-([A-Z])")
_TOPIC = re.compile(rb"<topic\s[^>]*\bid\s*=", re.IGNORECASE)


@FORMATS.register
@dataclass(frozen=True)
class Tac(Format):
    """Summaries, manual scores and documents as NIST gave them out after TAC."""

    name: ClassVar[str] = "tac"
    title: ClassVar[str] = "TAC 2008-2011: references, candidates, manual scores, documents"

    def recognise(self, path: Path) -> bool:
        if path.is_file():
            return judged_in(path.name) is not None
        files = files_named(path, ("*.M.*", "*manual.*"))
        return any(judged_in(file.name) or _is_summary(file) for file in files)

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        files = _Files(builder)
        for file in visible_files(path):
            with builder.reporting():
                files.read(file)
        files.add_records()
        return builder.build()


def _summary_name(file: Path) -> SummaryName | None:
    """The parts of a summary's name; one of a single document is not of TAC."""
    name = parse_name(file.name)
    return name if name and name.kind == "M" and not name.document else None


def _is_summary(file: Path) -> bool:
    """Whether a file is a summary of a set, or in a folder that says what it is."""
    name = _summary_name(file)
    return bool(name and (set_of(name.docset) or file.parent.name.lower() in _FOLDERS))


@dataclass
class _Files:
    """What the files held that were read so far, by topic."""

    builder: CorpusBuilder
    places: dict[str, Place] = field(default_factory=dict)
    metas: dict[str, Meta] = field(default_factory=dict)
    documents: dict[str, list[Document]] = field(default_factory=dict)
    statements: dict[str, dict[str, str]] = field(default_factory=dict)
    summaries: dict[tuple[str, str, Role], tuple[Place, Summary]] = field(default_factory=dict)
    judgments: list[tuple[Place, Judgment]] = field(default_factory=list)

    def read(self, file: Path) -> None:
        """Read a file, if its name says that it is one of TAC's."""
        if name := _summary_name(file):
            self._read_summary(file, name)
        elif judged := judged_in(file.name):
            for place, judgment in read_table(file, judged, self.builder):
                self.places.setdefault(judgment.topic, place)
                self.judgments.append((place, judgment))
        elif file.suffix.lower() == ".xml" and _TOPIC.search(first_bytes(file)):
            self._read_statements(file)
        elif is_document(file):
            self._read_documents(file)

    def add_records(self) -> None:
        """Give the builder all records; topics first, since the others refer to them."""
        for name in sorted(self.places):
            topic = Topic(
                name,
                **self._statement(name),
                group=set_of(name),
                documents=tuple(sorted(self.documents.get(name, ()), key=lambda d: d.id)),
                meta=self.metas.get(name, {}),
            )
            self.builder.add("topics", topic, self.places[name])
        for place, summary in self.summaries.values():
            self.builder.add("summaries", summary, place)
        for place, judgment in self.judgments:
            self.builder.add("judgments", judgment, place)

    def _statement(self, topic: str) -> dict[str, Any]:
        """What the file of topics says, under the name of the set or that of the whole topic."""
        base = topic.removesuffix(f"-{set_of(topic)}")
        selector = str(self.metas.get(topic, {}).get("selector", ""))
        # The reader of the file leaves out blanks around a name.
        names = (topic.strip(), f"{base}{selector}", base)
        return next((self.statements[name] for name in names if name in self.statements), {})

    def _name_topic(self, topic: str, place: Place, **meta: str) -> None:
        self.places.setdefault(topic, place)
        earlier = self.metas.setdefault(topic, {})
        for key, value in meta.items():
            if value:
                earlier.setdefault(key, value)

    def _read_summary(self, file: Path, name: SummaryName) -> None:
        place = Place(str(file))
        self._name_topic(name.docset, place, length=name.length, selector=name.selector)
        role = _FOLDERS.get(file.parent.name.lower(), role_of(name.author))
        lines = [line.strip() for line in read_old_text(file).split("\n") if line.strip()]
        if len(lines) > 1:
            summary = Summary(name.docset, name.author, role, sentences=tuple(lines))
        else:
            summary = Summary(name.docset, name.author, role, text="".join(lines))
        first, kept = self.summaries.setdefault((name.docset, name.author, role), (place, summary))
        if _words(kept) != _words(summary):
            warn_at(place, f"another text than {first}, which was taken as the same summary")

    def _read_documents(self, file: Path) -> None:
        folder = unquote(file.parent.name)
        parts = _DOCSET.fullmatch(folder)
        topic = f"{parts[1]}-{parts[3]}" if parts else folder
        selector = known(parts[2]) if parts else ""
        for source in read_documents(file):
            self._name_topic(topic, source.place, selector=selector)
            self.documents.setdefault(topic, []).append(source.document)

    def _read_statements(self, file: Path) -> None:
        for element in read_markup(file).all("TOPIC"):
            self.statements[element.attributes.get("id", "").strip()] = {
                "title": element.first("TITLE"),
                "query": element.first("NARRATIVE"),
                "category": element.attributes.get("category", "").strip(),
            }


def _words(summary: Summary) -> list[str]:
    return (summary.text or " ".join(summary.sentences or ())).split()
