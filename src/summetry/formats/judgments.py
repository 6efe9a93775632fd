"""Judgments beside a score table: a whole corpus that has some, or one table of them.

One row per judgment, or one row per summary with a column for each dimension:

    id,system,judge,dimension,value        id,system,coherence,fluency
    t1,lead,j1,responsiveness,4            t1,lead,4,5

A wide table may have one row per judge (with a column ``judge``, or without: then the rows of a
summary are judges 1, 2, ...), or one column per judge (``coherence_1``, ``coherence_2``). In JSON a
cell may be a list with one value per judge, an object of dimensions, or a list of such objects.
A column ``reference`` says which reference a summary was compared with.
The names of columns are those that people use (``doc_id``, ``model``, ``annotator``, ...), or
``--columns`` names them; ``--columns relevance=rel_ann+rel_bob`` says which columns are the judges
of a dimension. In a wide table every other column of numbers is a dimension, and an empty cell is
no judgment. Letters need the scale of a corpus.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from summetry.arguments import as_path
from summetry.errors import FormatError, Place, SummetryError, counted, shorten
from summetry.formats._base import ReadOptions, recognise
from summetry.formats.cells import Cells, first_cells, kind_of_table, read_cells
from summetry.formats.columns import (
    LOOKED_AT,
    ROLES,
    column_for,
    columns_of_roles,
    naming_advice,
    taken_in_words,
)
from summetry.formats.frames import Frame, Readable, as_frame
from summetry.formats.texts import about_comma, number_in, warn_at
from summetry.records.base import Number
from summetry.records.builder import CorpusBuilder, identity
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.topics import Topic

# What --columns can name in a table of judgments, beside the judges of a dimension.
JUDGMENT_ROLES = ("id", "system", "judge", "dimension", "value", "reference")
_USUAL = {*JUDGMENT_ROLES, "topic", "author", "annotator"}
_LONG = "id, system, dimension, value"
_WIDE = "id, system and one column of numbers per dimension"
# A column of judgments has a number in one of so many rows.
_ROWS_TO_SEE = 1000
# relevance_1, relevance-judge-2, relevance.annotator3: a dimension by one of several judges.
_JUDGE_COLUMN = re.compile(
    r"(.+?)[ _.-](?:(?:judge|annotator|rater|worker|expert)[ _.-]?)?(\d+)", re.IGNORECASE
)


class NoJudgmentsError(SummetryError):
    """There are none where some were looked for."""

    def __init__(self, path: Readable) -> None:
        super().__init__(
            f"{path}: expected judgments, found none; they are in a corpus, or in a table with "
            f"the columns {_LONG}, or {_WIDE}"
        )


@dataclass(frozen=True)
class _Layout:
    """Which columns of a table are what."""

    id: str
    system: str
    judge: str | None = None
    reference: str | None = None
    # Of a long table: the columns of the dimension's name and of the value.
    dimension: str | None = None
    value: str | None = None
    # Of each column with judgments: the dimension and the judge, each empty where the cells say it.
    marks: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    # The columns whose cells are objects, with what stands before the names of their dimensions.
    prefixes: Mapping[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    notes: str = ""


def judgments_at(
    judgments: Any, corpus: Corpus | None = None, columns: Mapping[str, str] | None = None
) -> Corpus:
    """A corpus as it is, or the judgments in a frame or a file (see :func:`read_judgments`)."""
    if isinstance(judgments, Corpus):
        return judgments
    frame = as_frame(judgments, "the judgments")
    place = frame or as_path("judgments", judgments, "a corpus, a frame or a path")
    return read_judgments(place, ReadOptions(columns=columns or {}), corpus)


def read_judgments(
    path: Readable, options: ReadOptions | None = None, corpus: Corpus | None = None
) -> Corpus:
    """A corpus with the judgments at ``path``: ``corpus`` with these instead of its own.

    Without a corpus it has the topics that the judgments name, and nothing else of them.
    """
    reading = options or ReadOptions()
    if isinstance(path, Frame):
        return _read_table(path, reading, corpus)
    form = recognise(path)
    is_own = form.name not in ("table", "scu_table", "plain")
    is_table = is_judgments(path, reading.columns) or bool(reading.has_classes)
    if not is_own and is_table:
        return _read_table(path, reading, corpus)
    if form.name == "table":
        # What cannot be read is not a table without judgments: say so.
        _layout(list(islice(read_cells(path), _ROWS_TO_SEE)), reading.columns, {})
    # A table of summaries has none, and its reader would ask for other columns.
    judged = form.read(path, reading) if form.name != "table" else None
    if judged is None or not judged.judgments:
        raise NoJudgmentsError(path)
    if corpus is None:
        return judged
    return replace(
        corpus, judgments=judged.judgments, scales=judged.scales, problems=judged.problems
    )


def _read_table(path: Readable, reading: ReadOptions, corpus: Corpus | None) -> Corpus:
    scales = dict(corpus.scales) if corpus else {}
    builder = CorpusBuilder(path.stem, scales=scales, on_error=reading.on_error)
    if reading.has_classes is False:
        builder.advice_on_words = "--alignment accuracy takes words as classes"
    known = {topic.id: topic for topic in corpus.topics} if corpus else {}
    topics: dict[str, Topic] = {}
    rows = list(read_cells(path, builder.report))
    layout = _layout(rows, reading.columns, scales)
    if reading.has_classes and (classes := _classes(rows, layout, reading.columns)):
        scales = builder.head["scales"] = classes | scales
        layout = _layout(rows, reading.columns, scales)
    found: list[tuple[Place, Judgment]] = []
    for place, cells in rows:
        with builder.reporting():
            topic = _topic(cells, layout, known, place)
            if topics.setdefault(topic.id, topic) != topic:
                expected = f"the same genre and group in all rows of topic {topic.id!r}"
                builder.report(FormatError(place, expected, f"{topic.genre!r} and {topic.group!r}"))
            # A row counts as a whole: what follows a broken cell may be shifted.
            found += [(place, one) for one in _judgments(cells, layout, scales, place)]
    for topic in topics.values():
        builder.add("topics", topic, Place(str(path)))
    if layout.notes:
        warn_at(path, layout.notes)
    if layout.judge is None:
        found = _with_numbered_judges(found, path)
    for place, judgment in found:
        builder.add("judgments", judgment, place)
    judged = builder.build()
    if not judged.judgments:
        raise NoJudgmentsError(path)
    problems = judged.problems
    if layout.left_out:
        names = ", ".join(map(repr, layout.left_out))
        problems = (*problems, f"{path}: columns that are no judgments: {names}")
    return replace(
        corpus or judged, judgments=judged.judgments, scales=judged.scales, problems=problems
    )


def _classes(
    rows: Sequence[tuple[Place, Cells]], layout: _Layout, columns: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """The words that are given on each dimension, in alphabetical order."""
    words: dict[str, set[str]] = {}
    given = _given(columns)
    for _, cells in rows:
        marks = {name: cells.get(name) for name in layout.left_out}
        if layout.dimension and layout.value:
            marks = {str(cells.get(layout.dimension)): cells.get(layout.value)}
        for name, cell in marks.items():
            if isinstance(cell, str) and cell and not _is_number(cell):
                words.setdefault(given.get(name, name), set()).add(cell)
    # Reasons, which a judge gives beside its marks, do not repeat.
    return {name: tuple(sorted(of)) for name, of in words.items() if len(of) <= len(rows) / 2}


def is_judgments(path: Path, columns: Mapping[str, str] | None = None) -> bool:
    """Whether a file is a table of judgments, by its first rows."""
    if not path.is_file() or not kind_of_table(path):
        return False
    rows: list[tuple[Place, Cells]] = []
    try:
        rows = first_cells(path, _ROWS_TO_SEE)
        layout = _layout(rows, columns or {}, {}) if rows else None
    except FormatError as error:
        # A column that is missing in what is a table of judgments otherwise is named later.
        return bool(rows) and error.expected.endswith(_WIDE) and "dimension" in rows[0][1]
    return layout is not None and bool(layout.dimension or layout.marks or layout.prefixes)


def is_list_of_judgments(path: Readable, columns: Mapping[str, str] | None = None) -> bool:
    """Whether a table has a row for each judgment, which names its dimension and its value."""
    if isinstance(path, Path) and not (path.is_file() and kind_of_table(path)):
        return False
    try:
        layout = _layout(first_cells(path, LOOKED_AT), columns or {}, {})
    except FormatError:
        return False
    return bool(layout.dimension and layout.value)


def _layout(
    rows: Sequence[tuple[Place, Cells]], columns: Mapping[str, str], scales: Collection[str]
) -> _Layout:
    """Which columns are what, by their names and by what they hold."""
    if not rows:
        return _Layout("id", "system")
    place = rows[0][0]
    names = list(dict.fromkeys(name for _, cells in rows for name in cells))
    asked = columns_of_roles(columns, JUDGMENT_ROLES)
    found = {role: column_for(role, names, asked, place) for role in ("id", "system", "judge")}
    dimension = column_for("dimension", names, asked, place)
    value = column_for("value", names, asked, place) if dimension else None
    for role in ("id", "system"):
        if found[role] is None:
            expected = f"the columns {_LONG}, or {_WIDE}"
            advice = naming_advice([cells for _, cells in rows[:LOOKED_AT]])
            advice = f"say {advice}" if advice else f"--columns {role}=NAME names it"
            raise FormatError(place, expected, f"no {role!r}", advice)
    judge = found["judge"]
    reference = asked.get("reference", "reference")
    is_name = "reference" in asked or bool(dimension and value)
    # Else a column of numbers is a dimension.
    if not is_name and any(_is_number(cells.get(reference)) for _, cells in rows):
        reference = ""
    apart = {*found.values(), dimension, value, reference, "genre", "group", ""}
    others = [name for name in names if name not in apart and not name.startswith("Unnamed: ")]
    roles = [(role, found[role]) for role in found] + [("dimension", dimension), ("value", value)]
    usual = {*_USUAL, *asked.values()}
    taken = [([name], f"the {role}") for role, name in roles if name and name not in usual]
    head = str(found["id"]), str(found["system"]), judge
    whole = _Layout(*head, reference if reference in names else None, dimension, value)
    if dimension and value:
        return replace(whole, notes=taken_in_words(taken))
    cells_of = {name: [cells.get(name) for _, cells in rows] for name in (*others, judge) if name}
    if judge and any(isinstance(_decoded(cell), list | dict) for cell in cells_of[judge]):
        # The judges and what they say are in the cells of this column.
        others, judge = [judge], None
    layout = _wide(replace(whole, judge=judge), others, cells_of, columns, scales, taken)
    if dimension and not layout.marks:
        raise FormatError(place, f"the columns {_LONG}, or {_WIDE}", "no 'value'")
    return layout


def _wide(
    layout: _Layout,
    others: Sequence[str],
    cells_of: Mapping[str, Sequence[Any]],
    columns: Mapping[str, str],
    scales: Collection[str],
    taken: Sequence[tuple[Sequence[str], str]],
) -> _Layout:
    """The columns of judgments of a table with one row per summary, or per summary and judge."""
    given = _given(columns)
    asked = columns_of_roles(columns, ("dimension",)).get("dimension", "").split("+")
    mine = [name for name in asked if name in others] or others
    mine = [name for name in given if name in others] or mine
    objects = [n for n in mine if any(_is_object(_decoded(cell)) for cell in cells_of[n])]
    plain = [
        name
        for name in mine
        if name not in objects
        and (given.get(name, name) in scales or any(map(_is_number, _flat(cells_of[name]))))
    ]
    marks = {name: (name, "") for name in plain}
    taken = list(taken)
    if layout.dimension:
        # One row per summary and dimension, and one column per judge.
        marks = {name: ("", name) for name in plain}
        taken.append((plain, "the judges"))
    elif given:
        marks = {name: (dimension, name) for name, dimension in given.items() if name in plain}
    elif layout.judge is None and mine == others:
        for dimension, judges in _by_judge(plain).items():
            taken.append(([*judges], f"judges on {dimension}"))
            marks |= {name: (dimension, judge) for name, judge in judges.items()}
    keys = {n: {key for cell in cells_of[n] for key in _keys(_decoded(cell))} for n in objects}
    counts = Counter([*(key for each in keys.values() for key in each), *plain])
    is_shared = any(counts[key] > 1 for each in keys.values() for key in each)
    prefixes = {name: f"{name}." if is_shared else "" for name in objects if keys[name]}
    left_out = tuple(name for name in others if name not in marks and name not in prefixes)
    words = taken_in_words([pair for pair in taken if pair[0]])
    return replace(layout, marks=marks, prefixes=prefixes, left_out=left_out, notes=words)


def _given(columns: Mapping[str, str]) -> dict[str, str]:
    """The dimension of each column that the user calls one of its judges."""
    return {
        name: dimension
        for dimension, names in columns.items()
        if not {dimension, names} & {*JUDGMENT_ROLES, *ROLES}
        for name in names.split("+")
    }


def _by_judge(names: Sequence[str]) -> dict[str, dict[str, str]]:
    """The columns that hold one dimension by several judges, each with its judge.

    >>> _by_judge(["relevance_1", "relevance_2", "fluency", "part_3"])
    {'relevance': {'relevance_1': '1', 'relevance_2': '2'}}
    """
    by_dimension: dict[str, dict[str, str]] = {}
    for name in names:
        if match := _JUDGE_COLUMN.fullmatch(name):
            by_dimension.setdefault(match[1], {})[name] = match[2]
    return {dimension: mine for dimension, mine in by_dimension.items() if len(mine) > 1}


def _decoded(cell: Any) -> Any:
    """A cell; a list or an object that stands in it as JSON is taken out of it."""
    if isinstance(cell, str) and cell[:1] in ("[", "{"):
        try:
            return msgspec.json.decode(cell)
        except msgspec.DecodeError:
            return cell
    return cell


def _is_object(cell: Any) -> bool:
    parts = cell if isinstance(cell, list) else [cell]
    return bool(parts) and all(isinstance(part, dict) for part in parts)


def _keys(cell: Any) -> Iterator[str]:
    """The dimensions of an object, or of a list of objects: what has a number."""
    for part in cell if isinstance(cell, list) else [cell]:
        if isinstance(part, dict):
            yield from (key for key, value in part.items() if any(map(_is_number, _flat([value]))))


def _flat(cells: Sequence[Any]) -> Iterator[Any]:
    """The cells, and what is in those that are lists."""
    for cell in map(_decoded, cells):
        yield from cell if isinstance(cell, list) else [cell]


def _is_number(cell: Any) -> bool:
    number = number_in(cell)
    return number is not None and math.isfinite(number)


def _named(cells: Cells, column: str, place: Place) -> str:
    if cells.get(column) in (None, ""):
        raise FormatError(place, f"a name as {column}", "none")
    return str(cells[column])


def _topic(cells: Cells, layout: _Layout, known: Mapping[str, Topic], place: Place) -> Topic:
    """The topic of a row, of the corpus if that has it."""
    name = _named(cells, layout.id, place)
    genre, group = (str(cells.get(key) or "") for key in ("genre", "group"))
    return known.get(name) or Topic(name, genre=genre, group=group)


def _judgments(
    cells: Cells, layout: _Layout, scales: Collection[str], place: Place
) -> Iterator[Judgment]:
    """The judgments of a row, beside the reference that it names."""
    cell = cells.get(layout.reference or "")
    reference = str(cell) if isinstance(cell, str | int) else ""
    for judgment in _marks(cells, layout, scales, place):
        yield msgspec.structs.replace(judgment, reference=reference) if reference else judgment


def _marks(
    cells: Cells, layout: _Layout, scales: Collection[str], place: Place
) -> Iterator[Judgment]:
    whose = _named(cells, layout.id, place), _named(cells, layout.system, place)
    who = str((cells.get(layout.judge) if layout.judge else None) or "")
    row_dimension = str(cells.get(layout.dimension)) if layout.dimension else ""
    if layout.value:
        value = _value(cells.get(layout.value), place)
        yield Judgment(*whose, who, row_dimension, value)
        return
    for name, (dimension, judge) in layout.marks.items():
        dimension = dimension or row_dimension
        for number, cell in _numbered(_decoded(cells.get(name))):
            if cell is None or cell == "" or cell != cell:
                continue
            if not (_is_number(cell) or dimension in scales):
                found = shorten(cell) if isinstance(cell, str) else repr(cell)
                expected = f"a number as {name}, or nothing"
                raise FormatError(place, expected, found, about_comma(cell))
            yield Judgment(*whose, judge or who or number, dimension, _value(cell, place))
    for name, prefix in layout.prefixes.items():
        for number, part in _numbered(_decoded(cells.get(name))):
            for key, marked in part.items() if isinstance(part, dict) else ():
                for inner, cell in _numbered(marked):
                    if _is_number(cell):
                        judge = number or inner
                        yield Judgment(*whose, judge, f"{prefix}{key}", _value(cell, place))


def _numbered(cell: Any) -> list[tuple[str, Any]]:
    """What is in a list, each with its number as the name of a judge; another cell is alone."""
    if isinstance(cell, list):
        return [(str(number), part) for number, part in enumerate(cell, start=1)]
    return [("", cell)]


def _with_numbered_judges(
    found: Sequence[tuple[Place, Judgment]], path: Readable
) -> list[tuple[Place, Judgment]]:
    """Judgments in which several rows of one summary are those of judges 1, 2, ..."""

    counts = Counter(identity(judgment) for _, judgment in found)
    most = max(counts.values(), default=1)
    if most == 1 or any(judgment.judge for _, judgment in found):
        return list(found)
    warn_at(
        path,
        f"no column says who judged, and a summary has up to {counted(most, 'row')}: they are "
        f"taken for judges 1 to {most}, in their order; --columns judge=NAME names the column",
    )
    seen: Counter[tuple[object, ...]] = Counter()
    numbered = []
    for place, judgment in found:
        seen[identity(judgment)] += 1
        judge = str(seen[identity(judgment)])
        numbered.append((place, msgspec.structs.replace(judgment, judge=judge)))
    return numbered


def _value(cell: Any, place: Place) -> Number | str:
    """A number where it reads as one, else the letter."""
    if isinstance(cell, str):
        return float(cell) if _is_number(cell) else cell
    if not isinstance(cell, int | float) or not _is_number(cell):
        raise FormatError(place, "a number or a letter as value", repr(cell))
    return cell
