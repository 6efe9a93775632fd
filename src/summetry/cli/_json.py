"""Results for programs: JSON on standard output."""

from __future__ import annotations

import json
import math
from typing import Any

import typer


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
