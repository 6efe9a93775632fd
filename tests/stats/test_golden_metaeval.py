"""Tables with the values that nlpstats, sacrerouge and mt-metrics-eval give: seeded ones, REALSumm.

Their draws are made here as they make them, so that every resample is compared. Where our rule is
another one, a test of its own says why.
"""

import json
import math
from functools import cache

import goldens
import numpy as np
import pytest
from scipy import stats

from summetry.stats import agreement as agr
from summetry.stats import dependent, permuted
from summetry.stats.contrasts import differences
from summetry.stats.correlation import fisher_interval, kendall_tau_b, pearson, spearman
from summetry.stats.dependent import permutation_test, williams, williams_test
from summetry.stats.levels import correlate, level_named, same_cells, system_means
from summetry.stats.multiple import partial_conjunction, significance_clusters
from summetry.stats.pairwise import calibrated_accuracy, count_extreme, pairwise_accuracy
from summetry.stats.pairwise import soft_pairwise_accuracy as soft_accuracy
from summetry.stats.resampling import Resamples, percentiles, redrawn, times_drawn

GOLDEN = goldens.golden("metaeval.json") or {}
CASES = GOLDEN.get("cases", {})
EDGES = GOLDEN.get("edge_cases", {})
NAMES = {"pearson": "pearson", "spearman": "spearman", "kendall": "tau_b"}
PLAIN = {"pearson": pearson, "spearman": spearman, "kendall": kendall_tau_b}
GROUPED = {"none": "global", "sys": "per_system", "item": "summary"}
ALTERNATIVES = {"two-sided": "two_sided", "greater": "greater", "less": "less"}
# Sums in another order: a few units in the last place of numbers up to 1.
NEAR = {"rel": 1e-11, "abs": 1e-11, "nan_ok": True}

# Their scores are on a grid, so that means of systems are equal but for the noise of addition. The
# libraries order such means, ours are ties; a test of its own compares with rounded means.
ON_A_GRID = [name for name in ("likert_ties", "constant_columns") if name in CASES]

# Another folder need not have this file; ours has it.
pytestmark = pytest.mark.skipif(
    not GOLDEN and goldens.FOLDER.name != "golden", reason="the folder has no metaeval.json"
)
every_case = pytest.mark.parametrize("name", CASES)


def table(numbers):
    return np.array(numbers, dtype=np.float64)


def tables(name):
    return [table(CASES[name][key]) for key in "XYZ"]


def number(value):
    """A value, undefined where the file has none or where the library stopped."""
    return math.nan if value is None or isinstance(value, dict) else value


def golden(name, *path):
    """Golden values of a case by level, coefficient and what else is in a key, in our words.

    Coefficients of means that are noise are left out.
    """
    part = CASES[name]
    for step in path:
        part = part.get(step, {})
    by_key = {}
    for key, value in part.items():
        if isinstance(value, dict) and set(value) <= set(NAMES):
            by_key |= {(key, coefficient): v for coefficient, v in value.items()}
        else:
            by_key[tuple(key.split("|"))] = value
    return {
        (level_named(level), NAMES[coefficient], *rest): value
        for (level, coefficient, *rest), value in by_key.items()
        if not (name in ON_A_GRID and level == "system" and coefficient != "pearson")
    }


@every_case
@pytest.mark.parametrize(
    ("library", "metric"), [("nlpstats", "X"), ("nlpstats", "Y"), ("sacrerouge", "X")]
)
def test_levels_are_those_of_nlpstats_and_sacrerouge(name, library, metric):
    theirs = golden(name, library, f"correlate_{metric}_Z")
    numbers, z = table(CASES[name][metric]), table(CASES[name]["Z"])
    ours = {key: correlate(numbers, z, *key).value for key in theirs}
    assert ours == pytest.approx({key: number(v) for key, v in theirs.items()}, **NEAR)


