"""What all records share: frozen, no unknown fields, and a free ``meta`` that survives."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

Meta: TypeAlias = dict[str, Any]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One line of a corpus file."""


def no_meta() -> Any:
    """The default of a field ``meta``: nothing."""
    return msgspec.field(default_factory=dict)
