"""One fingerprint of data: the sum of a number for every summary that is scored.

A sum, so that neither the order of the summaries nor the parts in which they are read matter. It
covers what is scored, whichever form gave it: the candidate, its references, the source, the
language, and where there are units what people chose among them. Names of topics and systems are
left out, since texts that are given in Python have none. A source counts without its blanks: a
corpus keeps sentences, not what was between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, repeat

from xxhash import xxh3_64_intdigest

from summetry.records.batches import Comparison, Material, Side, TextColumns
from summetry.records.pyramids import Pyramid, said_by

# Numbers are added modulo 2 to this power; the last digits of the sum are shown.
_BITS = 64
_LAST_BITS = (1 << _BITS) - 1
_DIGITS = 10


def fingerprint_of(comparisons: Iterable[Comparison]) -> str:
    """The fingerprint of comparisons."""
    return fingerprint_of_sum(sum(_numbers(comparisons)))


def sum_of_texts(columns: TextColumns) -> int:
    """The sum of the numbers of plain texts, modulo 2 to the power of 64."""
    numbers = _numbers_of(columns.candidates, _materials(columns))
    references = columns.references
    if {1}.issuperset(map(len, references)):
        # As nearly always: then Python goes through no row.
        return sum(_numbers_of(list(chain.from_iterable(references)), numbers)) & _LAST_BITS
    return sum(map(_number, numbers, references)) & _LAST_BITS


def _numbers_of(texts: Sequence[str], before: Iterable[int]) -> Iterator[int]:
    """:func:`number_of` of each text."""
    try:
        return map(xxh3_64_intdigest, list(map(str.encode, texts)), before)
    except UnicodeEncodeError:
        return map(number_of, texts, before)


def _materials(columns: TextColumns) -> Iterator[int]:
    """The number of what comes before each candidate: the language and the source."""
    # The summaries of a topic have the same source, which may be long.
    for source, rows in groupby(columns.sources):
        yield from repeat(number_of("", _material(columns.language, source)), len(list(rows)))


def number_of(text: str, before: int = 0) -> int:
    """A number of 64 bits for a text after others, of which the last has the number ``before``.

    It is the same on every machine, and others hardly ever have the same one. Nobody gains by
    forging a text, and a digest that prevents it takes ten times as long.
    """
    return xxh3_64_intdigest(text.encode("utf-8", "surrogatepass"), before)


def fingerprint_of_sum(total: int) -> str:
    """The fingerprint of comparisons whose numbers have this sum."""
    return f"{total % 2**_BITS:0{_DIGITS}x}"[-_DIGITS:]


def _numbers(comparisons: Iterable[Comparison]) -> Iterator[int]:
    last: Material | None = None
    for comparison in comparisons:
        # The comparisons of a topic share their material, which may be long.
        if comparison.material is not last:
            last = comparison.material
            material = _material(last.language, last.source, _said_of_units(last))
        sides = (comparison.candidate, *comparison.references)
        candidate, *references = [f"{_units(side)}{side.text}" for side in sides]
        scus = _expressed(comparison.material.pyramids, comparison.candidate.author)
        yield _number(number_of(candidate, number_of(scus, material)), references)


def _material(language: str, source: str | None, said_of_units: str = "") -> int:
    # What follows is told apart by what is said first: how long it is, and whether it is there.
    number = number_of(f"{len(language)} {source is not None} {language}{said_of_units}")
    return number if source is None else number_of("".join(source.split()), number)


def _number(number: int, references: Sequence[str]) -> int:
    """The number of a candidate's references after its own."""
    # Their order decides no value.
    for text in references if len(references) == 1 else sorted(references):
        number = number_of(text, number)
    return number


def _units(side: Side) -> str:
    if side.units is None and side.sentences is None:
        return ""
    return f"{side.units} {side.sentences} "


def _said_of_units(material: Material) -> str:
    """What people said of a topic's units, with these; whoever said it."""
    if not (material.extracts or material.utilities or material.pyramids):
        return ""
    extracts = sorted(extract.units for extract in material.extracts)
    utilities = sorted(utilities.values for utilities in material.utilities)
    scus = sorted(
        sorted((scu.id, scu.weight, scu.label) for scu in pyramid.scus)
        for pyramid in material.pyramids
    )
    return repr((material.unit, material.units, extracts, utilities, *(scus or (None,))))


def _expressed(pyramids: Sequence[Pyramid], author: str) -> str:
    """The SCUs that an author expresses; of several annotators, who says so."""
    marks = [(p.annotator * (len(pyramids) > 1), said_by(p, author)) for p in pyramids]
    return "".join(
        sorted(f"{who}{[part.scu for part in said]}" for who, said in marks if said is not None)
    )
