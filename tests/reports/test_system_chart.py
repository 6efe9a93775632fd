"""Systems with intervals as a picture: what is drawn, in which order, with which names."""

import json
import math

import numpy as np
import pytest
from pictured import scored
from rankings import compare
from scipy.stats import t

from summetry.errors import SummetryError
from summetry.records.scores import Column

pytest.importorskip("altair")
pytest.importorskip("vl_convert")


def table_of(systems, *columns):
    """{system: one row of values per topic}."""
    by_topic = {name: {f"t{k}": row for k, row in enumerate(of)} for name, of in systems.items()}
    return scored(by_topic, columns)


@pytest.fixture
def drawn(monkeypatch, tmp_path):
    """The panels that are drawn, as Vega gets them."""
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
    chart = drawn("plot_systems", table_of(SYSTEMS, *COLUMNS).means())
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
    chart = drawn("plot_systems", table_of(SYSTEMS, *columns).means())
    (panel,) = chart["vconcat"]
    assert panel["layer"][-1]["encoding"]["x"]["title"] == "rouge-1.f"
    assert [row["mean"] for row in points(panel, chart)] == [8.5, 7.0]


def test_a_comparison_is_drawn_with_the_intervals_of_its_table_and_one_topic_has_none(drawn):
    ranking = compare(table_of(SYSTEMS, *COLUMNS), "rouge2", alpha=0.1)
    chart = drawn("plot_rankings", [ranking])
    (panel,) = chart["vconcat"]
    rows = [(row["system"], row["low"], row["high"]) for row in points(panel, chart)]
    assert rows == [(one.system, one.low, one.high) for one in ranking.systems]
    assert chart["title"]["subtitle"] == "means with 90 % bootstrap intervals, 2 topics"
    systems = {"lead": [[0.25]], "bart": [[np.nan]]}
    chart = drawn("plot_systems", table_of(systems, COLUMNS[0]).means())
    (panel,) = chart["vconcat"]
    assert [row["system"] for row in points(panel, chart)] == ["lead"]
    assert len(panel["layer"]) == 1
    assert chart["title"]["subtitle"] == "means, 1 topic"


def test_every_name_is_in_the_picture_and_nothing_to_draw_is_an_error(tmp_path):
    from summetry.reports.system_chart import plot_systems

    names = [f"system-{number:02}" for number in range(40)]
    systems = {name: [[rank / 50], [rank / 60]] for rank, name in enumerate(names)}
    plot_systems(table_of(systems, COLUMNS[0]).means(), tmp_path / "x.svg")
    picture = (tmp_path / "x.svg").read_text()
    assert all(name in picture for name in names)
    nothing = table_of({"bart": [[np.nan]]}, COLUMNS[0]).means()
    with pytest.raises(SummetryError, match=r"x\.svg: there is no score to draw"):
        plot_systems(nothing, tmp_path / "x.svg")


@pytest.mark.parametrize("function", ["plot_systems", "plot_rankings"])
def test_a_system_with_an_infinite_mean_is_named_where_it_cannot_be_drawn(drawn, function):
    column = Column("kl_divergence", "missed")
    systems = {"void": [[math.inf], [1.0]], "lead": [[2.0], [4.0]], "bart": [[3.0], [4.0]]}
    table = table_of(systems, column)
    what = table.means() if function == "plot_systems" else [compare(table, draws=20)]
    chart = drawn(function, what)
    (panel,) = chart["vconcat"]
    assert [row["system"] for row in points(panel, chart)] == ["lead", "bart"]
    assert "; infinite, so not drawn: void (kl_divergence" in chart["title"]["subtitle"]


def test_where_all_numbers_are_the_same_the_axis_goes_around_them(drawn):
    """Vega would write a single tick, 1, below a mean of 0.6667."""
    same = {"lead": [[2 / 3, 5.0, -4.0]] * 3, "bart": [[2 / 3, 5.0, -4.0]] * 3}
    columns = (Column("rouge2", "f"), Column("length"), Column("other"))
    panels = drawn("plot_systems", table_of(same, *columns).means())["vconcat"]
    scales = [panel["layer"][-1]["encoding"]["x"]["scale"] for panel in panels]
    assert [scale["domain"] for scale in scales] == [[0, 1], [2.5, 7.5], [-6, -2]]
    chart = drawn("plot_systems", table_of(SYSTEMS, *COLUMNS).means())
    assert "domain" not in chart["vconcat"][0]["layer"][-1]["encoding"]["x"]["scale"]
