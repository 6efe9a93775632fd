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
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from summetry.errors import FormatError, Place, SummetryError
from summetry.formats._writing import losses
from summetry.formats.duc.markup import read_old_text
from summetry.formats.duc.names import UNKNOWN, role_of
from summetry.records.base import Number
from summetry.records.builder import CorpusBuilder
from summetry.records.corpus import Corpus
from summetry.records.judgments import Judgment
from summetry.records.summaries import Role

_TABLE = re.compile(r"(?:.*\.)?manual\.(peer|model)s?(?:\.[A-Za-z])?(?:\.txt)?")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,3})?|-?\.[0-9]+")
_NOTHING = (UNKNOWN, "nan", "NaN", "NA")
MODEL_SCUS = "model_scus"
# The dimensions before the assessors, and those after them.
DIMENSIONS: dict[Role, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "candidate": (
        ("modified_pyramid", "scus", "repetitions"),
        ("modified_pyramid_jackknifed", "linguistic_quality", "responsiveness"),
    ),
    "reference": (
        ("scus_jackknifed",),
        ("modified_pyramid_jackknifed", "linguistic_quality", "responsiveness"),
    ),
}
_JUDGED = ("linguistic_quality", "responsiveness")
_ASSESSORS = (1, 2)
# Whole numbers of more digits are not read as such; infinite ones not at all.
_TOO_LARGE = 10**18


def table_role(name: str) -> Role | None:
    """Whose table a file of this name is, or None.

    >>> table_role("manual.peer.A"), table_role("manual.model"), table_role("manual.peer.A.avg")
    ('candidate', 'reference', None)
    """
    found = _TABLE.fullmatch(name)
    if not found:
        return None
    return "reference" if found[1] == "model" else "candidate"


def read_table(path: Path, role: Role, builder: CorpusBuilder) -> list[tuple[Place, Judgment]]:
    """The judgments of a table; a line that does not fit is reported."""
    found: list[tuple[Place, Judgment]] = []
    for number, line in enumerate(read_old_text(path).split("\n"), start=1):
        cells = line.split()
        place = Place(str(path), number)
        try:
            if cells:
                found += [(place, judgment) for judgment in _judgments(cells, role, place)]
        except FormatError as error:
            builder.report(error)
    return found


def _judgments(cells: Sequence[str], role: Role, place: Place) -> Iterator[Judgment]:
    before, after = DIMENSIONS[role]
    least = 2 + len(before) + len(after)
    counts = [least + more for more in _ASSESSORS]
    if len(cells) not in counts:
        wanted = f"{counts[0]} or {counts[1]} columns of manual.{role}"
        raise FormatError(place, wanted, str(len(cells)))
    topic, author = cells[:2]
    middle = cells[2 + len(before) : -len(after)]
    letters = [cell for cell in middle if not _NUMBER.fullmatch(cell)]
    counted = [cell for cell in middle if _NUMBER.fullmatch(cell)]
    judges = [letter if letter not in _NOTHING else "" for letter in letters] or [""]
    named = [*zip(before, cells[2:], strict=False), *((MODEL_SCUS, cell) for cell in counted[:1])]
    named += zip(after, cells[-len(after) :], strict=True)
    for dimension, cell in named:
        judge = judges[-1] if dimension in _JUDGED else judges[0]
        value = _value(cell, dimension, place)
        if value is not None:
            yield Judgment(topic, author, judge, dimension, value)


def _value(cell: str, dimension: str, place: Place) -> Number | None:
    if cell in _NOTHING:
        return None
    if not _NUMBER.fullmatch(cell):
        raise FormatError(place, f"a number as {dimension}", repr(cell))
    return int(cell) if re.fullmatch(r"-?[0-9]{1,18}", cell) else float(cell)


def written_tables(corpus: Corpus) -> tuple[dict[Role, str], list[str]]:
    """The tables of a corpus, and in words which judgments have no place in them."""
    # Who is both is judged as a peer.
    known = sorted(corpus.summaries, key=lambda summary: summary.role == "candidate")
    roles = {(summary.topic, summary.author): summary.role for summary in known}
    rows: dict[tuple[str, str], dict[str, Judgment]] = {}
    lost = 0
    for judgment in corpus.judgments:
        key = (judgment.topic, judgment.author)
        role = roles.setdefault(key, role_of(judgment.author))
        row = rows.setdefault(key, {})
        if _fits(judgment, role, row):
            row[judgment.dimension] = judgment
        else:
            lost += 1
    lines: dict[Role, str] = {}
    for (topic, author), row in rows.items():
        if row:
            role = roles[topic, author]
            lines[role] = lines.get(role, "") + _line(topic, author, role, row)
    why = "of other dimensions, or of several judges, or not in numbers"
    return lines, losses({("judgment", why): lost})


def _fits(judgment: Judgment, role: Role, row: Mapping[str, Judgment]) -> bool:
    before, after = DIMENSIONS[role]
    # One judge for the pyramid and one for the rest is all that a line can name.
    kind = [d for d in (*before, *after) if (d in _JUDGED) == (judgment.dimension in _JUDGED)]
    others = {row[d].judge for d in kind if d in row}
    return (
        judgment.dimension in kind
        and judgment.dimension not in row
        and not isinstance(judgment.value, str)
        and abs(judgment.value) < _TOO_LARGE
        and others <= {judgment.judge}
        and judgment.judge == "".join(judgment.judge.split())
        and not _NUMBER.fullmatch(judgment.judge)
        and judgment.judge not in _NOTHING
    )


def _line(topic: str, author: str, role: Role, row: Mapping[str, Judgment]) -> str:
    for name in (topic, author):
        if not name or name.split() != [name]:
            raise SummetryError(
                f"{name!r} cannot stand in a table whose columns are separated by blanks; rename "
                f"it, or use another format"
            )
    before, after = DIMENSIONS[role]
    values = {d: repr(row[d].value) if d in row else UNKNOWN for d in (*before, *after)}
    quality = {row[d].judge for d in row if d in _JUDGED} or {""}
    pyramid = {row[d].judge for d in row if d not in _JUDGED} or {""}
    judges = [judge or UNKNOWN for judge in (*pyramid, *quality)]
    cells = [topic, author, *(values[d] for d in before), *judges, *(values[d] for d in after)]
    return "\t".join(cells) + "\n"
