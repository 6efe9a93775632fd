"""One fingerprint of data: the sum of a number for every summary that is scored.

A sum, so that neither the order of the summaries nor the parts in which they are read matter. It
covers what is scored, whichever form gave it: the candidate, its references, the source, the
language, and where there are units what people chose among them. Names of topics and systems are
left out, since texts that are given in Python have none. A source counts without its blanks: a
corpus keeps sentences, not what was between them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b

from summetry.records.batches import Comparison, Material, Side, TextColumns
from summetry.records.pyramids import said_by

# Numbers are added modulo 2 to this power; the last digits of the sum are shown.
_BITS = 64
_LAST_BITS = (1 << _BITS) - 1
_DIGITS = 10


def fingerprint_of(comparisons: Iterable[Comparison]) -> str:
    """The fingerprint of comparisons."""
    return fingerprint_of_sum(sum(_numbers(comparisons)))


def sum_of_texts(columns: TextColumns) -> int:
    """The sum of the numbers of plain texts, modulo 2 to the power of 64."""
    last, shared = None, _between(_material(columns.language, None))
    digests: list[bytes] = []
    for candidate, references, source in zip(*columns[:3], strict=True):
        # The summaries of a topic have the same source, which may be long.
        if source != last:
            last, shared = source, _between(_material(columns.language, source))
        if len(references) == 1:
            (behind,) = references
            line = f"{len(candidate)}:{candidate}{shared}{len(behind)}:{behind}"
        else:
            line = _line(candidate, shared, references)
        digests.append(_digest(line))
    numbers: tuple[int, ...] = struct.unpack(f">{len(digests)}Q", b"".join(digests))
    return sum(numbers) & _LAST_BITS


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
        digest = _digest(_line(candidate, _between(shared, _scus(comparison)), references))
        yield int.from_bytes(digest, "big")


def _line(candidate: str, between: str, references: Sequence[str]) -> str:
    # The order of references decides no value.
    behind = "".join([f"{len(text)}:{text}" for text in sorted(references)])
    return f"{len(candidate)}:{candidate}{between}{behind}"


def _between(material: str, scus: str = "") -> str:
    """What stands between a candidate and its references."""
    return f"{len(material)}:{material}{len(scus)}:{scus}"


def _material(language: str, source: str | None, said_of_units: str = "") -> str:
    texts = [language, said_of_units]
    if source is not None:
        texts.append("".join(source.split()))
    return _digest("".join([f"{len(text)}:{text}" for text in texts])).hex()


def _digest(line: str) -> bytes:
    # Texts have their lengths in front, so that no others make the same line.
    return blake2b(line.encode("utf-8", "surrogatepass"), digest_size=_BITS // 8).digest()


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
    scus = material.pyramid and sorted(
        (scu.id, scu.weight, scu.label) for scu in material.pyramid.scus
    )
    return repr((material.unit, material.units, extracts, utilities, scus))


def _scus(comparison: Comparison) -> str:
    pyramid, author = comparison.material.pyramid, comparison.candidate.author
    said = said_by(pyramid, author) if pyramid else None
    return "" if said is None else repr([part.scu for part in said])
