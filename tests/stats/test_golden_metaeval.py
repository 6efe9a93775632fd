"""Seeded tables with the values that nlpstats, sacrerouge and mt-metrics-eval give.

Their draws are made here as they make them, so that every resample is compared. Where our rule is
another one, a test of its own says why.
"""

import math
from itertools import combinations

import goldens
import numpy as np
import pytest

from summetry.stats import dependent, permuted
from summetry.stats.agreement import (
    cohen_kappa,
    count_ratings,
    fleiss_kappa,
    krippendorff_alpha,
    weighted_kappa,
)
from summetry.stats.contrasts import differences
from summetry.stats.correlation import (
    fisher_interval,
    kendall_tau_b,
    pearson,
    spearman,
)
from summetry.stats.dependent import permutation_test, williams, williams_test
from summetry.stats.discrimination import discrimination
from summetry.stats.levels import correlate, same_cells, system_means
from summetry.stats.multiple import partial_conjunction, significance_clusters, tukey_hsd
from summetry.stats.pairwise import (
    calibrated_accuracy,
    count_extreme,
    pairwise_accuracy,
    soft_pairwise_accuracy,
)
from summetry.stats.resampling import Resamples, percentiles, redrawn, times_drawn

GOLDEN = goldens.golden("metaeval.json") or {}
CASES = GOLDEN.get("cases", {})
EDGES = GOLDEN.get("edge_cases", {})
NAMES = {"pearson": "pearson", "spearman": "spearman", "kendall": "tau_b"}
GROUPED = {"none": "global", "sys": "per_system", "item": "summary"}
# The words of the golden file that are other ones here.
WORDS = {"input": "summary", "inputs": "topics"}
ALTERNATIVES = {"two-sided": "two_sided", "greater": "greater", "less": "less"}
# Sums in another order: a few units in the last place of numbers up to 1.
NEAR = {"rel": 1e-11, "abs": 1e-11, "nan_ok": True}

# Their scores are on a grid, so that means of systems are equal but for the noise of addition. The
# libraries order such means, ours are ties; a test of its own compares with rounded means.
ON_A_GRID = ("likert_ties", "constant_columns")

# Another folder need not have this file; ours has it.
pytestmark = pytest.mark.skipif(
    not GOLDEN and goldens.FOLDER.name != "golden", reason="the folder has no metaeval.json"
)


def our(word):
    return WORDS.get(word, word)


def is_noisy(name, key):
    level, coefficient = key.split("|")[:2]
    return name in ON_A_GRID and level == "system" and coefficient != "pearson"


def table(numbers):
    return np.array(numbers, dtype=np.float64)


def tables(name):
    return [table(CASES[name][key]) for key in "XYZ"]


def number(value):
    """A value, undefined where the file has none or where the library stopped."""
    return math.nan if value is None or isinstance(value, dict) else value


def each(*path):
    """(case, key, value) of a part of every case, without noisy ones; keys are joined by |."""
    values = []
    for name, case in CASES.items():
        part = case
        for step in path:
            part = part.get(step, {})
        values += [(name, key, value) for key, value in flat(part) if not is_noisy(name, key)]
    return values


def flat(part, depth=2):
    for key, value in part.items():
        if isinstance(value, dict) and depth > 1 and set(value) <= set(NAMES):
            yield from ((f"{key}|{name}", v) for name, v in value.items())
        else:
            yield key, value


def test_every_golden_case_is_run(capsys):
    assert CASES and EDGES
    with capsys.disabled():
        print(f"\nmetaeval.json: {len(CASES) + len(EDGES)} golden cases run")


@pytest.mark.parametrize(("name", "key", "value"), each("nlpstats", "correlate_X_Z"))
def test_levels_are_those_of_nlpstats(name, key, value):
    level, coefficient = key.split("|")
    x, y, z = tables(name)
    assert correlate(x, z, our(level), NAMES[coefficient]).value == pytest.approx(
        number(value), **NEAR
    )
    other = CASES[name]["nlpstats"]["correlate_Y_Z"][level][coefficient]
    assert correlate(y, z, our(level), NAMES[coefficient]).value == pytest.approx(
        number(other), **NEAR
    )


