"""Metrics with each other, and how often they agree with people on pairs of systems."""

import math

import numpy as np
import pytest
from marked_tables import grid_marks, grid_scores, judged_corpus

from summetry.metaeval.accuracies import accuracies
from summetry.metaeval.correlation_tables import CorrelateSettings
from summetry.metaeval.matrix import matrices
from summetry.metaeval.selection import Selection, judged_parts
from summetry.stats.correlation import kendall_tau_b
from summetry.stats.pairwise import calibrated_accuracy, soft_pairwise_accuracy


def test_three_metrics_by_hand():
    """Means 1 2 3, 3 2 1 and 1 3 2: all pairs of the first two are opposite, and of the first and
    the third two of three agree."""
    tables = {"a": [[0, 2], [2, 2], [4, 2]], "b": [[3, 3], [2, 2], [1, 1]], "c": [[1], [3], [2]]}
    tables["c"] = np.repeat(tables["c"], 2, axis=1)
    (matrix,) = matrices(
        [grid_scores(tables)], Selection(), CorrelateSettings(coefficients=("tau_b",))
    )
    third = 1 / 3
    expected = [[1, -1, third], [-1, 1, -third], [third, -third, 1]]
    assert matrix.values == pytest.approx(np.array(expected))
    assert (matrix.protocol, matrix.level) == ("no_models", "system")
    assert (matrix.systems, matrix.topics) == (3, 2)


def test_every_level_coefficient_and_part_has_a_matrix(demo):
    import summetry

    table = summetry.evaluate(demo, ["unit_overlap", "lcs", "js_divergence"])
    how = CorrelateSettings(("system", "summary"), ("pearson", "tau_b"))
    rows = matrices([table], Selection(by="group"), how, demo)
    assert [(m.part, m.level, m.coefficient) for m in rows] == [
        (part, level, name)
        for part in ("A", "B")
        for level in how.levels
        for name in how.coefficients
    ]
    for matrix in rows:
        assert matrix.values == pytest.approx(matrix.values.T)
        assert np.diag(matrix.values) == pytest.approx(np.ones(3))


def test_a_matrix_is_what_loops_over_pairs_give():
    rng = np.random.default_rng(4)
    tables = {f"m{k}": np.round(rng.normal(size=(5, 4)), 1) for k in range(3)}
    (matrix,) = matrices(
        [grid_scores(tables)], Selection(), CorrelateSettings(("summary",), ("tau_b",))
    )
    for i, one in enumerate(tables.values()):
        for k, other in enumerate(tables.values()):
            each = [kendall_tau_b(one[:, j], other[:, j]) for j in range(4)]
            defined = [value for value in each if not math.isnan(value)]
            assert matrix.values[i, k] == pytest.approx(np.mean(defined))


def test_a_constant_metric_has_no_coefficient_even_with_itself():
    (matrix,) = matrices([grid_scores({"a": [[1], [2]], "b": [[3], [3]]})], Selection(),
                        CorrelateSettings(coefficients=("pearson",)))  # fmt: skip
    assert np.isnan(matrix.values).tolist() == [[False, True], [True, True]]


def test_accuracies_turn_a_divergence_and_leave_out_a_length():
    rng = np.random.default_rng(6)
    people = rng.normal(size=(5, 6))
    tables = {name: rng.normal(size=(5, 6)) for name in ("js_divergence", "m", "compression")}
    corpus = judged_corpus(grid_marks({"j": people}))
    parts, _ = judged_parts([grid_scores(tables)], corpus, Selection())
    rows = accuracies(parts, CorrelateSettings(draws=64, seed=2))
    # The number that stands for the length of the summaries is a null judge here.
    names = ["js_divergence", "m", "(length alone)", "(constant)"]
    assert [line.column.metric for line in rows] == names
    lengths = tables["compression"]
    follows = np.corrcoef(lengths.mean(axis=1), people.mean(axis=1))[0, 1]
    expected = [-tables["js_divergence"], tables["m"], np.sign(follows) * lengths, 0 * people]
    for line, table in zip(rows, expected, strict=True):
        assert line.soft == soft_pairwise_accuracy(table, people, draws=64, seed=2)
        assert line.calibrated == calibrated_accuracy(table, people)
