"""How assessors judged each summary at DUC 2002: coverage and quality, a line a summary.

    D901 M --------------- 050 44 J A C 19 1 0 0 0 2 0 0 0 0 0 0 0 0 0.50 6 4 2 8 0.325 0.300 ...

The 33 columns: docset, M or P, document (dashes for M), length, words of the peer, selector, author
of the model, assessor, peer, a count of the questions, the answers to 12 questions on quality, the
share of unmarked units that are related, the units of the peer (all, marked, unmarked), the units
of the model, then mean, median and standard deviation of the coverage and of the coverage that is
adjusted for length. What stands before the first such line explains it. ``-`` is no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from summetry.errors import FormatError, Place
from summetry.formats.duc.markup import read_old_text
from summetry.formats.duc.names import UNKNOWN, SummaryName, known, plain_length
from summetry.records.builder import CorpusBuilder
from summetry.records.judgments import Judgment

_FIRST = re.compile(r"[A-Za-z]*[0-9]+[a-z]?\s+[MP]\s")
_DASHES = re.compile(r"-+")
_NUMBER = re.compile(r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_NOTHING = ("-", "nan", "NaN")
# Numbers of more digits are read as other ones.
_TOO_LARGE = 10**18
QUESTIONS = tuple(f"quality_{number}" for number in range(1, 13))
# From the eleventh column on.
DIMENSIONS = (
    *QUESTIONS,
    "related_unmarked_units",
    "peer_units",
    "marked_units",
    "unmarked_units",
    "model_units",
    "coverage",
    "coverage_median",
    "coverage_sd",
    "length_adjusted_coverage",
    "length_adjusted_coverage_median",
    "length_adjusted_coverage_sd",
)
_BEFORE = 10
_WIDTH = _BEFORE + len(DIMENSIONS)


class Result(NamedTuple):
    """What one assessor gave one summary, by a model."""

    name: SummaryName
    assessor: str
    model: str
    values: dict[str, int | float]
    place: Place


def is_results(path: Path) -> bool:
    """Whether a file is such a table, by its name; that of extracts has other columns."""
    return is_results_name(path.name)


def is_results_name(name: str) -> bool:
    name = name.lower()
    return "results" in name and "table" in name and not name.startswith("extracts")


def read_results(path: Path, builder: CorpusBuilder) -> Iterator[Result]:
    """The lines of a table; one that does not fit is reported."""
    begun = False
    for number, line in enumerate(read_old_text(path).split("\n"), start=1):
        begun = begun or bool(_FIRST.match(line))
        try:
            if begun and line.strip():
                yield _result(line.split(), Place(str(path), number))
        except FormatError as error:
            builder.report(error)


def _result(cells: Sequence[str], place: Place) -> Result:
    if len(cells) != _WIDTH:
        raise FormatError(place, f"{_WIDTH} columns of coverage scores", str(len(cells)))
    docset, kind, document, length, _, selector, model, assessor, peer = cells[: _BEFORE - 1]
    if kind not in ("M", "P"):
        raise FormatError(place, "M or P as the second column", repr(kind))
    document = "" if _DASHES.fullmatch(document) else document
    if bool(document) != (kind == "P"):
        wanted = "a document for P and dashes for M"
        raise FormatError(place, wanted, f"{kind} and {document or 'dashes'}")
    length, selector = plain_length(known(length)), known(selector).upper()
    name = SummaryName(docset, kind, length, selector, peer, document)
    values = {
        dimension: _value(cell, dimension, place)
        for dimension, cell in zip(DIMENSIONS, cells[_BEFORE:], strict=True)
        if cell not in _NOTHING
    }
    return Result(name, known(assessor), known(model), values, place)


def written_results(
    judgments: Iterable[Judgment],
    names: Mapping[str, SummaryName],
    words: Mapping[tuple[str, str], int],
) -> tuple[str, int]:
    """The table of judgments, and how many have no place in it.

    ``names`` are by topic; ``words`` says how long the summary of a topic by an author is.
    """
    rows: dict[tuple[str, str, str, str], dict[str, str]] = {}
    lost = 0
    for judgment in judgments:
        model = str(judgment.meta.get("model", ""))
        key = judgment.topic, judgment.author, judgment.judge, model
        row = rows.setdefault(key, {})
        has_line = bool(names[judgment.topic].kind)
        if has_line and _fits(judgment) and judgment.dimension not in row:
            row[judgment.dimension] = _written(judgment.value)
        else:
            lost += 1
    lines = [
        _line(names[topic], words.get((topic, author), 0), model, judge, author, row)
        for (topic, author, judge, model), row in rows.items()
        if row
    ]
    return "".join(lines), lost


def _fits(judgment: Judgment) -> bool:
    """Whether a line has a place for it: names without blanks, and a number."""
    model = judgment.meta.get("model", "")
    plain = (judgment.judge, model) if isinstance(model, str) else ("two words",)
    return (
        judgment.dimension in DIMENSIONS
        and judgment.author.split() == [judgment.author]
        and all(name != UNKNOWN and name == "".join(name.split()) for name in plain)
        and judgment.meta.keys() <= {"model"}
        and not isinstance(judgment.value, str)
        and abs(judgment.value) < _TOO_LARGE
    )


def _written(value: Any) -> str:
    """A number without an exponent, which such tables do not have."""
    return str(value) if isinstance(value, int) else format(Decimal(repr(value)), "f")


def _line(
    name: SummaryName, words: int, model: str, judge: str, author: str, row: Mapping[str, str]
) -> str:
    answers = sum(question in row for question in QUESTIONS)
    cells = [
        name.docset, name.kind, name.document or "-" * 15, name.length or UNKNOWN, str(words),
        name.selector or UNKNOWN, model or UNKNOWN, judge or UNKNOWN, author, str(answers),
        *(row.get(dimension, UNKNOWN) for dimension in DIMENSIONS),
    ]  # fmt: skip
    return " ".join(cells) + "\n"


def _value(cell: str, dimension: str, place: Place) -> int | float:
    if not _NUMBER.fullmatch(cell):
        raise FormatError(place, f"a number as {dimension}", repr(cell))
    return int(cell) if re.fullmatch(r"-?[0-9]{1,18}", cell) else float(cell)
