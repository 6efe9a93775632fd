"""The script of pages makes the same HTML as Python, to the last character."""

import json
from importlib.resources import files

import pytest
from lit_cases import demo_items, lit_choices, lit_without, strange_items
from strategies import comparison_from

from summetry.metrics import METRICS, Explanation, Part, Sheet
from summetry.records.batches import compare_texts
from summetry.reports.lit.html import lit_html
from summetry.reports.lit.payload import MOST_ROWS, LitTopic

SCRIPT = (files("summetry.reports") / "static" / "lit.js").read_text(encoding="utf-8")


@pytest.fixture
def in_browser(shared_page):
    page = shared_page()
    page.set_content("<!doctype html><title>lit</title>")
    page.add_script_tag(content=SCRIPT)

    def make(topic, items, level=3, against=""):
        arguments = json.dumps([topic, items, level, against])
        return page.evaluate("arguments => lit.html(...JSON.parse(arguments))", arguments)

    def make_each(topic, items):
        each = "([topic, items]) => items.map(item => lit.html(topic, [item]))"
        return page.evaluate(f"pair => ({each})(JSON.parse(pair))", json.dumps([topic, items]))

    make.each, make.page = make_each, page
    return make


@pytest.mark.parametrize("half", [0, 1])
def test_all_metrics_on_the_demo_corpus(in_browser, demo_topic, half):
    topic, items = demo_topic[0], demo_topic[1][half::2]
    assert in_browser.each(topic, items) == [lit_html(topic, [item]) for item in items]


def test_two_systems_a_chosen_reference_and_a_system_without_a_value(in_browser, demo):
    # Metrics that highlight different things.
    topic, items = demo_items(demo, ["rouge-2", "lcs", "pyramid", "memog"])
    first, second, names = items[0], items[-1], ["m1", "m2", "m3"]
    assert lit_choices(topic, first) == names
    assert in_browser.page.evaluate("pair => lit.choices(...pair)", [topic, first]) == names
    # Its headings are of another level, too.
    for against in ("", *names, "nobody"):
        both = in_browser(topic, [first, second], 2, against)
        assert both == lit_html(topic, [first, second], 2, against)
    name = topic["texts"][first["of"]]["name"]
    bare = in_browser.page.evaluate("pair => lit.without(...pair)", [topic, name])
    assert bare == lit_without(topic, name)
    for shown in ([bare], [bare, items[1]], [items[1], bare]):
        assert in_browser(topic, shown) == lit_html(topic, shown)


def test_overlaps_other_scripts_names_that_are_markup_and_figures(in_browser):
    topic, items = strange_items()
    assert in_browser.each(topic, items) == [lit_html(topic, [item]) for item in items]
    # 1/32 and its odd multiples lie halfway between two numbers of four decimals.
    values = [0.03125, 0.09375, -0.15625, 1e-5, 0.00005, 12.5, 1 / 3, None]
    items = [{**items[0], "values": [[items[0]["metric"], value]]} for value in values]
    assert in_browser.each(topic, items) == [lit_html(topic, [item]) for item in items]


@pytest.mark.parametrize("seeds", [4, pytest.param(40, marks=pytest.mark.slow)])
def test_generated_comparisons(in_browser, seeds):
    topic, items = LitTopic(), []
    for seed in range(seeds):
        comparison = comparison_from(seed)
        for name in METRICS.names():
            items.append(topic.add(name, METRICS.build(name).explain(comparison), comparison))
    made = in_browser.each(topic.data(), items)
    assert made == [lit_html(topic.data(), [item]) for item in items]


@pytest.mark.parametrize(("more", "said"), [(1, "and 1 more row<"), (1200, "and 1,200 more rows<")])
def test_rows_that_are_not_shown_are_counted(in_browser, more, said):
    sheet = Sheet("All", ("number",), tuple((float(k),) for k in range(MOST_ROWS + more)))
    part = Part("x", {}, {"value": "1"}, (), tables=(sheet,))
    explained = Explanation("m", "1", "candidate", {"value": 1.0}, (part,))
    topic = LitTopic()
    item = topic.add("m", explained, compare_texts("a", ["b"], None, "en"))
    assert said in lit_html(topic.data(), [item])
    assert in_browser(topic.data(), [item]) == lit_html(topic.data(), [item])
