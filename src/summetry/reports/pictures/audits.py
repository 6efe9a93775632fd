"""An audit as a heat map: metrics by perturbations, the tint by how well a metric sees one.

A metric that prefers the worse text has a tint of another colour and the mark that tables have.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from summetry.reports.pictures.heat_map import LEVELS, HeatColumn, HeatMap, heat_picture
from summetry.reports.pictures.picture import Picture

_TITLE = "How often does the worse text get the worse value?"
_CAPTION = (
    "Share of the pairs in which the worse text has the worse value, ties as half; the stronger "
    "the blue tint, the better. Red with !: the interval is below 0.5, so the metric prefers the "
    "worse text. Without a tint and with ?: the interval contains 0.5, so it may be chance; "
    "without both: neither text need be the worse one (lead)."
)


# What stands before a share that does not show that the metric sees the difference.
SIGNS = {"no": "?", "reversed": "!"}


@dataclass(frozen=True)
class _Shares(HeatColumn):
    """A perturbation, whose shares all have two digits."""

    @property
    def digits(self) -> int:
        return 2


def audit_picture(records: Sequence[Mapping[str, Any]]) -> Picture:
    """The shares of an audit, from one record per metric and perturbation."""
    metrics = tuple(dict.fromkeys(record["metric"] for record in records))
    names = dict.fromkeys(record["perturbation"] for record in records)
    cells = {(record["perturbation"], record["metric"]): record for record in records}
    columns = tuple(_column(name, [cells.get((name, one)) for one in metrics]) for name in names)
    picture = heat_picture(HeatMap(metrics, columns))
    sheet = replace(picture.sheet, name="audit", title=_TITLE)
    return replace(picture, caption=_CAPTION, sheet=sheet)


def _column(name: str, cells: Sequence[Mapping[str, Any] | None]) -> HeatColumn:
    shares = tuple(math.nan if c is None or c["share"] is None else c["share"] for c in cells)
    levels = tuple(level_of(c["share"]) if c and c["seen"] == "yes" else None for c in cells)
    signs = tuple(SIGNS.get(c["seen"], "") if c else "" for c in cells)
    mistaken = tuple(sign == SIGNS["reversed"] for sign in signs)
    none = (False,) * len(cells)
    heading = name.replace("_", " ")
    return _Shares(heading, "", shares, levels, none, signs=signs, mistaken=mistaken)


def level_of(share: float) -> int:
    """The tint of a share that is above one half for certain.

    >>> level_of(0.51), level_of(0.75), level_of(1.0)
    (1, 3, 5)
    """
    return max(math.ceil(LEVELS * (2 * share - 1)), 1)
