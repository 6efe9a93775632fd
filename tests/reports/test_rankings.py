"""Rankings as sentences on pairs of systems, worked by hand, and as charts with intervals."""

import json
import math

import numpy as np
import pytest
from pictured import scored
from rankings import compare, table_of
from scipy.stats import t

from summetry.errors import SummetryError
from summetry.records.scores import Column
from summetry.reports.verdicts import verdict_sentence, verdicts

# All eight differences are 0.25: two of 256 choices of signs are as far, so p is .008.
BETTER = {"lead": [0.5] * 8, "bart": [0.75] * 8}
# Differences of 1 to 8 divided by 100: the mean is 0.045.
RISING = {"a": [0.5 + n / 100 for n in range(1, 9)], "b": [0.5] * 8}
# Differences of 0.1 and -0.08 by turns: the mean is 0.01.
TURNING = {"bart": [0.6, 0.42] * 15, "t5": [0.5] * 30}
# A third one far below makes three comparisons, which share alpha.
THIRD = {"c": [gap / 7 for gap in [0.1, -0.08] * 15]}
# Of 32 choices of signs two are as far as 5 equal differences: p is .0625, three times .19.
FIVE = {"a": [3.0, 3.1, 3.2, 3.3, 3.4], "b": [2.0] * 5}
# a has a topic of its own, 9, which b lacks; on the three others b has 1 more.
OWN = {"a": [1, 2, 3, 9], "b": [2, 3, 4, None]}
MEANS = {"bart": 0.75, "t5": 0.5, "lead": 0.25}
# 2 of 4,096 choices of signs: times three for all pairs, times two against the baseline.
THREE = {name: [mean + n / 64 for n in range(12)] for name, mean in MEANS.items()}
# By two systems' scores: the values, whose scores they are, and how they are compared.
SENTENCES = {
    "a headline by its metric": ("ROUGE-2.f", BETTER, {}),
    "another value by its name": ("ROUGE-2.recall", BETTER, {}),
    "lower is better": ("js_divergence.value", RISING, {}),
    "without a direction": (
        "compression.value", {"a": [0.25] * 8, "b": [0.5] * 8}, {"metric": "compression"}),
    "on common topics": ("theirs.value", {"a": [0.5] * 8 + [9], "b": [0.75] * 8 + [None]}, {}),
    "a tiny difference": ("theirs.value", {"a": [0.5 + 2**-12] * 8, "b": [0.5] * 8}, {}),
    "equal means": ("theirs.value", {"a": [1, 2, 3, 4] * 2, "b": [2, 1, 4, 3] * 2}, {}),
    "no difference seen": ("theirs.value", TURNING, {"draws": 500}),
    "no difference of three": ("theirs.value", TURNING | THIRD, {"draws": 500}),
    # Of three topics the smallest p is 2 / 8, of ten draws and the seen one 1 / 11.
    "too few topics": ("theirs.value", {"a": [4, 6, 8], "b": [3, 4, 5]}, {}),
    "too few permutations": (
        "theirs.value",
        {"a": [n + 1 for n in range(30)], "b": [n + (n % 3 - 1) / 2 for n in range(30)]},
        {"draws": 10}),
    "the same scores": ("theirs.value", {"a": [1, 2], "b": [1, 2]}, {}),
    "no topics in common": ("theirs.value", {"a": [1, None], "b": [None, 2]}, {}),
    "equal differences by t": ("theirs.value", {"a": [1] * 4, "b": [2] * 4}, {"test": "t"}),
    "the best and the next": ("theirs.value", THREE, {}),
    "a baseline": ("theirs.value", THREE, {"baseline": "lead"}),
    "the next as baseline": ("theirs.value", THREE, {"baseline": "t5"}),
    "uncorrected": ("theirs.value", THREE, {"correction": "none"}),
    # An interval without 0 is said to be before correction where the test says unclear.
    "an interval before correction": ("theirs.value", FIVE | {"c": [1.0] * 5}, {}),
    "an interval by the bootstrap": ("theirs.value", FIVE, {}),
    "ahead on common topics": ("theirs.value", OWN, {}),
    "ahead where lower is better": ("js_divergence.value", OWN, {}),
}  # fmt: skip


@pytest.mark.parametrize("case", SENTENCES)
def test_a_sentence_says_what_the_test_of_a_pair_says(case, snapshot):
    name, systems, how = SENTENCES[case]
    assert "\n".join(verdicts(compare(table_of(systems, name), **how))) == snapshot


def test_the_worse_one_of_a_pair_may_come_first_and_a_note_says_what_cannot_be_shown():
    ranking = compare(table_of(BETTER))
    sentence = "lead is worse than bart on theirs by 0.250 (0.250 to 0.250, p = .008)"
    assert verdict_sentence(ranking, ranking.against[0]) == sentence
    ranking = compare(table_of(RISING, "js_divergence.value"))
    start = "a is worse than b on js_divergence (lower is better) by 0.045 (0.0"
    assert verdict_sentence(ranking, ranking.against[0]).startswith(start)
    few = compare(table_of({"a": [4, 6, 8], "b": [3, 4, 5]}))
    assert few.notes[0].startswith("nothing can be significant here")


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

    names = [f"system-{number:02}" for number in range(16)]
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
