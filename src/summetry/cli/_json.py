"""Results for programs: JSON on standard output."""

from __future__ import annotations

import json
import math
from typing import Any

import typer

from summetry.engine.run import Run
from summetry.records.scores import Column, SystemMeans


def print_json(found: Any) -> None:
    """Print ``found`` as JSON that every program reads; an undefined number is null."""
    typer.echo(json.dumps(without_nan(found), ensure_ascii=False, indent=2, allow_nan=False))


def without_nan(found: Any) -> Any:
    """``found`` with None for every undefined number, since JSON has no NaN.

    >>> without_nan({"value": [math.nan, 0.5]})
    {'value': [None, 0.5]}
    """
    if isinstance(found, dict):
        return {name: without_nan(value) for name, value in found.items()}
    if isinstance(found, list | tuple):
        return [without_nan(value) for value in found]
    return None if isinstance(found, float) and math.isnan(found) else found


def systems_as_json(run: Run, means: SystemMeans) -> dict[str, Any]:
    """Means by system with everything a program may ask."""
    numbers = (means.topics(), means.means(), means.undefined())
    systems = []
    for names, topics, mean, undefined in zip(
        means.systems(), *(part.tolist() for part in numbers), strict=True
    ):
        systems.append(
            {
                **dict(zip(("protocol", "author", "role"), names, strict=True)),
                "topics": topics,
                "means": _nested(run.columns, mean),
                "undefined": _nested(run.columns, undefined),
            }
        )
    signatures = {column.metric: column.signature for column in run.columns}
    return {"systems": systems, "signatures": signatures, "notes": list(run.notes)}


def _nested(columns: tuple[Column, ...], numbers: list[float]) -> dict[str, dict[str, Any]]:
    by_metric: dict[str, dict[str, Any]] = {}
    for column, value in zip(columns, numbers, strict=True):
        by_metric.setdefault(column.metric, {})[column.value] = value
    return by_metric
