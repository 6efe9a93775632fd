"""Reading golden values, and comparing with them.

``null`` in ``expected`` is an undefined value; ``recommended`` says what to show instead.
"""

import json
import math
import os
from fractions import Fraction
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("SUMMETRY_GOLDEN") or Path(__file__).parent / "golden")

# Ids of papers.json and whole files that wait for their issue; empty when all are done.
NOT_YET: set[str] = set()


def golden(name):
    """The content of a golden file, or None where the folder does not have it."""
    path = FOLDER / name
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def wanted(case):
    """What our functions must give: the recommended value where the formula has none."""
    return {**case["expected"], **(case.get("recommended") or {})}


def check(case, found, tolerance, ignored=()):
    """Every expected number of a case, within its tolerance, and exact fractions too."""
    for name, value in wanted(case).items():
        if name in ignored:
            continue
        assert name in found, f"{case['id']}: no {name}"
        assert _same(found[name], value, tolerance), (
            f"{case['id']}: {name} should be {value}, is {found[name]}"
        )
        exact = (case.get("exact") or {}).get(name)
        if exact is not None:
            assert _same(found[name], float(Fraction(exact)), tolerance), (case["id"], name)


def _same(found, value, tolerance):
    if value is None:
        return math.isnan(found)
    if isinstance(value, dict):
        return all(name in found and _same(found[name], v, tolerance) for name, v in value.items())
    if isinstance(value, list):
        pairs = zip(found, value, strict=False)
        return len(found) == len(value) and all(_same(a, b, tolerance) for a, b in pairs)
    if not tolerance or isinstance(value, str):
        return found == value
    return found == pytest.approx(value, rel=tolerance, abs=tolerance)
