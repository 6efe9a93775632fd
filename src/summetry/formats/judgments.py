"""Judgments beside a score table: a whole corpus that has some, or one table of them.

One row per judgment, or one row per summary with a column for each dimension:

    id,system,judge,dimension,value        id,system,coherence,fluency
    t1,lead,j1,responsiveness,4            t1,lead,4,5

``topic`` is taken for ``id``, ``author`` for ``system`` and ``annotator`` for ``judge``. The
columns ``judge``, ``genre`` and ``group`` may be missing. In a table without a column
``dimension`` every other column of numbers is a dimension, and an empty cell is no judgment.
Letters need the scale of a corpus.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from summetry.errors import FormatError, Place, SummetryError
from summetry.formats._base import ReadOptions, recognise
from summetry.formats.cells import Cells, kind_of_table, read_cells
from summetry.formats.frames import Frame, Readable
from summetry.records.base import Number
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.topics import Topic

# The columns of a judgment, the names that they may have, and what they are called in messages.
_TOPIC, _AUTHOR, _JUDGE = ("topic", "id"), ("author", "system"), ("judge", "annotator")
_LONG = "id, system, dimension, value"
_WIDE = "id, system and one column of numbers per dimension"
# A column of judgments has a number in one of so many rows.
_ROWS_TO_SEE = 1000
_NO_DIMENSIONS = {*_TOPIC, *_AUTHOR, *_JUDGE, "genre", "group", ""}


def read_judgments(
    path: Readable, options: ReadOptions | None = None, corpus: Corpus | None = None
) -> Corpus:
    """A corpus with the judgments at ``path``: ``corpus`` with these instead of its own.

    Without a corpus it has the topics that the judgments name, and nothing else of them.
    """
    reading = options or ReadOptions()
    if isinstance(path, Frame) or is_judgments(path):
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
            f"the columns {_LONG}, or {_WIDE}"
        )
    if corpus is None:
        return judged
    kept: dict[str, Any] = {
        name: getattr(judged, name) for name in ("judgments", "scales", "problems")
    }
    return replace(corpus, **kept)


def _read_table(path: Readable, reading: ReadOptions, corpus: Corpus | None) -> Corpus:
    scales = corpus.scales if corpus else {}
    builder = CorpusBuilder(path.stem, scales=scales, on_error=reading.on_error)
    known = {topic.id: topic for topic in corpus.topics} if corpus else {}
    topics: dict[str, Topic] = {}
    rows = list(read_cells(path, builder.report))
    for place, cells in rows:
        _check_columns(cells, place)
        topic = _topic(cells, known)
        if topics.setdefault(topic.id, topic) != topic:
            expected = f"the same genre and group in all rows of topic {topic.id!r}"
            builder.report(FormatError(place, expected, f"{topic.genre!r} and {topic.group!r}"))
    for topic in topics.values():
        builder.add("topics", topic, Place(str(path)))
    wide, left_out = _dimensions([cells for _, cells in rows], scales)
    for place, cells in rows:
        with builder.reporting():
            for judgment in _judgments(cells, wide, scales, place):
                builder.add("judgments", judgment, place)
    judged = builder.build()
    if not judged.judgments:
        raise SummetryError(f"{path}: expected judgments, found none")
    problems = judged.problems
    if left_out:
        names = ", ".join(map(repr, left_out))
        problems = (*problems, f"{path}: columns that are no judgments: {names}")
    return replace(corpus or judged, judgments=judged.judgments, problems=problems)


def is_judgments(path: Path) -> bool:
    """Whether a file is a table of judgments, by its first rows."""
    if not path.is_file() or not kind_of_table(path):
        return False
    try:
        rows = [cells for _, cells in islice(read_cells(path, lambda error: None), _ROWS_TO_SEE)]
    except FormatError:
        return False
    if not rows or _cell(rows[0], _AUTHOR) is None:
        return False
    if "dimension" in rows[0]:
        return True
    return _cell(rows[0], _TOPIC) is not None and bool(_dimensions(rows, {})[0])


def _check_columns(cells: Cells, place: Place) -> None:
    """Refuse a row in which a column is missing."""
    for names in (_TOPIC, _AUTHOR, *([("value",)] if "dimension" in cells else [])):
        if not any(name in cells for name in names):
            expected = f"the columns {_LONG}, or {_WIDE}"
            raise FormatError(place, expected, f"no {names[-1]!r}")


def _cell(cells: Cells, names: tuple[str, ...]) -> Any:
    """The cell of the first column of these names that is there; None where none is."""
    return next((cells[name] for name in names if name in cells), None)


def _dimensions(rows: Sequence[Cells], scales: Collection[str]) -> tuple[list[str], list[str]]:
    """Of a table with one row per summary: the columns that hold judgments, and all others.

    A column holds judgments if it has a number in some row, or if the corpus has a scale for it.
    """
    if any("dimension" in cells for cells in rows):
        return [], []
    names = list(dict.fromkeys(name for cells in rows for name in cells))
    others = [name for name in names if name not in _NO_DIMENSIONS]
    wide = [
        name
        for name in others
        if not name.startswith("Unnamed: ")  # The numbers of the rows, as pandas writes them.
        and (name in scales or any(_is_number(cells.get(name)) for cells in rows))
    ]
    return wide, [name for name in others if name not in wide]


def _is_number(cell: Any) -> bool:
    try:
        return not isinstance(cell, bool) and math.isfinite(float(cell))
    except (TypeError, ValueError):
        return False


def _topic(cells: Cells, known: Mapping[str, Topic]) -> Topic:
    """The topic of a row, of the corpus if that has it."""
    name = str(_cell(cells, _TOPIC))
    genre, group = (str(cells.get(key) or "") for key in ("genre", "group"))
    return known.get(name) or Topic(name, genre=genre, group=group)


def _judgments(
    cells: Cells, wide: Sequence[str], scales: Collection[str], place: Place
) -> Iterator[Judgment]:
    """The judgments of a row: one, or one for each of its dimensions."""
    names = str(_cell(cells, _TOPIC)), str(_cell(cells, _AUTHOR)), str(_cell(cells, _JUDGE) or "")
    if "dimension" in cells:
        yield Judgment(*names, str(cells["dimension"]), _value(cells["value"], place))
    for dimension in wide:
        cell = cells.get(dimension)
        if cell is None or cell == "" or cell != cell:
            continue
        if not (_is_number(cell) or dimension in scales):
            raise FormatError(place, f"a number as {dimension}, or nothing", repr(cell))
        yield Judgment(*names, dimension, _value(cell, place))


def _value(cell: Any, place: Place) -> Number | str:
    """A number where it reads as one, else the letter."""
    if isinstance(cell, str):
        try:
            number = float(cell)
        except ValueError:
            return cell
        return number if math.isfinite(number) else cell
    if isinstance(cell, bool) or not isinstance(cell, int | float) or not math.isfinite(cell):
        raise FormatError(place, "a number or a letter as value", repr(cell))
    return cell
