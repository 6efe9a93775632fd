"""Judgments beside a score table: a whole corpus that has some, or one table of them.

    topic,author,judge,dimension,value,genre,group
    t1,lead,j1,responsiveness,4,news,A

``judge``, ``genre`` and ``group`` may be missing. A line of such a table is a mark, as in
``judgments.jsonl`` of a corpus; its letters need the scale of a corpus.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from summetry.errors import FormatError, Place, SummetryError
from summetry.formats._base import ReadOptions, recognise
from summetry.formats.cells import Cells, check_columns, has_columns, read_cells
from summetry.records.base import Number
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.topics import Topic

_NEEDED = ("topic", "author", "dimension", "value")


def read_judgments(
    path: Path, options: ReadOptions | None = None, corpus: Corpus | None = None
) -> Corpus:
    """A corpus with the judgments at ``path``: ``corpus`` with these instead of its own.

    Without a corpus it has the topics that the judgments name, and nothing else of them.
    """
    reading = options or ReadOptions()
    if is_judgments(path):
        return _read_table(path, reading, corpus)
    form = recognise(path)
    if form.name == "table":
        # What cannot be read is not a table without judgments: say so.
        next(read_cells(path), None)
    # A table of summaries has none, and its reader would ask for other columns.
    judged = form.read(path, reading) if form.name != "table" else None
    if judged is None or not judged.judgments:
        raise SummetryError(
            f"{path}: expected judgments, found none; they are in a corpus, or in a table with "
            f"the columns {', '.join(_NEEDED)}"
        )
    if corpus is None:
        return judged
    kept: dict[str, Any] = {
        name: getattr(judged, name) for name in ("judgments", "scales", "problems")
    }
    return replace(corpus, **kept)


def _read_table(path: Path, reading: ReadOptions, corpus: Corpus | None) -> Corpus:
    scales = corpus.scales if corpus else {}
    builder = CorpusBuilder(path.stem, scales=scales, on_error=reading.on_error)
    known = {topic.id: topic for topic in corpus.topics} if corpus else {}
    topics: dict[str, Topic] = {}
    rows = list(read_cells(path, builder.report))
    for place, cells in rows:
        check_columns(cells, _NEEDED, place)
        topic = _topic(cells, known)
        if topics.setdefault(topic.id, topic) != topic:
            expected = f"the same genre and group in all rows of topic {topic.id!r}"
            builder.report(FormatError(place, expected, f"{topic.genre!r} and {topic.group!r}"))
    for topic in topics.values():
        builder.add("topics", topic, Place(str(path)))
    for place, cells in rows:
        with builder.reporting():
            builder.add("judgments", _judgment(cells, place), place)
    judged = builder.build()
    if not judged.judgments:
        raise SummetryError(f"{path}: expected judgments, found none")
    if corpus is None:
        return judged
    return replace(corpus, judgments=judged.judgments, problems=judged.problems)


def is_judgments(path: Path) -> bool:
    """Whether a file is a table of judgments, by its first row."""
    return has_columns(path, "dimension", "author")


def _topic(cells: Cells, known: Mapping[str, Topic]) -> Topic:
    """The topic of a row, of the corpus if that has it."""
    name, genre, group = (str(cells.get(key) or "") for key in ("topic", "genre", "group"))
    return known.get(name) or Topic(name, genre=genre, group=group)


def _judgment(cells: Cells, place: Place) -> Judgment:
    names = (str(cells["topic"]), str(cells["author"]), str(cells.get("judge") or ""))
    return Judgment(*names, str(cells["dimension"]), _value(cells["value"], place))


def _value(cell: Any, place: Place) -> Number | str:
    """A number where it reads as one, else the mark."""
    if isinstance(cell, str):
        try:
            number = float(cell)
        except ValueError:
            return cell
        return number if math.isfinite(number) else cell
    if isinstance(cell, bool) or not isinstance(cell, int | float) or not math.isfinite(cell):
        raise FormatError(place, "a number or a mark as value", repr(cell))
    return cell