@every_case
@pytest.mark.parametrize("by", GROUPED)
def test_levels_are_those_of_mt_metrics_eval(name, by):
    x, _, z = tables(name)
    for theirs, ours in (("Pearson", "pearson"), ("Spearman", "spearman"), ("Kendall_b", "tau_b")):
        value, _, groups = CASES[name]["mtme"][f"{theirs}|{by}"]
        result = correlate(x, z, GROUPED[by], ours)
        assert result.value == pytest.approx(value, **NEAR)
        assert result.groups == groups


@pytest.mark.parametrize("name", ON_A_GRID)
def test_the_libraries_order_what_differs_by_the_noise_of_addition(name):
    """Their coefficient is the one of means as they are, ours the one of rounded means."""
    x, _, z = tables(name)
    means = [np.nanmean(t, axis=1) for t in (x, z)]
    theirs = CASES[name]["nlpstats"]["correlate_X_Z"]["system"]["kendall"]
    assert stats.kendalltau(*means).statistic == pytest.approx(number(theirs), **NEAR)
    rounded = stats.kendalltau(*(np.round(m, 9) for m in means)).statistic
    assert correlate(x, z, "system", "tau_b").value == pytest.approx(rounded, **NEAR)


@every_case
def test_fisher_intervals_are_those_of_nlpstats(name):
    x, _, z = tables(name)
    for key, value in golden(name, "nlpstats", "fisher95_X_Z").items():
        result = correlate(x, z, *key)
        ends = fisher_interval(result.value, result.size, key[1])
        # atanh near 1 multiplies the last digits of the coefficient.
        assert ends == pytest.approx([number(v) for v in value], rel=1e-8, nan_ok=True), key


@every_case
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_williams_test_is_that_of_nlpstats_where_no_coefficient_is_negative(name, alternative):
    """The library takes absolute values first; ours keeps signs, as the formula has them.

    Where two metrics rank systems alike its formula is 0 / 0; equal coefficients do not differ. Of
    means and of all cells the library gives a p, too, where ours says that there is none.
    """
    x, y, z = tables(name)
    side = ALTERNATIVES[alternative]
    for key, value in golden(name, "nlpstats", "williams").items():
        result = williams_test(x, y, z, *key, alternative=side)
        theirs = number(value[alternative])
        r = [correlate(*pair, *key) for pair in ((x, z), (y, z), (x, y))]
        r12, r13, r23 = (coefficient.value for coefficient in r)
        is_impossible = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23 < -1e-9
        is_ours = key[0] == "system"
        assert math.isnan(result.p) == bool(result.reason) and (is_ours or result.reason), key
        if r[0].size < 4 or np.isnan([r12, r13, r23]).any() or is_impossible:
            assert result.reason and (math.isnan(theirs) or is_impossible), key
        elif abs(r12 - r13) < 1e-10:
            equal = 1.0 if side == "two_sided" else 0.5
            assert result.p == equal or not is_ours, key
            assert math.isnan(theirs) or theirs == pytest.approx(equal), key
        else:
            absolute = williams(abs(r12), abs(r13), abs(r23), r[0].size, side)
            # Near a determinant of 0 the last digits of the coefficients count for more.
            assert absolute == pytest.approx(theirs, rel=1e-6), key
            assert not is_ours or min(r12, r13, r23) < 0 or result.p == absolute, key
    # A negative coefficient is worse than none for us, and good for the libraries.
    assert williams(-0.6, 0.5, 0.1, 15, "greater") > 0.99
    assert williams(0.6, 0.5, 0.1, 15, "greater") < 0.5


@pytest.mark.parametrize("case", EDGES.get("williams_formula", []))
def test_williams_formula_is_that_of_mt_metrics_eval(case):
    """It gives the tail beyond |t|, whoever is better."""
    numbers = case["r12"], case["r13"], case["r23"], case["n"]
    two = williams(*numbers)
    if isinstance(case["mtme_two_sided"], dict):
        assert math.isnan(two)
        return
    assert two == pytest.approx(case["mtme_two_sided"], rel=1e-9)
    side = "greater" if case["r12"] >= case["r13"] else "less"
    assert williams(*numbers, side) == pytest.approx(case["mtme_one_sided"], rel=1e-9)


# --- Resamples -----------------------------------------------------------------------------------


