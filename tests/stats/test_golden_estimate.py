"""Every golden case of estimates from few judgments, field by field.

They come from a slow implementation with the standard library only.
"""

import math

import goldens
import numpy as np
import pytest

from summetry.stats.estimate import estimate

GOLDEN = goldens.golden("estimate.json") or {}
CASES = GOLDEN.get("cases", [])

# Another folder need not have this file; ours has it.
pytestmark = pytest.mark.skipif(
    not GOLDEN and goldens.FOLDER.name != "golden", reason="the folder has no estimate.json"
)

# The words of the golden file that are other ones here.
WORDS = {"n": "judged", "N": "topics", "lambda": "weights", "df": "freedom"}


def as_array(values):
    return np.array(values, dtype=np.float64)  # null becomes NaN


def found(judgments, proxies, scale=None, **settings):
    y = as_array(judgments)
    f = as_array(proxies).reshape(len(proxies), *y.shape)
    return estimate(y, f, scale=tuple(scale) if scale else None, **settings)


def same(got, expected, tolerance):
    if expected is None:
        return got is None or (isinstance(got, float) and math.isnan(got))
    if isinstance(expected, dict):
        return all(same(getattr(got, WORDS.get(n, n)), v, tolerance) for n, v in expected.items())
    if isinstance(expected, list):
        return len(got) == len(expected) and all(
            same(a, b, tolerance) for a, b in zip(got, expected, strict=True)
        )
    if isinstance(expected, float):
        return abs(got - expected) <= tolerance * max(1, abs(expected))
    return type(got) in (type(expected), float) and got == expected


def check(case, result):
    """Every field of every row; a message names the first that differs."""
    for part in ("means", "differences", "ranks"):
        rows, wanted = getattr(result, part), case["expected"][part]
        assert len(rows) == len(wanted), f"{case['name']}: {len(rows)} {part}"
        for row, expected in zip(rows, wanted, strict=True):
            for name, value in expected.items():
                got = getattr(row, WORDS.get(name, name))
                assert same(got, value, case["tolerance"]), (
                    f"{case['name']}: {part} {row[:2]}: {name} should be {value}, is {got}"
                )
    for name in ("saved_means", "saved_differences"):
        got, value = getattr(result, name), case["expected"][name]
        assert same(got, value, case["tolerance"]), (case["name"], name, got, value)


def test_every_golden_case_of_estimates(capsys):
    assert CASES
    for case in CASES:
        check(case, found(**case["input"]))
    with capsys.disabled():
        print(f"\nestimate: {len(CASES)} golden cases run")


def test_a_wrong_value_of_a_golden_case_is_noticed():
    case = {**CASES[0], "expected": {**CASES[0]["expected"], "saved_means": 0.5}}
    with pytest.raises(AssertionError, match="saved_means"):
        check(case, found(**case["input"]))
