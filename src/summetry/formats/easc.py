"""The Essex Arabic Summaries Corpus: articles, and five extracts of each, given as text.

    Articles/Topic1/NAME.txt              the article; the first word of NAME is its genre
    MTurk/Topic1/D0101.M.250.A.1.A        an extract; what follows the last point is the informant

or the authors' table (CSV, JSON Lines, Parquet) with the columns ``article_id``, ``topic_name``,
which is the genre, ``article_text`` and ``summary_A`` to ``summary_E``.

The sentences of an extract are looked for in the article by their words, since line ends and marks
differ; a note says how they were found. The language is Arabic unless another one is named.

Source: El-Haj, Kruschwitz and Fox (2010), Using Mechanical Turk to Create a Corpus of Arabic
Summaries, LREC.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from msgspec.structs import replace

from summetry.errors import FormatError, Place
from summetry.formats._base import FORMATS, Format, ReadOptions, first_bytes, visible_files
from summetry.formats.cells import has_columns, read_cells
from summetry.formats.extracts import TextExtract, add_extracts
from summetry.formats.table import optional_text, text_in
from summetry.formats.texts import read_text
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.topics import Document, Topic, with_units

_TABLE = ("article_id", "topic_name", "article_text")
_SUMMARY = re.compile(r"summary_([A-Z])")
# The articles and the extracts, each with its place.
_Found = tuple[list[tuple[Place, Topic]], list[tuple[Place, TextExtract]]]


@FORMATS.register
@dataclass(frozen=True)
class Easc(Format):
    """Articles with the extracts of five informants, as text."""

    name: ClassVar[str] = "easc"
    title: ClassVar[str] = "the Essex Arabic Summaries Corpus: Articles/, MTurk/, or its table"

    def recognise(self, path: Path) -> bool:
        if path.is_file():
            start = first_bytes(path)
            may_be = start.startswith(b"PAR1") or b"article_text" in start
            return may_be and has_columns(path, *_TABLE, "summary_A")
        return all(any((path / name).glob("*/*")) for name in ("Articles", "MTurk"))

    def read(self, path: Path, options: ReadOptions) -> Corpus:
        options = replace(options, language=options.language or "ar")
        builder = options.builder(path.name)
        read = _read_table if path.is_file() else _read_folders
        articles, extracts = read(path, builder)
        topics: dict[str, Topic] = {}
        for place, topic in articles:
            topics[topic.id] = with_units(topic, options.language, options.splitter)
            builder.add("topics", topics[topic.id], place)
        add_extracts(builder, extracts, topics, path)
        return builder.build()


def _read_folders(path: Path, builder: CorpusBuilder) -> _Found:
    articles, extracts = [], []
    for folder in _folders(path / "Articles"):
        with builder.reporting():
            articles.append(_article(folder))
    for folder in _folders(path / "MTurk"):
        for file in visible_files(folder):
            with builder.reporting():
                informant = file.name.rpartition(".")[2]
                text = TextExtract(folder.name, informant, read_text(file))
                extracts.append((Place(str(file)), text))
    return articles, extracts


def _read_table(path: Path, builder: CorpusBuilder) -> _Found:
    articles, extracts = [], []
    for place, cells in read_cells(path, builder.report):
        with builder.reporting():
            name, text = str(cells.get("article_id")), text_in(cells, "article_text", place)
            genre = str(cells.get("topic_name") or "").lower()
            chosen = {
                match[1]: optional_text(cells, column, place)
                for column in cells
                if (match := _SUMMARY.fullmatch(column))
            }
            documents = (Document(name, text=text),)
            articles.append((place, Topic(name, genre=genre, documents=documents)))
            extracts += [
                (place, TextExtract(name, informant, extract))
                for informant, extract in chosen.items()
                if extract
            ]
    return articles, extracts


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