@pytest.mark.parametrize(("name", "key", "value"), each("sacrerouge", "correlate_X_Z"))
def test_levels_are_those_of_sacrerouge(name, key, value):
    level, coefficient = key.split("|")
    x, _, z = tables(name)
    assert correlate(x, z, our(level), NAMES[coefficient]).value == pytest.approx(
        number(value), **NEAR
    )


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("by", GROUPED)
@pytest.mark.parametrize("coefficient", ["Pearson", "Spearman", "Kendall_b"])
def test_levels_are_those_of_mt_metrics_eval(name, by, coefficient):
    value, _, groups = CASES[name]["mtme"][f"{coefficient}|{by}"]
    x, _, z = tables(name)
    short = {"Kendall_b": "tau_b"}.get(coefficient, coefficient.lower())
    result = correlate(x, z, GROUPED[by], short)
    assert result.value == pytest.approx(value, **NEAR)
    assert result.groups == groups


@pytest.mark.parametrize("name", ON_A_GRID if CASES else [])
@pytest.mark.parametrize("coefficient", ["spearman", "kendall"])
@pytest.mark.parametrize("method", ["systems", "inputs", "both"])
def test_means_are_equal_where_the_libraries_see_the_noise_of_addition(name, coefficient, method):
    """Means of .3 and .30000000000000004 are a tie for us; the oracle rounds them."""
    plain = {"spearman": spearman, "kendall": kendall_tau_b}[coefficient]
    for metric in tables(name)[:2]:
        z = tables(name)[2]
        drawn = legacy_draws(z.shape, method, 30)
        result = redrawn(metric, z[None], "system", NAMES[coefficient], drawn)
        for at in range(30):
            rows, columns = (
                np.arange(size)
                if part is None
                else np.repeat(np.arange(size), part[:, at].astype(int))
                for part, size in zip(drawn[:2], z.shape, strict=True)
            )
            means = [np.round(t[rows][:, columns].mean(axis=1), 9) for t in (metric, z)]
            assert result[at] == pytest.approx(plain(*means), **NEAR)


@pytest.mark.parametrize("name", [n for n in ON_A_GRID if n in CASES])
def test_the_libraries_order_what_differs_by_the_noise_of_addition(name):
    """Their coefficient is the one of means as they are, ours the one of rounded means."""
    from scipy.stats import kendalltau

    x, _, z = tables(name)
    means = [np.nanmean(t, axis=1) for t in (x, z)]
    theirs = CASES[name]["nlpstats"]["correlate_X_Z"]["system"]["kendall"]
    assert kendalltau(*means).statistic == pytest.approx(number(theirs), **NEAR)
    rounded = kendalltau(*(np.round(m, 9) for m in means)).statistic
    assert correlate(x, z, "system", "tau_b").value == pytest.approx(rounded, **NEAR)


@pytest.mark.parametrize(("name", "key", "value"), each("nlpstats", "fisher95_X_Z"))
def test_fisher_intervals_are_those_of_nlpstats(name, key, value):
    level, coefficient = key.split("|")
    x, _, z = tables(name)
    result = correlate(x, z, our(level), NAMES[coefficient])
    ends = fisher_interval(result.value, result.size, NAMES[coefficient])
    # atanh near 1 multiplies the last digits of the coefficient.
    assert ends == pytest.approx([number(v) for v in value], rel=1e-8, nan_ok=True)


