"""The Essex Arabic Summaries Corpus: articles, and five extracts of each, given as text.

    Articles/Topic1/NAME.txt              the article; the first word of NAME is its genre
    MTurk/Topic1/D0101.M.250.A.1.A        an extract; what follows the last point is the informant

The sentences of an extract are looked for in the article by their words, since line ends and marks
differ; a note says which were not found. The language is Arabic unless another one is named.

Source: El-Haj, Kruschwitz and Fox (2010), Using Mechanical Turk to Create a Corpus of Arabic
Summaries, LREC.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from summetry.errors import FormatError, Place
from summetry.formats._base import FORMATS, Format, ReadOptions, visible_files
from summetry.formats.extracts import TextExtract, add_extracts
from summetry.formats.texts import read_text
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic, with_units


@FORMATS.register
@dataclass(frozen=True)
class Easc(Format):
    """Articles with the extracts of five informants, as text."""

    name: ClassVar[str] = "easc"
    title: ClassVar[str] = "the Essex Arabic Summaries Corpus: Articles/, MTurk/"

    def recognise(self, path: Path) -> bool:
        return all(any((path / name).glob("*/*")) for name in ("Articles", "MTurk"))

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        options = replace(options, language=options.language or "ar")
        builder = options.builder(path.name)
        topics: dict[str, Topic] = {}
        for folder in _folders(path / "Articles"):
            with builder.reporting():
                (place, topic) = _article(folder)
                topics[topic.id] = with_units(topic, options.language, options.splitter)
                builder.add("topics", topics[topic.id], place)
        extracts = []
        for folder in _folders(path / "MTurk"):
            for file in visible_files(folder):
                with builder.reporting():
                    informant = file.name.rpartition(".")[2]
                    text = TextExtract(folder.name, informant, read_text(file))
                    extracts.append((Place(str(file)), text))
        add_extracts(builder, extracts, topics, path)
        return builder.build()


def _folders(path: Path) -> list[Path]:
    """The folders in a folder, by their numbers."""
    folders = [folder for folder in path.iterdir() if folder.is_dir()]
    return sorted(folders, key=lambda folder: (_number(folder.name), folder.name))


def _number(name: str) -> int:
    digits = re.search(r"\d+", name)
    return int(digits[0]) if digits else 0


def _article(folder: Path) -> tuple[Place, Topic]:
    files = visible_files(folder)
    if len(files) != 1:
        raise FormatError(Place(str(folder)), "one article", str(len(files)))
    genre = re.match(r"[^\W\d_]+", files[0].stem)
    document = Document(folder.name, text=read_text(files[0]))
    topic = Topic(folder.name, genre=genre[0].lower() if genre else "", documents=(document,))
    return Place(str(files[0])), topic