def draws_of(name):
    return 30 if name == "spa_10x40" else 100


@cache
def legacy_draws(shape, method, draws, seed=123):
    """What np.random.choice gives the libraries, draw after draw."""
    state = np.random.RandomState(seed)
    systems, inputs = [], []
    for _ in range(draws):
        if method in ("systems", "both"):
            systems.append(state.choice(shape[0], shape[0], replace=True))
        if method in ("inputs", "both"):
            inputs.append(state.choice(shape[1], shape[1], replace=True))
    both = zip((systems, inputs), shape, strict=True)
    return Resamples(*(times_drawn(np.array(drawn), n) if drawn else None for drawn, n in both))


@every_case
def test_bootstrap_draws_are_those_of_nlpstats(name):
    x, _, z = tables(name)
    x, z = same_cells(x, z)
    for (*key, method), value in golden(name, "nlpstats", "bootstrap_X_Z", "values").items():
        drawn = legacy_draws(x.shape, method, draws_of(name))
        result = redrawn(x, z[None], *key, drawn)
        if "error" in value:
            # A topic with one drawn system is undefined for us, and an exception for them.
            assert (~np.isnan(result)).sum() > 50
            continue
        low, high, count = percentiles(result, 0.95)
        assert count == value["n_kept"]
        assert result[~np.isnan(result)][:5].tolist() == pytest.approx(value["first5"], **NEAR)
        assert (low, high) == pytest.approx((value["lower"], value["upper"]), **NEAR)


@cache
def legacy_swaps(shape, method, draws, crossed):
    """np.random.rand(...) > 0.5 as both libraries call it; they differ in ``both``."""
    state = np.random.RandomState(321)
    m, n = shape
    if crossed and method == "both":
        swaps = [(state.rand(m, 1) > 0.5) ^ (state.rand(1, n) > 0.5) for _ in range(draws)]
    else:
        size = {"systems": (m, 1), "inputs": (1, n), "both": (m, n)}[method]
        swaps = [np.broadcast_to(state.rand(*size) > 0.5, shape) for _ in range(draws)]
    return np.array(swaps)


@every_case
@pytest.mark.parametrize("library", ["sacrerouge", "nlpstats"])
def test_swaps_are_those_of_the_libraries(name, library):
    """For ``both`` nlpstats swaps by a mask of rows and then by one of columns."""
    x, y, z = same_cells(*tables(name))
    a, b = dependent.standardised(x), dependent.standardised(y)
    of_nlpstats = library == "nlpstats"
    test = "permutation_X_Y_Z" if of_nlpstats else "permutation_diff"
    values = golden(name, library, test, "values")
    for (level, coefficient, method), value in values.items():
        swaps = legacy_swaps(x.shape, method, draws_of(name), of_nlpstats)
        result = permuted.deltas(a, b, z, level, coefficient, np.moveaxis(swaps, 0, -1))
        assert result[:3].tolist() == pytest.approx([number(v) for v in value["first3"]], **NEAR)
        if of_nlpstats:
            assert np.isnan(result).sum() == value["n_nan_samples"]
            # Their p can be 0, and ours cannot.
            if value.get("two-sided") == 0:
                swap = {"inputs": "topics", "both": "cells"}.get(method, method)
                ours = permutation_test(*tables(name), level, coefficient, swap, draws=100)
                assert ours.p > 0
        elif value["delta"] is not None:
            delta, draws, result = value["delta"], len(result), result[~np.isnan(result)]
            # They compare without a tolerance, so that equal deltas may differ in the last digit.
            for numbers, bound, theirs in (
                (result, delta, "one_tailed"),
                (np.abs(result), abs(delta), "two_tailed"),
            ):
                least, most = ((numbers >= bound + noise).sum() for noise in (1e-9, -1e-9))
                assert (least + 1) / (draws + 1) <= value[theirs] <= (most + 1) / (draws + 1)


