"""Plain text: one file per summary.

    corpus/sources/t1.txt            the text that is summarized
    corpus/references/t1.anna.txt    a reference for topic t1 by anna, or references/anna/t1.txt
    corpus/candidates/t1.lead.txt    a candidate for topic t1 by lead, or candidates/lead/t1.txt
    corpus/extracts/t1.bob.txt       the sentences that bob chose, as text, or extracts/bob/t1.txt

or a folder of each system beside them, with files that are matched by name:

    corpus/articles/t1.txt   corpus/gold/t1.txt   corpus/bart/t1.txt   corpus/t5/t1.txt

A single file is a topic without summaries. Other names of the folders (``articles``, ``docs``,
``gold``, ``refs``, ``models``, ``peers``, ``outputs``, ...) are understood too. The sentences of an
extract are looked for in the source, and a note says how they were found. Written are folders by
author, so names may hold points.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import ClassVar, Literal

from summetry.errors import FormatError, Place, SummetryError, counted, did_you_mean
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
from summetry.formats.columns import listed, taken_in_words
from summetry.formats.extracts import TextExtract, add_extracts
from summetry.formats.rouge_xml.texts import marked_kind, split_as_rouge155
from summetry.formats.texts import read_text, warn_at
from summetry.records.corpus import Corpus
from summetry.records.summaries import Role, Summary
from summetry.records.topics import Topic, topic_of_text, with_units

# What of a corpus text files can hold.
HELD = {"topics": {"id", "documents"}, "summaries": {"topic", "author", "role", "text"}}
Part = Literal["source", "reference", "candidate", "extract"]
# The folders of each part; those that say what they hold are enough to recognise a corpus.
_OWN_NAMES: dict[Part, str] = {
    "source": "source",
    "reference": "reference model",
    "candidate": "candidate peer system",
    "extract": "extract",
}
_OTHER_NAMES: dict[Part, str] = {
    "source": "article document doc text input src story dialogue transcript",
    "reference": "gold ref target tgt ideal human highlight abstract reference_summary "
    "gold_summary ground_truth",
    "candidate": "output prediction hypothesis generated decoded",
}
_PLURALS = {
    "story": "stories",
    "hypothesis": "hypotheses",
    "reference_summary": "reference_summaries",
    "gold_summary": "gold_summaries",
}


def _folders(names: dict[Part, str]) -> dict[str, Part]:
    """The part of each name, in the plural and in the singular."""
    return {
        folder: part
        for part, words in names.items()
        for name in words.split()
        for folder in (_PLURALS.get(name, f"{name}s"), name)
    }


FOLDERS = _folders(_OWN_NAMES)
OTHER_FOLDERS = _folders(_OTHER_NAMES)


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
            return any((path / folder).is_dir() for folder in FOLDERS) or _layout(path).is_whole
        return not kind_of_table(path) and b"\x00" not in first_bytes(path)

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        builder = options.builder(path.stem)
        if path.is_file():
            builder.add("topics", topic_of_text(path.stem, read_text(path)), Place(str(path)))
            return builder.build()
        layout = _layout(path)
        if layout.notes:
            warn_at(path, layout.notes)
        topics: list[tuple[Place, Topic]] = []
        summaries: list[tuple[Place, Summary]] = []
        extracts: list[tuple[Place, TextExtract]] = []
        for part, root, file in layout.files:
            place = Place(str(file))
            with builder.reporting():
                if part == "source":
                    topics.append((place, topic_of_text(file.stem, read_text(file))))
                elif part == "extract":
                    names = _names(file, root, part, layout)
                    extracts.append((place, TextExtract(*names, read_text(file))))
                else:
                    names = _names(file, root, part, layout)
                    summaries.append((place, _read_summary(file, *names, part)))
        # A source that cannot be read is there all the same: its summaries go with it.
        sources = {file.stem for part, _, file in layout.files if part == "source"}
        for name in dict.fromkeys(summary.topic for _, summary in summaries):
            if name not in sources:
                topics.append((Place(str(path)), topic_of_text(name, None)))
        if extracts:
            topics = [(p, with_units(t, options.language, options.splitter)) for p, t in topics]
        for place, topic in topics:
            builder.add("topics", topic, place)
        for place, summary in summaries:
            builder.add("summaries", summary, place)
        add_extracts(builder, extracts, {topic.id: topic for _, topic in topics}, path)
        _note_marked(path, [summary for _, summary in summaries])
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
        write_folder(texts, path, [file for _, _, file in _layout(path).files])
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
    read: list[Summary] = []
    for file in candidates:
        text = read_text(sources[file.stem]) if file.stem in sources else None
        builder.add("topics", topic_of_text(file.stem, text), Place(str(file)))
        summary = _read_summary(file, file.stem, candidate.name, "candidate")
        builder.add("summaries", summary, Place(str(file)))
        read.append(summary)
    names = {file.stem for file in candidates}
    for folder in references:
        for file in _text_files(folder):
            if file.stem not in names:
                hint = did_you_mean(file.name, [other.name for other in candidates]).strip()
                raise FormatError(
                    Place(str(file)), f"a candidate of this name in {candidate}", "none", hint
                )
            summary = _read_summary(file, file.stem, str(folder), "reference")
            builder.add("summaries", summary, Place(str(file)))
            read.append(summary)
    _note_marked(candidate, read)
    return builder.build()


@dataclass(frozen=True)
class _Layout:
    """Which folders hold what."""

    # The text files, each with its part and the folder of that part.
    files: list[tuple[Part, Path, Path]]
    # Names of files that are topics as they stand, whatever points they have.
    topics: set[str]
    # The folders that are systems.
    systems: tuple[str, ...] = ()
    notes: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether there are summaries, and something that they can be compared with."""
        parts = {part for part, _, _ in self.files}
        return "candidate" in parts and len(parts) > 1


