"""What NIST's assessors said of each summary at TAC, in tables without a header.

    manual.peer     D9901-A  1  0.500  4  1  C  D  0.475  4  3
    manual.model    D9901-A  A  7  C  D  0.900  5  5

    peers:   set, peer, modified pyramid score, SCUs, repetitions, assessors, modified pyramid
             score with one model less, linguistic quality, overall responsiveness
    models:  set, person, SCUs, assessors, modified pyramid score by the other models, linguistic
             quality, overall responsiveness

2008 has one assessor (who made the pyramid and judged), later years have two letters: the first
is taken as the pyramid's, the second as that of quality and responsiveness. A number among the
letters is the average number of SCUs of the models. ``-`` or ``NaN`` stands for no value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from summetry.errors import FormatError, Place
from summetry.formats.duc.results import NO_VALUE, NUMBER, read_value
from summetry.formats.texts import read_columns
from summetry.records.builder import CorpusBuilder
from summetry.records.judgments import Judgment

Judged: TypeAlias = Literal["peer", "model"]

_TABLE = re.compile(r"(?:.*\.)?manual\.(peer|model)s?(?:\.[A-Za-z])?(?:\.txt)?")
# The dimensions before the assessors, and those after them.
_BEFORE: dict[Judged, tuple[str, ...]] = {
    "peer": ("modified_pyramid", "scus", "repetitions"),
    "model": ("scus_jackknifed",),
}
_AFTER = ("modified_pyramid_jackknifed", "linguistic_quality", "responsiveness")
_NOT_OF_THE_PYRAMID = _AFTER[1:]


def judged_in(name: str) -> Judged | None:
    """Whom a table of this name judges, None if it is no such table.

    >>> judged_in("manual.peer.A"), judged_in("manual.model"), judged_in("manual.peer.A.avg")
    ('peer', 'model', None)
    """
    match = _TABLE.fullmatch(name)
    if not match:
        return None
    return "model" if match[1] == "model" else "peer"


def read_table(
    path: Path, judged: Judged, builder: CorpusBuilder
) -> Iterator[tuple[Place, Judgment]]:
    """The judgments of a table; a line that does not fit is reported."""
    for place, cells in read_columns(path):
        with builder.reporting():
            yield from [(place, judgment) for judgment in _judgments(cells, judged, place)]


def _judgments(cells: Sequence[str], judged: Judged, place: Place) -> Iterator[Judgment]:
    before = _BEFORE[judged]
    least = 2 + len(before) + 1 + len(_AFTER)
    if len(cells) not in (least, least + 1):
        expected = f"{least} or {least + 1} columns of manual.{judged}"
        raise FormatError(place, expected, str(len(cells)))
    topic, author = cells[:2]
    assessors = cells[2 + len(before) : -len(_AFTER)]
    judges = ["" if a in NO_VALUE else a for a in assessors if not NUMBER.fullmatch(a)] or [""]
    named = [
        *zip(before, cells[2:], strict=False),
        *[("model_scus", cell) for cell in assessors if NUMBER.fullmatch(cell)][:1],
        *zip(_AFTER, cells[-len(_AFTER) :], strict=True),
    ]
    for dimension, cell in named:
        judge = judges[-1] if dimension in _NOT_OF_THE_PYRAMID else judges[0]
        value = read_value(cell, dimension, place)
        if value is not None:
            yield Judgment(topic, author, judge, dimension, value)