@every_case
def test_the_paired_bootstrap_draws_are_those_of_sacrerouge(name):
    """They ask for |delta*| >= 2 |delta|, not for a shift."""
    x, y, z = same_cells(*tables(name))
    for (*key, method), value in golden(name, "sacrerouge", "bootstrap_diff", "values").items():
        if value.get("delta") is None or value.get("one_tailed") is None:
            continue
        drawn = legacy_draws(x.shape, method, draws_of(name), seed=321)
        first, second = (redrawn(t, z[None], *key, drawn) for t in (x, y))
        result, delta = (first - second)[~np.isnan(first - second)], value["delta"]
        for theirs, numbers, bound in (
            ("one_tailed", result, 2 * delta),
            ("two_tailed", np.abs(result), 2 * abs(delta)),
        ):
            least, most = ((numbers >= bound + noise).mean() for noise in (1e-9, -1e-9))
            assert least - 1e-12 <= value[theirs] <= most + 1e-12


@pytest.mark.parametrize("name", [name for name in CASES if "exact_enumeration" in CASES[name]])
@pytest.mark.parametrize(
    ("ours", "theirs"), [("systems", "systems"), ("topics", "inputs"), ("cells", "cellwise_both")]
)
def test_small_tests_are_counted_out(name, ours, theirs):
    for key, expected in golden(name, "exact_enumeration").items():
        for alternative, p in (("greater", "p_greater"), ("two_sided", "p_two_sided")):
            result = permutation_test(*tables(name), *key, ours, alternative=alternative)
            assert result.exact and result.draws == expected[theirs]["n"]
            assert result.value == pytest.approx(expected["observed_delta"], **NEAR)
            assert result.p == expected[theirs][p]


# --- Pairs of systems ----------------------------------------------------------------------------


@every_case
@pytest.mark.parametrize("by", GROUPED)
def test_pairwise_accuracy_is_that_of_mt_metrics_eval(name, by):
    x, _, z = tables(name)
    theirs = CASES[name]["mtme"]
    plain = pairwise_accuracy(x, z, GROUPED[by])
    assert plain.value == pytest.approx(theirs[f"KendallVariants_acc23_eps0.0|{by}"][0], **NEAR)
    tenth = theirs[f"KendallVariants_acc23_eps0.1|{by}"]
    least, most = (pairwise_accuracy(x, z, GROUPED[by], e) for e in (0.1 - 1e-9, 0.1))
    # Scores 0.1 apart are 0.09999 or 0.10001 apart for them, and a tie for us.
    if least.value == most.value:
        assert most.value == pytest.approx(tenth[0], **NEAR)
    best = theirs[f"TiesOpt_acc23_rate1|{by}"]
    result = calibrated_accuracy(x, z, GROUPED[by])
    assert plain.value <= result.value <= best["best"] + 1e-9
    again = pairwise_accuracy(x, z, GROUPED[by], best["eps"])
    if again.value == pytest.approx(best["best"], **NEAR):
        assert result.value == pytest.approx(best["best"], **NEAR)
        assert result.epsilon <= best["eps"] + 1e-9


@pytest.mark.parametrize(
    "name", [n for n in CASES if n not in ON_A_GRID and "system_vectors" in CASES[n]["mtme"]]
)
def test_system_level_accuracy_is_that_of_mt_metrics_eval(name):
    x, _, z = tables(name)
    right, pairs = CASES[name]["mtme"]["system_vectors"]["Agreement"]
    result = pairwise_accuracy(x, z, "system")
    assert (result.value * result.pairs, result.pairs) == pytest.approx((right, pairs), **NEAR)


def their_signs(inputs):
    random = np.random.default_rng(4).random((1000, inputs), dtype=np.float32)
    return (np.rint(random) * 2 - 1).astype(np.float64).T


@pytest.mark.parametrize("name", [n for n in CASES if n != "missing"])
def test_p_of_soft_accuracy_is_that_of_mt_metrics_eval_but_for_half_the_ties(name):
    """They count P(>=), which is not 1 less the p of the turned pair; ours is P(>) + P(=) / 2."""
    x, _, z = tables(name)
    i, k = np.triu_indices(len(x), 1)
    signs = their_signs(x.shape[1])
    for numbers, key in ((x, "pvals_X"), (z, "pvals_gold")):
        theirs = table(CASES[name]["mtme"][key])[i, k]
        above, equal = count_extreme(differences(numbers, i, k), signs)
        # Sums in 32 bits may fall on either side of a tie.
        assert (theirs <= (above + equal) / 1000 + 1e-6).all()
        assert (theirs >= above / 1000 - 1e-6).all()


