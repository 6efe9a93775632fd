"""What an audit found, as ``summetry audit -o`` writes it: one row per metric and perturbation.

metric,perturbation,expected,texts,topics,share,low,high,ties,seen,drop,drop_low,drop_high
rouge-1,shuffled,worse,54,9,0.5,0.5,0.5,1.0,no,0.0,0.0,0.0
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from summetry.errors import FormatError, Place
from summetry.formats import must_exist
from summetry.formats.cells import read_cells

_NAMES = ("metric", "perturbation", "share", "seen")


def read_audit(path: Path) -> list[dict[str, Any]]:
    """The rows of an audit, from CSV or JSON; a share that is undefined is None."""
    must_exist(path)
    if path.suffix.lower() == ".json":
        rows = [(Place(str(path)), cells) for cells in _rows(path)]
    else:
        rows = [(place, dict(cells)) for place, cells in read_cells(path)]
    if not rows:
        raise FormatError(Place(str(path)), "an audit", "no rows", "summetry audit -o makes one")
    return [_record(place, cells) for place, cells in rows]


def _rows(path: Path) -> list[dict[str, Any]]:
    try:
        whole = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        whole = None
    sheet = whole.get("audit") if isinstance(whole, dict) else None
    rows = sheet.get("rows") if isinstance(sheet, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _record(place: Place, cells: dict[str, Any]) -> dict[str, Any]:
    missing = [name for name in _NAMES if name not in cells]
    if missing:
        raise FormatError(
            place, f"the columns {', '.join(_NAMES)}", f"no {missing[0]}", "is it an audit's table?"
        )
    share = cells["share"]
    try:
        number = None if share in (None, "") else float(share)
    except (TypeError, ValueError):
        raise FormatError(place, "a number as share", repr(share)) from None
    return {**cells, "share": number}