@pytest.mark.parametrize(("name", "key", "value"), each("nlpstats", "williams"))
def test_williams_test_is_that_of_nlpstats_where_no_coefficient_is_negative(name, key, value):
    """The library takes absolute values first; ours keeps signs, as the formula has them."""
    level, coefficient = key.split("|")
    x, y, z = tables(name)
    r = [correlate(*pair, our(level), NAMES[coefficient]) for pair in ((x, z), (y, z), (x, y))]
    for their_name, alternative in ALTERNATIVES.items():
        theirs = number(value[their_name])
        result = williams_test(x, y, z, our(level), NAMES[coefficient], alternative=alternative)
        if math.isnan(theirs):
            assert math.isnan(result.p) and result.reason
            continue
        absolute = williams(*(abs(one.value) for one in r), r[0].size, alternative)
        # Near a determinant of 0 the last digits of the coefficients count for more.
        assert absolute == pytest.approx(theirs, rel=1e-6)
        if all(one.value >= 0 for one in r):
            assert result.p == absolute


def test_a_negative_coefficient_is_worse_than_none_for_us_and_good_for_the_libraries():
    ours = williams(-0.6, 0.5, 0.1, 15, "greater")
    assert ours > 0.99
    assert williams(0.6, 0.5, 0.1, 15, "greater") < 0.5


@pytest.mark.parametrize("case", EDGES.get("williams_formula", []))
def test_williams_formula_is_that_of_mt_metrics_eval(case):
    """It gives the tail beyond |t|, whoever is better."""
    given = case["r12"], case["r13"], case["r23"], case["n"]
    two = williams(*given)
    if isinstance(case["mtme_two_sided"], dict):
        assert math.isnan(two)
        return
    assert two == pytest.approx(case["mtme_two_sided"], rel=1e-9)
    side = "greater" if case["r12"] >= case["r13"] else "less"
    assert williams(*given, side) == pytest.approx(case["mtme_one_sided"], rel=1e-9)


def draws_of(name):
    return 30 if name == "spa_10x40" else 100


def legacy_draws(shape, method, draws, seed=123):
    """What np.random.choice gives the libraries, draw after draw."""
    state = np.random.RandomState(seed)
    systems, inputs = [], []
    for _ in range(draws):
        if method in ("systems", "both"):
            systems.append(state.choice(shape[0], shape[0], replace=True))
        if method in ("inputs", "both"):
            inputs.append(state.choice(shape[1], shape[1], replace=True))
    return Resamples(
        times_drawn(np.array(systems), shape[0]) if systems else None,
        times_drawn(np.array(inputs), shape[1]) if inputs else None,
    )


@pytest.mark.parametrize(("name", "key", "value"), each("nlpstats", "bootstrap_X_Z", "values"))
def test_bootstrap_draws_are_those_of_nlpstats(name, key, value):
    level, coefficient, method = key.split("|")
    x, _, z = tables(name)
    x, z = same_cells(x, z)
    drawn = legacy_draws(x.shape, method, draws_of(name))
    result = redrawn(x, z[None], our(level), NAMES[coefficient], drawn)
    if "error" in value:
        # A topic with one drawn system is undefined for us, and an exception for them.
        assert (~np.isnan(result)).sum() > 50
        return
    low, high, kept = percentiles(result, 0.95)
    ours = result[~np.isnan(result)][:5]
    assert kept == value["n_kept"]
    assert ours.tolist() == pytest.approx(value["first5"], **NEAR)
    assert (low, high) == pytest.approx((value["lower"], value["upper"]), **NEAR)


def legacy_swaps(shape, method, draws, crossed):
    """np.random.rand(...) > 0.5 as both libraries call it; they differ in ``both``."""
    state = np.random.RandomState(321)
    m, n = shape
    result = []
    for _ in range(draws):
        if method == "systems":
            result.append(np.broadcast_to(state.rand(m, 1) > 0.5, shape))
        elif method == "inputs":
            result.append(np.broadcast_to(state.rand(1, n) > 0.5, shape))
        elif crossed:
            result.append((state.rand(m, 1) > 0.5) ^ (state.rand(1, n) > 0.5))
        else:
            result.append(state.rand(m, n) > 0.5)
    return np.array(result)


