"""How assessors judged each summary at DUC 2002: coverage and quality, one line per summary.

    D901 M --------------- 050 44 J A C 19 1 0 0 0 2 0 0 0 0 0 0 0 0 0.50 6 4 2 8 0.325 0.300 ...

The 33 columns: docset, M or P, document (dashes for M), length, words of the peer, selector, author
of the model, assessor, peer, a count of the questions, the answers to 12 questions on quality, the
share of unmarked units that are related, the units of the peer (all, marked, unmarked), the units
of the model, then mean, median and standard deviation of the coverage and of the coverage that is
adjusted for length. What stands before the first such line explains it. ``-`` is no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from summetry.errors import FormatError, Place
from summetry.formats.duc.names import SummaryName, known, plain_length
from summetry.formats.texts import read_columns
from summetry.records.base import Number
from summetry.records.builder import CorpusBuilder

_DOCSET = re.compile(r"[A-Za-z]*[0-9]+[a-z]?")
_DASHES = re.compile(r"-+")
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?|-?\.[0-9]+")
NO_VALUE = ("-", "nan", "NaN", "NA")
# From the eleventh column on.
DIMENSIONS = (
    *(f"quality_{number}" for number in range(1, 13)),
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
    values: dict[str, Number]
    place: Place


def is_results(path: Path) -> bool:
    """Whether a file is such a table, by its name; that of extracts has other columns."""
    name = path.name.lower()
    return "results" in name and "table" in name and not name.startswith("extracts")


def read_results(path: Path, builder: CorpusBuilder) -> Iterator[Result]:
    """The lines of a table; one that does not fit is reported."""
    begun = False
    for place, cells in read_columns(path):
        if not begun and len(cells) > 2:
            begun = bool(_DOCSET.fullmatch(cells[0])) and cells[1] in ("M", "P")
        with builder.reporting():
            if begun:
                yield _result(cells, place)


def read_value(cell: str, dimension: str, place: Place) -> Number | None:
    """The number in a cell of a table of judgments, None where there is no value."""
    if cell in NO_VALUE:
        return None
    if not NUMBER.fullmatch(cell):
        raise FormatError(place, f"a number as {dimension}", repr(cell))
    return int(cell) if re.fullmatch(r"-?[0-9]{1,18}", cell) else float(cell)


def _result(cells: Sequence[str], place: Place) -> Result:
    if len(cells) != _WIDTH:
        raise FormatError(place, f"{_WIDTH} columns of coverage scores", str(len(cells)))
    docset, kind, document, length, _, selector, model, assessor, peer = cells[: _BEFORE - 1]
    if kind not in ("M", "P"):
        raise FormatError(place, "M or P as the second column", repr(kind))
    document = "" if _DASHES.fullmatch(document) else document
    if bool(document) != (kind == "P"):
        found = f"{kind} and {document or 'dashes'}"
        raise FormatError(place, "a document for P and dashes for M", found)
    length, selector = plain_length(known(length)), known(selector).upper()
    name = SummaryName(docset, kind, length, selector, peer, document)
    values = {
        dimension: value
        for dimension, cell in zip(DIMENSIONS, cells[_BEFORE:], strict=True)
        if (value := read_value(cell, dimension, place)) is not None
    }
    return Result(name, known(assessor), known(model), values, place)
