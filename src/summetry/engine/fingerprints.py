"""One fingerprint of data: the sum of a number for every summary that is scored.

A sum, so that neither the order of the summaries nor the parts in which they are read matter. It
covers what is scored, whichever form gave it: the candidate, its references, the source, the
language, and where there are units what people chose among them. Names of topics and systems are
left out, since texts that are given in Python have none. A source counts without its blanks: a
corpus keeps sentences, not what was between them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from summetry.records.batches import Comparison, Material, Side, TextColumns
from summetry.records.pyramids import said_by

# Numbers are added modulo 2 to this power; the last digits of the sum are shown.
_BITS = 64
_DIGITS = 10


def fingerprint_of(comparisons: Iterable[Comparison]) -> str:
    """The fingerprint of comparisons."""
    return fingerprint_of_sum(sum(_numbers(comparisons)))


def sum_of_texts(columns: TextColumns) -> int:
    """The sum of the numbers of plain texts."""
    material = bare = _material(columns.language, None)
    last, total = None, 0
    for candidate, references, source in zip(*columns[:3], strict=True):
        # The summaries of a topic have the same source, which may be long.
        if source != last:
            material = bare if source is None else _material(columns.language, source)
            last = source
        total += _number(candidate, references, material)
    return total


def fingerprint_of_sum(total: int) -> str:
    """The fingerprint of comparisons whose numbers have this sum."""
    return f"{total % 2**_BITS:0{_DIGITS}x}"[-_DIGITS:]


def _numbers(comparisons: Iterable[Comparison]) -> Iterator[int]:
    last: Material | None = None
    for comparison in comparisons:
        # The comparisons of a topic share their material, which may be long.
        if comparison.material is not last:
            last = comparison.material
            shared = _material(last.language, last.source, _said_of_units(last))
        sides = (comparison.candidate, *comparison.references)
        candidate, *references = [f"{_units(side)}{side.text}" for side in sides]
        yield _number(candidate, references, shared, _scus(comparison))


def _number(candidate: str, references: Iterable[str], material: str, scus: str = "") -> int:
    # The order of references decides no value.
    digest = _digest(candidate, material, scus, *sorted(references))
    return int.from_bytes(digest[: _BITS // 8], "big")


def _material(language: str, source: str | None, said_of_units: str = "") -> str:
    if source is None:
        return _digest(language, said_of_units).hex()
    return _digest(language, said_of_units, "".join(source.split())).hex()


def _digest(*texts: str) -> bytes:
    # Lengths in front, so that no other texts make the same line.
    line = "".join(f"{len(text)}:{text}" for text in texts)
    return hashlib.sha256(line.encode("utf-8", "surrogatepass")).digest()


def _units(side: Side) -> str:
    if side.units is None and side.sentences is None:
        return ""
    return f"{side.units} {side.sentences} "


def _said_of_units(material: Material) -> str:
    """What people said of a topic's units, with these; whoever said it."""
    if not (material.extracts or material.utilities or material.pyramid):
        return ""
    extracts = sorted(extract.units for extract in material.extracts)
    utilities = sorted(utilities.values for utilities in material.utilities)
    scus = material.pyramid and sorted((scu.id, scu.weight) for scu in material.pyramid.scus)
    return repr((material.unit, material.units, extracts, utilities, scus))


def _scus(comparison: Comparison) -> str:
    pyramid, author = comparison.material.pyramid, comparison.candidate.author
    said = said_by(pyramid, author) if pyramid else None
    return "" if said is None else repr([part.scu for part in said])