def deltas(name, level, coefficient, method, crossed=False):
    coefficient = NAMES[coefficient]
    x, y, z = same_cells(*tables(name))
    a, b = dependent.standardised(x), dependent.standardised(y)
    swaps = legacy_swaps(x.shape, method, draws_of(name), crossed)
    return permuted.deltas(a, b, z, our(level), coefficient, np.moveaxis(swaps, 0, -1))


@pytest.mark.parametrize(("name", "key", "value"), each("sacrerouge", "permutation_diff", "values"))
def test_swaps_are_those_of_sacrerouge(name, key, value):
    level, coefficient, method = key.split("|")
    if "error" in value:
        pytest.fail(f"no rule for {value}")
    result = deltas(name, level, coefficient, method)
    assert result[:3].tolist() == pytest.approx([number(v) for v in value["first3"]], **NEAR)
    delta = value["delta"]
    if delta is None:
        return
    result, draws = result[~np.isnan(result)], len(result)
    # They compare without a tolerance, so that equal deltas may differ in the last digit.
    for numbers, bound, theirs in (
        (result, delta, "one_tailed"),
        (np.abs(result), abs(delta), "two_tailed"),
    ):
        least, most = ((numbers >= bound + noise).sum() for noise in (1e-9, -1e-9))
        assert (least + 1) / (draws + 1) <= value[theirs] <= (most + 1) / (draws + 1)


@pytest.mark.parametrize(("name", "key", "value"), each("nlpstats", "permutation_X_Y_Z", "values"))
def test_swaps_are_those_of_nlpstats(name, key, value):
    """For ``both`` it swaps a row mask and then a column mask, so a cell moves by either or."""
    level, coefficient, method = key.split("|")
    if "error" in value:
        pytest.fail(f"no rule for {value}")
    result = deltas(name, level, coefficient, method, crossed=True)
    assert result[:3].tolist() == pytest.approx([number(v) for v in value["first3"]], **NEAR)
    assert np.isnan(result).sum() == value["n_nan_samples"]


@pytest.mark.parametrize(
    ("name", "key"),
    [
        (name, key)
        for name, key, value in each("nlpstats", "permutation_X_Y_Z", "values")
        if value.get("two-sided") == 0
    ],
)
def test_p_of_nlpstats_can_be_0_and_ours_cannot(name, key):
    level, coefficient, method = key.split("|")
    result = permutation_test(*tables(name), our(level), NAMES[coefficient], our(method), draws=100)
    assert result.p >= 1 / 101


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        (name, key, value)
        for name, key, value in each("sacrerouge", "bootstrap_diff", "values")
        if value.get("delta") is not None and value.get("one_tailed") is not None
    ],
)
def test_the_paired_bootstrap_draws_are_those_of_sacrerouge(name, key, value):
    """One-tailed it is theirs; two-tailed they ask for |delta*| >= 2 |delta|, not for a shift."""
    level, coefficient, method = key.split("|")
    x, y, z = same_cells(*tables(name))
    drawn = legacy_draws(x.shape, method, draws_of(name), seed=321)
    first, second = (redrawn(t, z[None], our(level), NAMES[coefficient], drawn) for t in (x, y))
    result = (first - second)[~np.isnan(first - second)]
    delta = value["delta"]
    most = (result >= 2 * delta - 1e-9).mean()
    least = (result >= 2 * delta + 1e-9).mean()
    assert least - 1e-12 <= value["one_tailed"] <= most + 1e-12
    most = (np.abs(result) >= 2 * abs(delta) - 1e-9).mean()
    least = (np.abs(result) >= 2 * abs(delta) + 1e-9).mean()
    assert least - 1e-12 <= value["two_tailed"] <= most + 1e-12


