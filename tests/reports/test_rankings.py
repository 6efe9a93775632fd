"""Rankings as sentences on pairs of systems, worked by hand, and as charts with intervals."""

import json
import math

import numpy as np
import pytest
from pictured import scored
from rankings import compare, table_of
from scipy.stats import nct, t

from summetry.errors import SummetryError
from summetry.records.scores import Column
from summetry.reports.verdicts import verdict_sentence, verdicts

BETTER = {"lead": [0.5] * 8, "bart": [0.75] * 8}
# Differences of 1 to 8 divided by 100: the mean is 0.045.
RISING = {"a": [0.5 + n / 100 for n in range(1, 9)], "b": [0.5] * 8}


@pytest.mark.parametrize(("systems", "metric", "value", "start"), [
    # A headline is called by its metric, another value by its own name.
    (BETTER, "ROUGE-2", "f", "bart is better than lead on ROUGE-2 by 0.250 ("),
    (BETTER, "ROUGE-2", "recall", "bart is better than lead on ROUGE-2.recall by 0.250 ("),
    # Lower may be better, and then the advantage is still positive.
    (RISING, "js_divergence", "value",
     "b is better than a on js_divergence (lower is better) by 0.045 (0.0"),
    # A value without a direction is higher.
    ({"a": [0.25] * 8, "b": [0.5] * 8}, "compression", "value",
     "b is higher than a on compression by 0.250 ("),
    # On common topics the order may be the other one: b lacks the ninth topic of a.
    ({"a": [0.5] * 8 + [9], "b": [0.75] * 8 + [None]}, "theirs", "value",
     "b is better than a on theirs by 0.250"),
    # A tiny difference is not shown as nothing.
    ({"a": [0.5 + 2**-12] * 8, "b": [0.5] * 8}, "theirs", "value",
     "a is better than b on theirs by 0.00024 (0.00024 to 0.00024, p = .008)"),
    # Nobody is ahead where means are equal.
    ({"a": [1, 2, 3, 4] * 2, "b": [2, 1, 4, 3] * 2}, "theirs", "value",
     "a and b do not differ significantly on theirs: the means differ by 0.000 ("),
])  # fmt: skip
def test_a_sentence_names_metric_direction_and_advantage(systems, metric, value, start):
    ranking = compare(
        table_of(systems, f"{metric}.{value}"), () if metric != "compression" else metric
    )
    (sentence,) = verdicts(ranking)
    assert sentence.startswith(start)


def test_a_system_is_better_and_the_worse_one_of_a_pair_may_come_first():
    """All eight differences are 0.25: two of 256 choices of signs are as far."""
    ranking = compare(table_of(BETTER))
    end = "on theirs by 0.250 (0.250 to 0.250, p = .008)"
    assert verdicts(ranking) == [f"bart is better than lead {end}"]
    assert verdict_sentence(ranking, ranking.against[0]) == f"lead is worse than bart {end}"
    ranking = compare(table_of(RISING, "js_divergence.value"))
    start = "a is worse than b on js_divergence (lower is better) by 0.045 (0.0"
    assert verdict_sentence(ranking, ranking.against[0]).startswith(start)


def smallest(topics, deviation, alpha, power=0.8):
    """The difference that a paired t-test sees with a probability, by scipy's noncentral t."""
    low, high = 0.0, 0.2
    for _ in range(80):
        middle = (low + high) / 2
        shift = math.sqrt(topics) * middle / deviation
        limit = t.ppf(1 - alpha / 2, topics - 1)
        seen = nct.sf(limit, topics - 1, shift) + nct.cdf(-limit, topics - 1, shift)
        low, high = (low, middle) if seen >= power else (middle, high)
    return high


@pytest.mark.parametrize("others", [(), ("c",)])
def test_systems_that_do_not_differ_and_what_their_topics_could_show(others):
    """Differences 0.1 and -0.08, thirty of them: mean 0.01, and 15 times 0.09² around it."""
    gaps = [0.1, -0.08] * 15
    systems = {"bart": [0.5 + gap for gap in gaps], "t5": [0.5] * 30}
    # A third one far below makes three comparisons, which share alpha.
    systems |= {name: [gap / 7 for gap in gaps] for name in others}
    (sentence,) = verdicts(compare(table_of(systems), draws=500))
    deviation = math.sqrt(30 * 0.09**2 / 29)
    could = smallest(30, deviation, 0.05 / (3 if others else 1))
    start, interval, end = sentence.partition(" (")
    assert start == "bart and t5 do not differ significantly on theirs: bart is ahead by 0.010"
    assert ("corrected p = ." in end) == bool(others) and "p = ." in end
    assert end.endswith(f"); 30 topics could show {could:.3f}") and interval


