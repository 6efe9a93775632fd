"""What a notebook shows: HTML that looks the same everywhere, and text where there is none."""

import re
from html.parser import HTMLParser

import numpy as np
import pytest
from pictured import STRANGE, generated

import summetry
from summetry.records.scores import Column, Row, ScoreTable
from summetry.reports.pictures.css import rules, variables

SETTINGS = {"draws": 100}


class Words(HTMLParser):
    """The words of HTML, and its tags."""

    def __init__(self, html):
        super().__init__()
        self.words, self.tags, self.in_style = [], [], False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.in_style = tag == "style"

    def handle_endtag(self, tag):
        self.in_style = False

    def handle_data(self, data):
        if not self.in_style:
            self.words.append(data)


@pytest.fixture(scope="module")
def shown(demo):
    """The outputs of a score table, a comparison and a correlation of the demo."""
    table = summetry.evaluate(demo, ["rouge-1", "js_divergence"])
    return {
        "scores": table,
        "compared": summetry.compare(table, **SETTINGS),
        "correlated": summetry.correlate(table, demo, dimensions="responsiveness", **SETTINGS),
    }


def test_what_an_output_shows_is_what_its_text_and_its_numbers_have(shown):
    table = shown["scores"]
    html = Words(table._repr_html_())
    assert {"careful", "rouge-1", "js_divergence", "lower is better"} <= set(html.words)
    means = [mean for row in table.means().means().tolist() for mean in row]
    cells = [float(attrs["data-value"]) for tag, attrs in html.tags if "data-value" in attrs]
    assert sorted(cells) == pytest.approx(sorted(means))
    assert repr(table).startswith("system")
    html = Words(shown["compared"]._repr_html_())
    assert html.words[: len(shown["compared"].verdicts)] == shown["compared"].verdicts
    assert {"1", "careful", "Group", "Which systems differ by rouge-1?"} <= set(html.words)
    correlated = shown["correlated"]
    html = Words(correlated._repr_html_())
    assert {"rouge-1.f", "(a judge)", "(length alone)", "(random)", "Pearson"} <= set(html.words)
    values = [float(a["data-value"]) for _, a in html.tags if "data-value" in a]
    assert {row.value for row in correlated.tables[0].rows} <= set(values)


@pytest.mark.parametrize("kind", ["scores", "compared", "correlated"])
def test_the_style_of_an_output_holds_inside_of_it_only(shown, kind):
    html = shown[kind]._repr_html_()
    style = re.search(r"<style>(.*?)</style>", html)[1]
    assert html.startswith('<div class="summetry"><style>') and html.count("<style>") == 1
    for rule in rules(style):
        for selector in re.split(r",\s*(?![^(]*\))", rule.selectors):
            assert ".summetry.summetry.summetry" in selector
    used, given = (set(re.findall(p, style)) for p in (r"var\((--[\w-]+)\)", r"(--[\w-]+):"))
    assert used == given


def test_names_of_users_are_words_in_a_notebook():
    table = generated(STRANGE, ["t1", "t2", "t3"], (Column("<b>"),))
    for one in (table, summetry.compare(table, **SETTINGS)):
        html = Words(one._repr_html_())
        assert "<script>alert(1)</script>" in "".join(html.words)
        assert "script" not in {tag for tag, _ in html.tags}


def test_the_main_values_and_best_systems_are_shown_for_each_protocol():
    columns = tuple(Column(f"m{k}", part) for k in range(5) for part in ("a", "b", "c"))
    table = generated([f"s{k}" for k in range(120)], ["t1", "t2"], columns)
    html = Words(table._repr_html_())
    metrics = [word for word in html.words if re.fullmatch(r"m\d", word)]
    assert metrics == [f"m{k}" for k in range(5)]
    assert sum(tag == "tr" for tag, _ in html.tags) == 101
    assert "100 of 120 systems, best first." in html.words
    rows = tuple(Row(p, "t1", "lead", "candidate") for p in ("no_models", "all_peers"))
    html = Words(ScoreTable(rows, (Column("m"),), np.array([[0.5], [0.25]]))._repr_html_())
    assert "All Peers" in html.words and html.words.count("lead") == 2
    # What cannot be a grid is shown as text: no rows, or a row twice.
    for some in ((), (rows[0], rows[0])):
        table = ScoreTable(some, (Column("m"),), np.zeros((len(some), 1)))
        assert table._repr_html_().startswith("<pre>")


# Attributes of JupyterLab, Visual Studio Code and a page of documentation, and whether it is dark.
THEMES = [
    ("data-jp-theme-light", "true", False), ("data-jp-theme-light", "false", True),
    ("class", "vscode-light", False), ("class", "vscode-dark", True), ("data-theme", "dark", True),
    ("class", "elsewhere", False),
]  # fmt: skip
COLOURS = """([name, value]) => {
    [...document.body.attributes].forEach(one => document.body.removeAttribute(one.name));
    document.body.setAttribute(name, value);
    const own = getComputedStyle(document.querySelector(".summetry"));
    return [own.backgroundColor, own.color];
}"""


@pytest.fixture(scope="module")
def notebooks(shown, visitor):
    """An output on a page of each scheme of colours."""
    pages = {scheme: visitor.page(color_scheme=scheme) for scheme in ("light", "dark")}
    for page in pages.values():
        page.set_content(f"<body>{shown['compared']._repr_html_()}</body>")
    return pages


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_output_is_as_dark_as_its_notebook_and_elsewhere_light(notebooks, scheme):
    for name, value, is_dark in THEMES:
        colours = notebooks[scheme].evaluate(COLOURS, [name, value])
        parts = [map(int, re.findall(r"\d+", colour)) for colour in colours]
        hexadecimal = ["#" + "".join(f"{part:02x}" for part in of) for of in parts]
        assert hexadecimal == [variables(is_dark)[name] for name in ("--paper", "--ink")], value


def test_the_style_of_a_notebook_does_not_spoil_a_table(shown, shared_page):
    # So JupyterLab styles the tables of outputs.
    theirs = (
        ".jp-RenderedHTMLCommon tbody tr:nth-child(even) { background: #f00 } "
        ".jp-RenderedHTMLCommon td { max-width: 9px; border: 3px solid }"
    )
    page = shared_page()
    html = shown["scores"]._repr_html_()
    page.set_content(f'<style>{theirs}</style><div class="jp-RenderedHTMLCommon">{html}</div>')
    rows = page.locator("tr")
    assert rows.count() == 7
    for row in rows.all():
        assert row.evaluate("row => getComputedStyle(row).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.evaluate("getComputedStyle(document.querySelector('td')).maxWidth") == "none"