@pytest.mark.parametrize(
    ("key", "expected"), CASES.get("three_systems", {}).get("exact_enumeration", {}).items()
)
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("systems", "systems"), ("topics", "inputs"), ("both", "cellwise_both")],
)
def test_small_tests_are_counted_out(key, expected, ours, theirs):
    level, coefficient = key.split("|")
    x, y, z = tables("three_systems")
    for alternative, p in (("greater", "p_greater"), ("two_sided", "p_two_sided")):
        result = permutation_test(
            x, y, z, our(level), NAMES[coefficient], ours, alternative=alternative
        )
        assert result.exact and result.draws == expected[theirs]["n"]
        assert result.value == pytest.approx(expected["observed_delta"], **NEAR)
        assert result.p == expected[theirs][p]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("by", GROUPED)
def test_pairwise_accuracy_is_that_of_mt_metrics_eval(name, by):
    x, _, z = tables(name)
    theirs = CASES[name]["mtme"]
    plain = pairwise_accuracy(x, z, GROUPED[by])
    assert plain.value == pytest.approx(theirs[f"KendallVariants_acc23_eps0.0|{by}"][0], **NEAR)
    tenth = theirs[f"KendallVariants_acc23_eps0.1|{by}"]
    least = pairwise_accuracy(x, z, GROUPED[by], 0.1 - 1e-9)
    most = pairwise_accuracy(x, z, GROUPED[by], 0.1)
    # Scores 0.1 apart are 0.09999 or 0.10001 apart for them, and a tie for us.
    if least.value == most.value:
        assert most.value == pytest.approx(tenth[0], **NEAR)
    best = theirs[f"TiesOpt_acc23_rate1|{by}"]
    result = calibrated_accuracy(x, z, GROUPED[by])
    assert result.value >= plain.value
    assert result.value <= best["best"] + 1e-9
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
    result = soft_pairwise_accuracy(x, z, draws=20_000)
    turned = soft_pairwise_accuracy(x[::-1], z[::-1], draws=20_000)
    assert turned.value == pytest.approx(result.value, abs=1e-12)
    # 1000 drawn signs against 20,000 (or all), and ties by half: some hundredths. The library's
    # value may change with the order of systems, and is as near in both.
    theirs = CASES[name]["mtme"]
    assert result.value == pytest.approx(theirs["SPA(1-PCE)"][0], abs=0.05)
    assert result.value == pytest.approx(theirs["SPA_reversed_system_order"], abs=0.05)


def test_soft_accuracy_with_missing_cells_has_a_value_where_the_library_may_stop():
    """It stops where the cells that are left do not fill a table, and else shifts columns."""
    x, _, z = tables("missing")
    theirs = CASES["missing"]["mtme"]["SPA(1-PCE)"]
    assert ("error" in theirs) if isinstance(theirs, dict) else 0 <= theirs[0] <= 1
    present = ~(np.isnan(x) | np.isnan(z))
    together = [(present[i] & present[k]).any() for i, k in combinations(range(len(x)), 2)]
    result = soft_pairwise_accuracy(x, z)
    assert 0 < result.value < 1 and result.left_out == together.count(False)


def test_a_segment_missing_everywhere_is_as_if_it_were_not_there():
    x, _, z = tables("dense")
    with_hole = z.copy()
    with_hole[:, 2] = np.nan
    kept = [j for j in range(x.shape[1]) if j != 2]
    result = soft_pairwise_accuracy(x, with_hole, draws=256)
    assert result.value == soft_pairwise_accuracy(x[:, kept], z[:, kept], draws=256).value
    theirs = EDGES["mtme_SPA_same_segment_missing_everywhere"]
    assert result.value == pytest.approx(theirs["mtme"][0], abs=0.02)


