"""Signatures: what others need in order to reproduce a number.

    unit_overlap(n=2)|refs:3,mean|data:9f3a1c07e2|v:0.1.0

The first part is a spelling, so it can be given back to ``--metric`` as it stands. A
signature is complete before anything is scored: it depends on settings and inputs only.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from summetry.errors import SummetryError


class Signature(msgspec.Struct, frozen=True):
    """The settings behind a value, in the order they are written; empty ones are left out."""

    metric: str
    text: str = ""
    refs: str = ""
    data: str = ""
    seed: str = ""
    # The distribution that a metric was plugged in by, with its version.
    plugin: str = ""
    v: str = ""

    def __str__(self) -> str:
        rest = {key: getattr(self, key) for key in self.__struct_fields__[1:]}
        return "|".join(
            [_escape(self.metric), *(f"{k}:{_escape(v)}" for k, v in rest.items() if v)]
        )

    @classmethod
    def parse(cls, line: str) -> Signature:
        metric, *rest = line.split("|")
        known = cls.__struct_fields__[1:]
        parts: dict[str, str] = {}
        for part in rest:
            key, colon, value = part.partition(":")
            if not colon or key not in known or key in parts:
                raise SummetryError(
                    f"not a signature: {line!r}: after the spelling it has each of "
                    f"{', '.join(f'{name}:' for name in known)} at most once, found {part!r}"
                )
            parts[key] = _unescape(value)
        return cls(_unescape(metric), **parts)


def fingerprint(parts: Iterable[bytes]) -> str:
    """Ten hex digits that change when any part, or the order of parts, changes.

    >>> fingerprint([b"ab", b"c"]) == fingerprint([b"a", b"bc"])
    False
    """
    # Most calls need none of it.
    from hashlib import sha256

    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()[:10]


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("|", "%7C")


def _unescape(text: str) -> str:
    return text.replace("%7C", "|").replace("%25", "%")
