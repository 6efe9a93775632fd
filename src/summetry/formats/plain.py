"""Plain text: one file a summary.

    corpus/sources/t1.txt             the text that is summarized
    corpus/models/t1.anna.txt         a model summary of topic t1 by anna, or models/anna/t1.txt
    corpus/peers/t1.lead.txt          a peer summary of topic t1 by lead, or peers/lead/t1.txt

A single file is a topic without summaries. ``references`` for ``models`` and ``systems`` for
``peers`` are understood too. Written are folders by author, so names may hold points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from summetry.errors import FormatError, Place, SummetryError
from summetry.formats._base import FORMATS, ReadOptions, first_bytes, text_files, warn_not_written
from summetry.formats._cells import kind_of_table
from summetry.model.builder import CorpusBuilder
from summetry.model.corpus import Corpus
from summetry.model.summaries import Role, Summary
from summetry.model.topics import Document, Topic

Part = Literal["source", "model", "peer"]
FOLDERS: dict[str, Part] = {
    "sources": "source",
    "source": "source",
    "models": "model",
    "model": "model",
    "references": "model",
    "reference": "model",
    "peers": "peer",
    "peer": "peer",
    "systems": "peer",
    "system": "peer",
}


def read_text(path: Path) -> str:
    """The text of a file; a byte order mark and CRLF are not part of a text."""
    content = path.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        place = Place(str(path), line)
        found = f"the byte {content[error.start]:#04x}"
        raise FormatError(place, "UTF-8", found, "save the file as UTF-8") from error
    return text.replace("\r\n", "\n")


@FORMATS.register
@dataclass(frozen=True)
class Plain:
    """Text files in folders for sources, models and peers."""

    name: ClassVar[str] = "plain"
    title: ClassVar[str] = "text files: sources/, models/ and peers/, one file a summary"
    can_write: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        if path.is_dir():
            return any((path / folder).is_dir() for folder in FOLDERS)
        return not kind_of_table(path) and b"\x00" not in first_bytes(path)

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = CorpusBuilder(path.stem, options.language, on_error=options.on_error)
        if path.is_file():
            builder.add("topics", _topic(path.stem, read_text(path)), Place(str(path)))
            return builder.build()
        parts = _files(path)
        summaries = [_summary(file, root, part) for part, root, file in parts if part != "source"]
        sources = {file.stem: file for part, _, file in parts if part == "source"}
        for topic in dict.fromkeys([*sources, *(summary.topic for _, summary in summaries)]):
            text = read_text(sources[topic]) if topic in sources else None
            builder.add("topics", _topic(topic, text), Place(str(sources.get(topic, path))))
        for place, summary in summaries:
            builder.add("summaries", summary, place)
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        warn_not_written(corpus, {"topics", "summaries"}, path, self.name)
        for topic in corpus.topics:
            text = "\n\n".join(d.text or "\n".join(d.units) for d in topic.documents)
            if topic.documents:
                _write(path / "sources" / f"{_file_name(topic.id)}.txt", text)
        for summary in corpus.summaries:
            folder = path / f"{summary.role}s" / _file_name(summary.author)
            _write(folder / f"{_file_name(summary.topic)}.txt", corpus.text_of(summary))


def read_directories(candidate: Path, references: list[Path], source: Path | None) -> Corpus:
    """Folders whose files are matched by name: one summary of each topic in each folder."""
    builder = CorpusBuilder(candidate.name)
    sources = {file.stem: file for file in text_files(source)} if source else {}
    candidates = list(text_files(candidate))
    if not candidates:
        raise SummetryError(f"{candidate}: expected text files (*.txt), found none")
    for file in candidates:
        text = read_text(sources[file.stem]) if file.stem in sources else None
        builder.add("topics", _topic(file.stem, text), Place(str(file)))
        peer = Summary(file.stem, candidate.name, "peer", text=read_text(file))
        builder.add("summaries", peer, Place(str(file)))
    for folder in references:
        for file in text_files(folder):
            model = Summary(file.stem, str(folder), "model", text=read_text(file))
            builder.add("summaries", model, Place(str(file)))
    return builder.build()


def _topic(name: str, text: str | None) -> Topic:
    return Topic(name, documents=() if text is None else (Document(id=name, text=text),))


def _files(path: Path) -> list[tuple[Part, Path, Path]]:
    def found() -> Iterator[tuple[Part, Path, Path]]:
        for folder, part in FOLDERS.items():
            for file in text_files(path / folder) if (path / folder).is_dir() else ():
                yield part, path / folder, file

    return list(found())


def _summary(file: Path, root: Path, role: Role) -> tuple[Place, Summary]:
    place = Place(str(file))
    below = file.relative_to(root).parts
    if len(below) == 2:
        topic, author = file.stem, below[0]
    else:
        topic, point, author = file.stem.rpartition(".")
        if len(below) > 2 or not point:
            raise FormatError(place, "TOPIC.AUTHOR.txt, or TOPIC.txt in a folder AUTHOR", file.name)
    return place, Summary(topic, author, role, text=read_text(file))


def _file_name(name: str) -> str:
    if not name or name.startswith(".") or any(mark in name for mark in "/\\\x00"):
        raise SummetryError(
            f"{name!r} cannot be part of a file name; rename it, or use another format"
        )
    return name


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