def test_too_few_topics_or_draws_are_a_reason_that_nothing_could_be_shown():
    """Of three topics the smallest p is 2/8; a note of the ranking says so."""
    ranking = compare(table_of({"a": [4, 6, 8], "b": [3, 4, 5]}))
    assert verdicts(ranking) == [
        "a and b do not differ significantly on theirs: a is ahead by 2.000 (1.000 to 3.000 by the "
        "bootstrap, p = .25); too few topics: with 3 the smallest possible p is .25"
    ]
    assert ranking.notes[0].startswith("nothing can be significant here")
    # Ten draws and the seen one: the smallest p is 1/11.
    systems = {"a": [n + 1 for n in range(30)], "b": [n + (n % 3 - 1) / 2 for n in range(30)]}
    (sentence,) = verdicts(compare(table_of(systems), draws=10))
    assert sentence.endswith("; too few permutations: with 10 the smallest possible p is .091")


@pytest.mark.parametrize(("systems", "how", "sentence"), [
    ({"a": [1, 2], "b": [1, 2]}, {}, "a and b have the same scores on theirs, 2 topics"),
    ({"a": [1, None], "b": [None, 2]}, {},
     "b and a cannot be compared on theirs: fewer than two topics in common"),
    ({"a": [1] * 4, "b": [2] * 4}, {"test": "t"},
     "b and a cannot be compared on theirs: all differences are the same"),
])  # fmt: skip
def test_pairs_without_an_answer(systems, how, sentence):
    assert verdicts(compare(table_of(systems), **how)) == [sentence]
    assert verdicts(compare(table_of({"a": [1, 2]}))) == []


def test_the_best_meets_the_next_and_a_baseline_that_was_named():
    means = {"bart": 0.75, "t5": 0.5, "lead": 0.25}
    table = table_of({name: [mean + n / 64 for n in range(12)] for name, mean in means.items()})
    # 2 of 4,096 choices of signs: times three for all pairs, times two against the baseline.
    three, two = "corrected p = .001)", "corrected p < .001)"
    next_one = "bart is better than t5 on theirs by 0.250 (0.250 to 0.250, "
    lead = f"bart is better than lead on theirs by 0.500 (0.500 to 0.500, {two}"
    assert verdicts(compare(table)) == [next_one + three]
    assert verdicts(compare(table, baseline="lead")) == [next_one + three, lead]
    assert verdicts(compare(table, baseline="t5")) == [next_one + two]
    assert verdicts(compare(table, correction="none")) == [f"{next_one}p < .001)"]


def test_an_interval_without_0_is_said_to_be_before_correction_where_the_test_says_unclear():
    """Of 32 choices of signs two are as far as 5 equal ones: p = .0625, corrected for 3 pairs."""
    systems = {"a": [3.0, 3.1, 3.2, 3.3, 3.4], "b": [2.0] * 5, "c": [1.0] * 5}
    (sentence,) = verdicts(compare(table_of(systems)))
    start = "a and b do not differ significantly on theirs: a is ahead by 1.200 (1."
    assert sentence.startswith(start)
    assert " before correction, corrected p = .19)" in sentence
    assert sentence.endswith("; too few topics: with 5 the smallest possible corrected p is .19")
    (alone,) = verdicts(compare(table_of({name: systems[name] for name in "ab"})))
    assert "before correction" not in alone and " by the bootstrap, p = .062)" in alone


@pytest.mark.parametrize(("metric", "ahead"), [("theirs", "b"), ("js_divergence", "a")])
def test_the_system_that_is_ahead_is_named_by_the_topics_that_both_have(metric, ahead):
    """a has a topic of its own, 9, which b lacks; on the three others b has 1 more."""
    systems = {"a": [1, 2, 3, 9], "b": [2, 3, 4, None]}
    (sentence,) = verdicts(compare(table_of(systems, f"{metric}.value")))
    assert f": {ahead} is ahead by 1.000 (1.000 to 1.000 by the bootstrap, p = .25)" in sentence


def means_of(systems, *columns):
    """{system: one row of values per topic}."""
    by_topic = {name: {f"t{k}": row for k, row in enumerate(of)} for name, of in systems.items()}
    return scored(by_topic, columns)


@pytest.fixture
def drawn(monkeypatch, tmp_path):
    """The panels that are drawn, as Vega gets them."""
    pytest.importorskip("altair")
    from summetry.reports import system_chart

    charts = []
    monkeypatch.setattr(system_chart, "write_chart", lambda chart, path: charts.append(chart))

    def draw(function, *arguments):
        getattr(system_chart, function)(*arguments, tmp_path / "x.svg")
        return json.loads(charts.pop().to_json())

    return draw


def points(panel, chart):
    """The rows of a panel, in their order, wherever Altair has put them."""
    holders = (panel["layer"][-1], panel, chart)
    data = next(holder["data"] for holder in holders if "data" in holder)
    return chart["datasets"][data["name"]] if "name" in data else data["values"]


SYSTEMS = {"lead": [[0.25, 5.0], [0.75, 9.0]], "bart": [[0.5, 8.0], [1.0, 9.0]]}
COLUMNS = (Column("rouge2", "f"), Column("js_divergence"))


