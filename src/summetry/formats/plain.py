"""Plain text: one file per summary.

    corpus/sources/t1.txt            the text that is summarized
    corpus/references/t1.anna.txt    a reference for topic t1 by anna, or references/anna/t1.txt
    corpus/candidates/t1.lead.txt    a candidate for topic t1 by lead, or candidates/lead/t1.txt

A single file is a topic without summaries. ``models`` for ``references``, ``systems`` or ``peers``
for ``candidates`` are understood too. Written are folders by author, so names may hold points.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from summetry.errors import FormatError, Place, SummetryError, did_you_mean
from summetry.formats._base import FORMATS, Format, ReadOptions, first_bytes, visible_files
from summetry.formats._writing import (
    losses,
    merged_documents,
    must_be_folder,
    source_text,
    warn_not_written,
    write_folder,
)
from summetry.formats.cells import kind_of_table
from summetry.formats.texts import read_text
from summetry.records.corpus import Corpus
from summetry.records.summaries import Role, Summary
from summetry.records.topics import Document, Topic

# What of a corpus text files can hold.
HELD = {"topics": {"id", "documents"}, "summaries": {"topic", "author", "role", "text"}}
Part = Literal["source", "reference", "candidate"]
_NAMES: dict[str, Part] = {
    "source": "source",
    "reference": "reference",
    "model": "reference",
    "candidate": "candidate",
    "peer": "candidate",
    "system": "candidate",
}
FOLDERS = {folder: part for name, part in _NAMES.items() for folder in (f"{name}s", name)}


@FORMATS.register
@dataclass(frozen=True)
class Plain(Format):
    """Text files in folders for sources, references and candidates."""

    name: ClassVar[str] = "plain"
    title: ClassVar[str] = "text files: sources/, references/, candidates/, one file per summary"
    can_write: ClassVar[bool] = True
    is_general: ClassVar[bool] = True

    def recognise(self, path: Path) -> bool:
        if path.is_dir():
            return any((path / folder).is_dir() for folder in FOLDERS)
        return not kind_of_table(path) and b"\x00" not in first_bytes(path)

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        if path.is_file():
            builder.add("topics", _topic(path.stem, read_text(path)), Place(str(path)))
            return builder.build()
        topics: list[tuple[Place, Topic]] = []
        summaries: list[tuple[Place, Summary]] = []
        parts = _files(path)
        for part, root, file in parts:
            with builder.reporting():
                if part == "source":
                    topics.append((Place(str(file)), _topic(file.stem, read_text(file))))
                else:
                    summaries.append((Place(str(file)), _summary(file, root, part)))
        # A source that cannot be read is there all the same: its summaries go with it.
        sources = {file.stem for part, _, file in parts if part == "source"}
        for name in dict.fromkeys(summary.topic for _, summary in summaries):
            if name not in sources:
                topics.append((Place(str(path)), _topic(name, None)))
        for place, topic in topics:
            builder.add("topics", topic, place)
        for place, summary in summaries:
            builder.add("summaries", summary, place)
        return builder.build()

    def write(self, corpus: Corpus, path: Path) -> None:
        must_be_folder(path)
        texts: dict[str, str] = {}
        for topic in corpus.topics:
            if topic.documents:
                texts[f"sources/{_file_name(topic.id)}.txt"] = source_text(topic)
        for summary in corpus.summaries:
            folder = f"{summary.role}s/{_file_name(summary.author)}"
            texts[f"{folder}/{_file_name(summary.topic)}.txt"] = corpus.text_of(summary)
        for name, text in texts.items():
            if "\x00" in text:
                raise SummetryError(f"{name}: a text file holds no zero byte, as this text does")
        write_folder(texts, path, [file for _, _, file in _files(path)])
        warn_not_written(corpus, HELD, path, self.name, _lost(corpus, texts.values()))


def read_directories(
    candidate: Path,
    references: list[Path],
    source: Path | None,
    options: ReadOptions | None = None,
) -> Corpus:
    """Folders whose files are matched by name: one summary of each topic in each folder."""
    options = options or ReadOptions()
    builder = options.builder(candidate.name)
    sources = {file.stem: file for file in _text_files(source)} if source else {}
    candidates = _text_files(candidate)
    if not candidates:
        raise SummetryError(f"{candidate}: expected text files (*.txt), found none")
    for file in candidates:
        text = read_text(sources[file.stem]) if file.stem in sources else None
        builder.add("topics", _topic(file.stem, text), Place(str(file)))
        summary = Summary(file.stem, candidate.name, "candidate", text=read_text(file))
        builder.add("summaries", summary, Place(str(file)))
    names = {file.stem for file in candidates}
    for folder in references:
        for file in _text_files(folder):
            if file.stem not in names:
                hint = did_you_mean(file.name, [other.name for other in candidates]).strip()
                raise FormatError(
                    Place(str(file)), f"a candidate of this name in {candidate}", "none", hint
                )
            summary = Summary(file.stem, str(folder), "reference", text=read_text(file))
            builder.add("summaries", summary, Place(str(file)))
    return builder.build()


def _topic(name: str, text: str | None) -> Topic:
    return Topic(name, documents=() if text is None else (Document(id=name, text=text),))


def _files(path: Path) -> list[tuple[Part, Path, Path]]:
    """The text files of a corpus, each with its part and the folder of that part."""
    return [
        (part, path / folder, file)
        for folder, part in FOLDERS.items()
        if (path / folder).is_dir()
        for file in _text_files(path / folder)
    ]


def _text_files(folder: Path) -> list[Path]:
    return [path for path in visible_files(folder) if path.suffix == ".txt"]


def _lost(corpus: Corpus, texts: Iterable[str]) -> list[str]:
    summarized = {summary.topic for summary in corpus.summaries}
    empty = [topic for topic in corpus.topics if not topic.documents and topic.id not in summarized]
    counts = {
        ("topic", "without text or summaries"): len(empty),
        ("text", "with CRLF in it or a byte order mark before it"): sum(
            "\r\n" in text or text.startswith("\ufeff") for text in texts
        ),
    }
    return merged_documents(corpus) + losses(counts)


def _summary(file: Path, root: Path, role: Role) -> Summary:
    below = file.relative_to(root).parts
    if len(below) == 2:
        topic, author = file.stem, below[0]
    else:
        topic, point, author = file.stem.rpartition(".")
        if len(below) > 2 or not point:
            expected = "TOPIC.AUTHOR.txt, or TOPIC.txt in a folder AUTHOR"
            raise FormatError(Place(str(file)), expected, file.name)
    return Summary(topic, author, role, text=read_text(file))


def _file_name(name: str) -> str:
    if not name or name.startswith(".") or any(mark in name for mark in "/\\\x00"):
        raise SummetryError(
            f"{name!r} cannot be part of a file name; rename it, or use another format"
        )
    return name
