"""An audit as a heat map: metrics by perturbations, the tint by how well a metric sees one."""

from __future__ import annotations

import math
from dataclasses import replace

from summetry.audits.perturbations import Perturbation
from summetry.metaeval.audits import Audit, Cell
from summetry.metaeval.columns import short_name
from summetry.reports.pictures.heat_map import LEVELS, HeatColumn, HeatMap, heat_picture
from summetry.reports.pictures.picture import Picture

_CAPTION = (
    "Share of the pairs in which the worse text has the worse value, ties as half; the stronger "
    "the tint, the better. Without a tint: the interval contains 0.5 or is below it, so the metric "
    "cannot see the difference; or neither text need be the worse one (lead)."
)


def audit_picture(audit: Audit) -> Picture:
    """The shares of all metrics and perturbations."""
    columns = tuple(_column(audit, one) for one in audit.perturbations)
    names = tuple(short_name(column) for column in audit.columns)
    picture = heat_picture(HeatMap(names, columns))
    title = "How often does the worse text get the worse value?"
    sheet = replace(picture.sheet, name="audit", title=title)
    return replace(picture, caption=_CAPTION, sheet=sheet)


def _column(audit: Audit, one: Perturbation) -> HeatColumn:
    cells = [audit.cell(column, one) for column in audit.columns]
    shares = tuple(round(cell.share.value, 2) if cell else math.nan for cell in cells)
    levels = tuple(level_of(cell) if cell else None for cell in cells)
    return HeatColumn(one.name.replace("_", " "), "", shares, levels, (False,) * len(cells))


def level_of(cell: Cell) -> int | None:
    """The tint of a share that is above one half for certain: 1 to 5; none of others."""
    if not cell.is_seen:
        return None
    return max(math.ceil(LEVELS * (2 * cell.share.value - 1)), 1)