def _layout(path: Path) -> _Layout:
    known = [(part, path / name) for name, part in FOLDERS.items() if (path / name).is_dir()]
    folders = sorted(f for f in path.glob("*") if f.is_dir() and not f.name.startswith("."))
    others = [folder for folder in folders if folder.name not in FOLDERS]
    named = [(OTHER_FOLDERS[f.name.lower()], f) for f in others if f.name.lower() in OTHER_FOLDERS]
    named = [(part, folder) for part, folder in named if any(_near_texts(folder))]
    known += named
    files = [(part, root, file) for part, root in known for file in _text_files(root)]
    topics: set[str] = set()
    meant: set[str] = set()
    for part, root, file in files:
        is_topic = part == "source" or file.parent != root
        if is_topic or (part == "reference" and "." not in file.stem):
            topics.add(file.stem)
        meant |= {file.stem, file.stem.rpartition(".")[0]}
    rest = [f for f in others if f not in [g for _, g in named] and any(f.glob("*.txt"))]
    systems: list[Path] = []
    if all(part != "candidate" for part, _ in known):
        systems = [f for f in rest if meant & {file.stem for file in f.glob("*.txt")}]
    for folder in systems:
        texts = sorted(file for file in folder.glob("*.txt") if not file.name.startswith("."))
        files += [("candidate", folder, file) for file in texts]
        topics |= {file.stem for file in texts}
    unread = [folder.name for folder in rest if folder not in systems]
    names = tuple(folder.name for folder in systems)
    return _Layout(files, topics, names, _in_words(named, names, unread))


def _in_words(
    named: Sequence[tuple[Part, Path]], systems: Sequence[str], unread: Sequence[str]
) -> str:
    """What folders are taken for, and which ones are not read."""
    taken = [([folder.name], f"the {part}s") for part, folder in named]
    if systems:
        taken.append(([*systems], "the candidates of systems"))
    words = [taken_in_words(taken)] if taken else []
    if unread:
        verb = "are" if len(unread) > 1 else "is"
        known = "sources, references, candidates, extracts"
        words.append(f"{listed(unread)} {verb} not read: expected {known}")
    return "; ".join(words)


def _near_texts(folder: Path) -> Iterator[Path]:
    """The text files in a folder and in the folders of it."""
    return chain(folder.glob("*.txt"), folder.glob("*/*.txt"))


def _text_files(folder: Path) -> list[Path]:
    """The text files below a folder; a page of HTML is one if it has the sentences of SEE."""
    return [
        path
        for path in visible_files(folder)
        if path.suffix == ".txt" or (path.suffix in (".html", ".htm") and _is_see(path))
    ]


def _is_see(path: Path) -> bool:
    return marked_kind(first_bytes(path).decode("utf-8", "replace")) is not None


def _read_summary(file: Path, topic: str, author: str, role: Role) -> Summary:
    """The summary in a file: its text, or the sentences that are marked in it."""
    text = read_text(file)
    kind = marked_kind(text)
    if kind is None:
        return Summary(topic, author, role, text=text)
    sentences = (sentence.rstrip("\n") for sentence in split_as_rouge155(text, kind))
    return Summary(topic, author, role, sentences=tuple(sentences))


def _note_marked(path: Path, summaries: Iterable[Summary]) -> None:
    marked = sum(summary.sentences is not None for summary in summaries)
    if marked:
        are = "is" if marked == 1 else "are"
        warn_at(
            path, f"{counted(marked, 'file')} {are} in SEE or ISI: the marked sentences were read"
        )


def _lost(corpus: Corpus, texts: Collection[str]) -> list[str]:
    summarized = {summary.topic for summary in corpus.summaries}
    empty = [topic for topic in corpus.topics if not topic.documents and topic.id not in summarized]
    counts = {
        ("topic", "without text or summaries"): len(empty),
        ("text", "with CRLF in it or a byte order mark before it"): sum(
            "\r\n" in text or text.startswith("\ufeff") for text in texts
        ),
        ("text", "that would be read as SEE or ISI"): sum(
            marked_kind(text) is not None for text in texts
        ),
    }
    return merged_documents(corpus) + losses(counts)


def _names(file: Path, root: Path, part: Part, layout: _Layout) -> tuple[str, str]:
    """The topic and the author of a file."""
    below = file.relative_to(root).parts
    topic, point, author = file.stem.rpartition(".")
    if len(below) == 2:
        topic, author = file.stem, below[0]
    elif root.name in layout.systems:
        topic, author = file.stem, root.name
    elif len(below) == 1 and (file.stem in layout.topics or (part == "reference" and not point)):
        # The only one of its kind need not say who wrote it.
        topic, author = file.stem, part if root.name in FOLDERS else root.name
    elif len(below) > 2 or not point:
        expected = "TOPIC.AUTHOR.txt, or TOPIC.txt in a folder AUTHOR"
        raise FormatError(Place(str(file)), expected, file.name)
    return topic, author


def _file_name(name: str) -> str:
    if not name or name.startswith(".") or any(mark in name for mark in "/\\\x00"):
        raise SummetryError(
            f"{name!r} cannot be part of a file name; rename it, or use another format"
        )
    return name