def test_each_metric_has_a_panel_of_its_main_value_with_the_best_first_and_t_intervals(drawn):
    chart = drawn("plot_systems", means_of(SYSTEMS, *COLUMNS).means())
    rouge, divergence = (points(panel, chart) for panel in chart["vconcat"])
    assert [row["system"] for row in rouge] == ["bart", "lead"]
    # Of a divergence the lower one is better: 7 and 8.5.
    means = [(row["system"], row["mean"]) for row in divergence]
    assert means == [("lead", 7.0), ("bart", 8.5)]
    # Both standard deviations are 0.5 / sqrt(2), of two topics: the standard error is 0.25, and
    # 0.25 times t of one degree, 3.18, leads out of what ROUGE can be.
    assert t.ppf(0.975, 1) * 0.25 > 3
    assert (rouge[0]["low"], rouge[0]["high"]) == (0, 1)
    titles = [panel["layer"][-1]["encoding"]["x"]["title"] for panel in chart["vconcat"]]
    assert titles == ["rouge2.f", "js_divergence, lower is better"]
    assert chart["title"]["subtitle"] == "means with 95 % t intervals, 2 topics"
    columns = (Column("rouge-1", "recall"), Column("rouge-1", "f"))
    chart = drawn("plot_systems", means_of(SYSTEMS, *columns).means())
    (panel,) = chart["vconcat"]
    assert panel["layer"][-1]["encoding"]["x"]["title"] == "rouge-1.f"
    assert [row["mean"] for row in points(panel, chart)] == [8.5, 7.0]


def test_a_comparison_is_drawn_with_the_intervals_of_its_table_and_one_topic_has_none(drawn):
    ranking = compare(means_of(SYSTEMS, *COLUMNS), "rouge2", alpha=0.1)
    chart = drawn("plot_rankings", [ranking])
    (panel,) = chart["vconcat"]
    rows = [(row["system"], row["low"], row["high"]) for row in points(panel, chart)]
    assert rows == [(one.system, one.low, one.high) for one in ranking.systems]
    assert chart["title"]["subtitle"] == "means with 90 % bootstrap intervals, 2 topics"
    systems = {"lead": [[0.25]], "bart": [[np.nan]]}
    chart = drawn("plot_systems", means_of(systems, COLUMNS[0]).means())
    (panel,) = chart["vconcat"]
    assert [row["system"] for row in points(panel, chart)] == ["lead"]
    assert len(panel["layer"]) == 1
    assert chart["title"]["subtitle"] == "means, 1 topic"


def test_every_name_is_in_the_picture_and_nothing_to_draw_is_an_error(tmp_path):
    pytest.importorskip("vl_convert")
    from summetry.reports.system_chart import plot_systems

    names = [f"system-{number:02}" for number in range(40)]
    systems = {name: [[rank / 50], [rank / 60]] for rank, name in enumerate(names)}
    plot_systems(means_of(systems, COLUMNS[0]).means(), tmp_path / "x.svg")
    picture = (tmp_path / "x.svg").read_text()
    assert all(name in picture for name in names)
    nothing = means_of({"bart": [[np.nan]]}, COLUMNS[0]).means()
    with pytest.raises(SummetryError, match=r"x\.svg: there is no score to draw"):
        plot_systems(nothing, tmp_path / "x.svg")


def test_where_all_numbers_are_the_same_the_axis_goes_around_them(drawn):
    """Vega would write a single tick, 1, below a mean of 0.6667."""
    same = {"lead": [[2 / 3, 5.0, -4.0]] * 3, "bart": [[2 / 3, 5.0, -4.0]] * 3}
    columns = (Column("rouge2", "f"), Column("length"), Column("other"))
    panels = drawn("plot_systems", means_of(same, *columns).means())["vconcat"]
    scales = [panel["layer"][-1]["encoding"]["x"]["scale"] for panel in panels]
    assert [scale["domain"] for scale in scales] == [[0, 1], [2.5, 7.5], [-6, -2]]
    chart = drawn("plot_systems", means_of(SYSTEMS, *COLUMNS).means())
    assert "domain" not in chart["vconcat"][0]["layer"][-1]["encoding"]["x"]["scale"]


@pytest.mark.parametrize("function", ["plot_systems", "plot_rankings"])
def test_a_system_with_an_infinite_mean_is_named_where_it_cannot_be_drawn(drawn, function):
    column = Column("kl_divergence", "missed")
    systems = {"void": [[math.inf], [1.0]], "lead": [[2.0], [4.0]], "bart": [[3.0], [4.0]]}
    table = means_of(systems, column)
    what = table.means() if function == "plot_systems" else [compare(table, draws=20)]
    chart = drawn(function, what)
    (panel,) = chart["vconcat"]
    assert [row["system"] for row in points(panel, chart)] == ["lead", "bart"]
    assert "; infinite, so not drawn: void (kl_divergence" in chart["title"]["subtitle"]
