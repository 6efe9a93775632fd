"""The jackknife of two metrics: by deleting rows and columns, missing cells, and what has no p."""

import math

import numpy as np
import pytest
from scipy import stats

from summetry.stats.jackknife import JackknifeTests, jackknife_test
from summetry.stats.levels import correlate

LEVELS = ("system", "summary", "global", "per_system")
COEFFICIENTS = ("pearson", "spearman", "tau_a", "tau_b")


def three_tables(systems=5, topics=5, missing=()):
    rng = np.random.default_rng(3)
    z = rng.normal(size=(systems, topics)) + rng.normal(size=(systems, 1))
    tables = [z + size * rng.normal(size=z.shape) for size in (0.5, 2)]
    for cell in missing:
        tables[1][cell] = np.nan
    return *tables, np.round(2 * z) / 2


def plain_p(x, y, z, *at):
    """Each row and each column deleted by numpy; the tail of Student's t by scipy."""
    x, y, z = (np.where(np.isnan(x + y + z), np.nan, table) for table in (x, y, z))

    def delta(*tables):
        a, b, human = tables
        return correlate(a, human, *at).value - correlate(b, human, *at).value

    variance = 0.0
    for axis in (0, 1):
        has_cell = ~np.isnan(z).all(axis=1 - axis)
        places = np.flatnonzero(has_cell)
        values = [delta(*(np.delete(t, k, axis) for t in (x, y, z))) for k in places]
        spread = sum((value - np.mean(values)) ** 2 for value in values)
        variance += (len(places) - 1) / len(places) * spread
    systems = (~np.isnan(z).all(axis=1)).sum()
    return 2 * stats.t.sf(abs(delta(x, y, z)) / math.sqrt(variance), systems - 1)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("missing", [(), [(0, 1), (2, 3), (4, 0), (1, slice(None))]])
def test_p_is_that_of_tables_without_a_row_or_a_column(level, missing):
    x, y, z = three_tables(missing=missing)
    other = np.random.default_rng(4).normal(size=z.shape)
    tests = JackknifeTests([x, y, other], [z, -z], level)
    for name in ("pearson", "spearman") if missing else COEFFICIENTS:
        expected = plain_p(x, y, z, level, name)
        single = jackknife_test(x, y, z, level, name)
        assert single.p == pytest.approx(expected, rel=1e-7)
        sides = (jackknife_test(x, y, z, level, name, alternative=a).p for a in ("greater", "less"))
        assert sum(sides) == pytest.approx(1)
        pairs = [(0, 1, 0), (1, 0, 0), (0, 1, 1), (0, 2, 0)]
        differences, p, reasons = tests.compare(pairs, name)
        assert p[:3] == pytest.approx([expected] * 3, rel=1e-7)
        value = single.value
        assert differences[:3] == pytest.approx([value, -value, -value], rel=1e-9)
        assert p[3] == pytest.approx(plain_p(x, other, z, level, name), rel=1e-7)
        assert reasons == [""] * 4


def test_leaving_out_is_counted_once_for_each_metric(monkeypatch):
    x = three_tables()[0]
    tests, calls = JackknifeTests([x] * 4, x, "global"), []
    redrawn = "summetry.stats.jackknife.redrawn"
    monkeypatch.setattr(redrawn, lambda x, *rest: calls.append(x) or np.zeros(rest[-1].draws))
    tests.compare([(i, k, 0) for i in range(4) for k in range(4)], "tau_b")
    # Each metric without systems, and without topics.
    assert len(calls) == 4 * 2


def test_equal_metrics_do_not_differ_and_what_cannot_be_tested_has_a_reason():
    x, y, z = three_tables()
    assert jackknife_test(x, 3 * x + 1, z, "global", "pearson").p == 1
    assert jackknife_test(x, x, z, "global", "tau_b", alternative="less").p == 0.5
    few = [table[:2] for table in (x, y, z)], [table[:, :1] for table in (x, y, z)]
    for tables, sizes in zip(few, ("2 and 5", "5 and 1"), strict=True):
        result = jackknife_test(*tables, "global", "pearson")
        words = f"the jackknife needs 3 systems and 2 topics or more, got {sizes}"
        assert math.isnan(result.p) and result.reason == words
        assert JackknifeTests(tables[:2], tables[2], "global").compare(
            [(0, 1, 0)], "pearson"
        ).reasons == [words]
    # Without the first system y is constant; and all of it is constant.
    step = np.zeros(z.shape)
    step[0] = 1
    result = jackknife_test(x, step, z, "system", "pearson")
    assert math.isnan(result.p) and result.reason.startswith("without one of the systems or topics")
    result = jackknife_test(x, 0 * x, z, "global", "pearson")
    assert math.isnan(result.p) and result.reason.startswith("r(Y, Z) is undefined")
    tests = JackknifeTests([x, 0 * x], z, "global")
    assert tests.compare([(0, 1, 0)], "pearson").reasons[0].startswith("one of both has no coeff")
    # 1 minus -1, whatever is left out: no variance is not certainty.
    result = jackknife_test(z, -z, z, "system", "tau_b")
    assert math.isnan(result.p) and "has no variance" in result.reason