@pytest.mark.parametrize("name", [n for n in CASES if "aesop" in CASES[n]])
def test_tukey_and_the_table_of_verdicts(name):
    x, y, z = tables(name)
    for metric, key in ((x, "X_vs_Z"), (y, "Y_vs_Z")):
        expected = CASES[name]["aesop"]["tukey"][key]
        mine, people = tukey_hsd(metric), tukey_hsd(z)
        # The distribution is an integral, counted to about eight digits.
        assert mine.p == pytest.approx(table(expected["p_metric"]), abs=1e-7)
        assert people.p == pytest.approx(table(expected["p_human"]), abs=1e-7)
        assert mine.anova == pytest.approx(expected["anova_p_metric"], rel=1e-9)
        assert people.anova == pytest.approx(expected["anova_p_human"], rel=1e-9)
        result = discrimination(mine.p, mine.differences, people.p, people.differences)
        check_verdicts(result, expected)


@pytest.mark.parametrize("name", [n for n in CASES if "aesop" in CASES[n]])
def test_verdicts_of_paired_t_tests(name):
    x, y, z = tables(name)
    for metric, key in ((x, "X_vs_Z"), (y, "Y_vs_Z")):
        expected = CASES[name]["aesop"]["paired_t"][key]
        p = [table(expected[side]) for side in ("p_metric", "p_human")]
        sides = [paired_differences(t) for t in (metric, z)]
        check_verdicts(discrimination(p[0], sides[0], p[1], sides[1]), expected)


def paired_differences(numbers):
    """Means of differences over the inputs that both rows have."""
    return np.nanmean(numbers[:, None] - numbers, axis=2)


def check_verdicts(result, expected):
    a, b, c, d, e = result[:5]
    assert [[a, b, 0], [c, d, 0], [0, 0, e]] == expected["table"]
    assert result.agreements == expected["agreements"]
    assert result.disagreements == expected["disagreements"]
    assert sum(result) == expected["pairs"]


@pytest.mark.parametrize("case", EDGES.get("mtme_AssignRanks", []))
def test_clusters_are_those_of_mt_metrics_eval(case):
    size = len(case["sig_matrix"])
    values = list(range(size, 0, -1))
    assert significance_clusters(values, case["sig_matrix"], case["pval"]) == case["ranks"]


def test_clusters_of_metrics_are_those_of_mt_metrics_eval():
    compared = GOLDEN["compare_metrics"]
    x, y, z = tables("spa_10x40")
    metrics = {"X": x, "Y": y, "W": table(compared["W"]), "V": table(compared["V"])}
    values = {name: correlate(t, z, "summary", "tau_b").value for name, t in metrics.items()}
    order = compared["order"]
    assert [values[name] for name in order] == pytest.approx(
        [compared["corrs_and_ranks"][name][0] for name in order], **NEAR
    )
    p = np.ones((4, 4))
    for i, first in enumerate(order):
        for k, second in enumerate(order):
            if i < k:
                p[i, k] = permutation_test(
                    metrics[first], metrics[second], z, "summary", "tau_b",
                    alternative="greater", draws=2000,
                ).p  # fmt: skip
    # 200 draws there, 2000 here.
    upper = np.triu_indices(4, 1)
    assert p[upper] == pytest.approx(table(compared["sig_matrix"])[upper], abs=0.35)
    ranks = significance_clusters([values[name] for name in order], p)
    assert ranks == [compared["corrs_and_ranks"][name][1] for name in order]


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
    for function, key in (
        (pearson, "pearsonr"),
        (spearman, "spearmanr"),
        (kendall_tau_b, "kendall_b"),
    ):
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
        assert not math.isnan(correlate(x, z, our(level), "pearson").value)


def holed(row=slice(None), column=slice(None)):
    """The tables of the edge cases: dense with a row or column taken out of both."""
    x, _, z = tables("dense")
    x[row, column] = z[row, column] = np.nan
    return x, z


