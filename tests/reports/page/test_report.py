"""Numbers as the page shows them before the script does."""

import math

import pytest

from summetry.reports.page.report import _3, _signed


@pytest.mark.parametrize(
    "number, plain, signed",
    [
        (0.25, "0.250", "+0.250"),
        (-0.25, "−0.250", "−0.250"),
        (0.0005, "0.001", "+0.001"),
        (0.0004, "0.000", "0.000"),
        (-0.0004, "0.000", "0.000"),
        (math.inf, "–", "–"),
        (-math.inf, "–", "–"),
        (math.nan, "–", "–"),
    ],
)
def test_what_is_shown_as_nothing_has_no_sign(number, plain, signed):
    assert (_3(number), _signed(number)) == (plain, signed)