@pytest.mark.parametrize("name", [n for n in CASES if n != "missing"])
def test_soft_accuracy_is_near_that_of_mt_metrics_eval_and_has_no_direction(name):
    x, _, z = tables(name)
    result = soft_accuracy(x, z, draws=5_000)
    turned = soft_accuracy(x[::-1], z[::-1], draws=5_000)
    assert turned.value == pytest.approx(result.value, abs=1e-12)
    # 1000 drawn signs against 5,000 (or all), and ties by half: some hundredths. The library's
    # value may change with the order of systems, and is as near in both.
    theirs = CASES[name]["mtme"]
    assert result.value == pytest.approx(theirs["SPA(1-PCE)"][0], abs=0.05)
    assert result.value == pytest.approx(theirs["SPA_reversed_system_order"], abs=0.05)


@pytest.mark.parametrize("case", EDGES.get("mtme_AssignRanks", []))
def test_clusters_are_those_of_mt_metrics_eval(case):
    size = len(case["sig_matrix"])
    values = list(range(size, 0, -1))
    assert significance_clusters(values, case["sig_matrix"], case["pval"]) == case["ranks"]


@pytest.mark.parametrize("case", EDGES.get("partial_conjunction_bonferroni", []))
def test_partial_conjunction_is_that_of_sacrerouge(case):
    result = partial_conjunction(case["pvalues"], case["alpha"])
    assert result.data_sets == case["k_hat"]
    assert sorted(result.places) == sorted(case["significant_indices"])


def is_noise_only(numbers):
    """Whether they differ, but by no more than the noise of addition."""
    return len(set(numbers)) > 1 and np.ptp(numbers) <= 1e-12 * np.abs(numbers).max()


@pytest.mark.parametrize("case", GOLDEN.get("vectors", []), ids=lambda c: c["name"])
def test_coefficients_of_lists(case):
    x, y = case["x"], case["y"]
    if is_noise_only(x) or is_noise_only(y):
        # Scipy orders 0.1 + 0.2 and 0.3; for us they are the same, so there is no coefficient.
        assert all(math.isnan(f(x, y)) for f in (pearson, spearman, kendall_tau_b))
        return
    for function, key in zip(PLAIN.values(), ("pearsonr", "spearmanr", "kendall_b"), strict=True):
        theirs = number(case[key] if isinstance(case[key], dict) else case[key][0])
        assert function(x, y) == pytest.approx(theirs, **NEAR)
    result = pairwise_accuracy(table(x)[:, None], table(y)[:, None])
    accuracy = case["mtme_variants_eps0(gold=y,metric=x)"]["acc23"]
    assert result.value == pytest.approx(number(accuracy), **NEAR)


def test_a_cell_that_one_table_lacks_is_missing_from_both():
    """nlpstats takes each system's mean over its own cells, and stops at the other levels."""
    case = EDGES["nan_only_in_X"]
    x, z = table(case["X"]), table(case["Z"])
    ours = correlate(x, z, "system", "pearson").value
    both = np.where(np.isnan(x), np.nan, z)
    assert ours == pytest.approx(pearson(np.nanmean(x, 1).tolist(), np.nanmean(both, 1).tolist()))
    own = pearson(system_means(x).tolist(), system_means(z).tolist())
    assert own == pytest.approx(case["nlpstats"]["system"], **NEAR)
    for level in ("input", "global"):
        assert "error" in case["nlpstats"][level]
        assert not math.isnan(correlate(x, z, level_named(level), "pearson").value)
    # Tables with other inputs are compared by their means.
    case = EDGES["unpaired_columns_system_level"]
    x, z = table(case["X(6x12)"]), table(case["Z"])
    means = [system_means(t).tolist() for t in (x, z)]
    for key, function in PLAIN.items():
        assert function(*means) == pytest.approx(case["nlpstats_system"][key], **NEAR)