def test_a_system_or_input_without_scores_is_left_out_where_libraries_stop():
    x, z = holed(column=3)
    theirs = EDGES["all_nan_column"]["nlpstats"]
    for level in ("system", "global"):
        result = correlate(x, z, our(level), "pearson").value
        assert result == pytest.approx(theirs[level], **NEAR)
    assert "error" in theirs["input"]
    result = correlate(x, z, "summary", "pearson")
    assert (result.groups, result.undefined) == (x.shape[1] - 1, 1)
    x, z = holed(row=2)
    theirs = EDGES["all_nan_row"]["nlpstats"]
    for level in ("input", "global"):
        result = correlate(x, z, our(level), "pearson").value
        assert result == pytest.approx(theirs[level], **NEAR)
    assert "error" in theirs["system"]
    assert correlate(x, z, "system", "pearson").size == len(x) - 1


def test_an_input_with_one_system_is_left_out_where_libraries_stop():
    x, _, z = tables("dense")
    x[1:, 0] = z[1:, 0] = np.nan
    theirs = EDGES["column_with_one_value"]["nlpstats"]
    assert "error" in theirs["pearson"]
    for coefficient in ("spearman", "kendall"):
        result = correlate(x, z, "summary", NAMES[coefficient])
        assert result.value == pytest.approx(theirs[coefficient], **NEAR)
    assert correlate(x, z, "summary", "pearson").undefined == 1


def test_people_who_give_one_mark_have_no_coefficient():
    """mt-metrics-eval says 0 of 0 here, nlpstats NaN; ours is NaN with a reason."""
    x, y, _ = tables("dense")
    z = np.full(x.shape, 3.0)
    assert EDGES["all_constant_human"]["mtme"]["item"] == [0, 0, 0]
    for level in ("system", "summary", "global", "per_system"):
        result = correlate(x, z, level, "pearson")
        assert math.isnan(result.value) and "the same" in result.reason
        test = permutation_test(x, y, z, level, "pearson", draws=10)
        assert math.isnan(test.p) and "r(X, Z) is undefined" in test.reason


def test_tables_with_other_inputs_are_compared_by_their_means():
    case = EDGES["unpaired_columns_system_level"]
    x, z = table(case["X(6x12)"]), table(case["Z"])
    means = [system_means(t).tolist() for t in (x, z)]
    for function, key in ((pearson, "pearson"), (spearman, "spearman"), (kendall_tau_b, "kendall")):
        assert function(*means) == pytest.approx(case["nlpstats_system"][key], **NEAR)


AGREEMENT = GOLDEN.get("agreement", {})


@pytest.mark.parametrize("name", [n for n in AGREEMENT if n.startswith("likert")])
def test_alpha_is_that_of_krippendorff(name):
    case = AGREEMENT[name]
    counts, classes = count_ratings(case["ratings_raters_x_items"])
    for level, value in case["krippendorff"].items():
        result = krippendorff_alpha(counts, classes, level)
        assert result == pytest.approx(value, **NEAR)


def test_kappa_is_that_of_fleiss_and_cohen():
    case = AGREEMENT["likert_full"]
    ratings = case["ratings_raters_x_items"]
    counts, _ = count_ratings(ratings)
    assert fleiss_kappa(counts).kappa == pytest.approx(case["fleiss"], **NEAR)
    assert cohen_kappa(*ratings[:2]).kappa == pytest.approx(case["cohen_r0_r1"]["none"], **NEAR)
    for weights in ("linear", "quadratic"):
        result = weighted_kappa(*ratings[:2], weights)
        assert result == pytest.approx(case["cohen_r0_r1"][weights], **NEAR)
    case = AGREEMENT["extraction_binary"]
    counts, _ = count_ratings(case["informants_x_sentences"])
    result = fleiss_kappa(counts)
    assert result.kappa == pytest.approx(case["hori2004_appendix_kappa"], **NEAR)
    assert (result.agreement, result.chance) == pytest.approx((case["P(A)"], case["P(E)"]), **NEAR)
