"""Results as plain data: what ``--json`` prints and what the web page's API answers."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import msgspec

from summetry.records.scores import plain_number


def as_data(results: Any) -> Any:
    """``results`` in what JSON has: a record becomes a dict, an undefined number None.

    >>> as_data({"value": (float("nan"), float("inf"), 0.5), "path": Path("a.txt")})
    {'value': [None, 'inf', 0.5], 'path': 'a.txt'}
    """
    if is_dataclass(results):
        results = {field.name: getattr(results, field.name) for field in fields(results)}
    elif isinstance(results, msgspec.Struct):
        results = msgspec.structs.asdict(results)
    elif hasattr(results, "_asdict"):
        results = results._asdict()
    if isinstance(results, dict):
        return {name: as_data(value) for name, value in results.items()}
    if isinstance(results, list | tuple):
        return [as_data(value) for value in results]
    if isinstance(results, Path):
        return str(results)
    return plain_number(results) if isinstance(results, float) else results