@pytest.mark.parametrize(("edge", "row", "column", "level", "left_out"), [
    ("all_nan_column", slice(None), 3, "summary", "topic"),
    ("all_nan_row", 2, slice(None), "system", "system"),
    ("column_with_one_value", slice(1, None), 0, "summary", "topic"),
])  # fmt: skip
def test_what_has_no_scores_is_left_out_where_libraries_stop(edge, row, column, level, left_out):
    x, _, z = tables("dense")
    x[row, column] = z[row, column] = np.nan
    results = EDGES[edge]["nlpstats"]
    for name, theirs in results.items():
        key = ("summary", NAMES[name]) if name in NAMES else (level_named(name), "pearson")
        if isinstance(theirs, dict):
            assert "error" in theirs and not math.isnan(correlate(x, z, *key).value)
        else:
            assert correlate(x, z, *key).value == pytest.approx(theirs, **NEAR)
    result = correlate(x, z, level, "pearson")
    if left_out == "topic":
        assert (result.groups, result.undefined) == (x.shape[1] - 1, 1)
    else:
        assert result.size == len(x) - 1


# --- Agreement -----------------------------------------------------------------------------------

AGREEMENT = GOLDEN.get("agreement", {})


@pytest.mark.parametrize("name", [n for n in AGREEMENT if n.startswith("likert")])
def test_alpha_is_that_of_krippendorff(name):
    case = AGREEMENT[name]
    counts, classes = agr.count_ratings(case["ratings_raters_x_items"])
    for level, value in case["krippendorff"].items():
        result = agr.krippendorff_alpha(counts, classes, level)
        assert result == pytest.approx(value, **NEAR)


def test_kappa_is_that_of_fleiss_and_cohen():
    case = AGREEMENT["likert_full"]
    ratings = case["ratings_raters_x_items"]
    counts, _ = agr.count_ratings(ratings)
    assert agr.fleiss_kappa(counts).kappa == pytest.approx(case["fleiss"], **NEAR)
    assert agr.cohen_kappa(*ratings[:2]).kappa == pytest.approx(case["cohen_r0_r1"]["none"], **NEAR)
    for weights in ("linear", "quadratic"):
        value = case["cohen_r0_r1"][weights]
        assert agr.weighted_kappa(*ratings[:2], weights) == pytest.approx(value, **NEAR)
    case = AGREEMENT["extraction_binary"]
    counts, _ = agr.count_ratings(case["informants_x_sentences"])
    result = agr.fleiss_kappa(counts)
    assert result.kappa == pytest.approx(case["hori2004_appendix_kappa"], **NEAR)
    assert (result.agreement, result.chance) == pytest.approx((case["P(A)"], case["P(E)"]), **NEAR)


# --- REALSumm: 14 metrics of 100 documents -------------------------------------------------------

# 100 x 14 numbers added up in another order.
OF_MANY = {"rel": 1e-10, "abs": 1e-10}


@pytest.fixture(scope="module", params=["abs", "ext"])
def realsumm(request, real_data):
    parts = json.loads((real_data("realsumm") / "statistics.json").read_text(encoding="utf-8"))
    tables = {name: np.array(rows) for name, rows in parts[request.param]["scores"].items()}
    return parts[request.param], tables, tables["litepyramid_recall"]


def test_every_metric_at_every_level(realsumm):
    part, tables, human = realsumm
    assert sum(len(levels) * 3 for levels in part["nlpstats"].values()) == 72
    for metric, levels in part["nlpstats"].items():
        for level, coefficients in levels.items():
            at = tables[metric], human, level_named(level)
            results = {name: correlate(*at, NAMES[name]) for name in coefficients}
            values = {name: result.value for name, result in results.items()}
            assert values == pytest.approx(coefficients, **OF_MANY), (metric, level)
            for name, ends in part["fisher95_system"][metric].items() if level == "system" else ():
                interval = fisher_interval(values[name], results[name].size, NAMES[name])
                assert interval == pytest.approx(ends, rel=1e-8)
