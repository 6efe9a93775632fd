"""What all records share: frozen, no unknown fields, and a free ``meta`` that survives."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec

Meta: TypeAlias = dict[str, Any]

# A number that people gave. One that does not fit 64 bits could not be computed with.
_Whole: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
Number: TypeAlias = _Whole | float


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of a corpus file."""


def no_meta() -> Any:
    """The default of a field ``meta``: nothing."""
    return msgspec.field(default_factory=dict)
