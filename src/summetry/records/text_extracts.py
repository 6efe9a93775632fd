"""How the sentences of extracts that were given as text were found in their sources.

A corpus keeps it in its ``meta`` where any of them was lost or found by best match only.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from summetry.records.base import Meta, Record

_KEY = "extracts_given_as_text"


class FoundExtract(Record, frozen=True):
    """An extract that was given as text: how many sentences were found exactly and after
    normalising, and those that were found by best match only, or not at all."""

    topic: str
    informant: str
    exact: int = 0
    normalised: int = 0
    near: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def sentences(self) -> int:
        return self.exact + self.normalised + len(self.near) + len(self.lost)


def found_extracts(meta: Meta) -> list[FoundExtract]:
    """The extracts of a corpus that were given as text, as far as its ``meta`` lists them."""
    try:
        return msgspec.convert(meta.get(_KEY, []), list[FoundExtract])
    except msgspec.ValidationError:
        return []


def with_found(meta: Meta, found: Iterable[FoundExtract]) -> Meta:
    """``meta`` with these extracts in place of those that it lists."""
    rest = {name: value for name, value in meta.items() if name != _KEY}
    kept = list(found)
    return rest | {_KEY: msgspec.to_builtins(kept)} if kept else rest
