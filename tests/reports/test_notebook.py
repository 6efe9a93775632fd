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


def test_a_score_table_shows_the_means_that_its_text_has(shown):
    table = shown["scores"]
    html = Words(table._repr_html_())
    assert {"careful", "rouge-1", "js_divergence", "lower is better"} <= set(html.words)
    means = [mean for row in table.means().means().tolist() for mean in row]
    cells = [float(attrs["data-value"]) for tag, attrs in html.tags if "data-value" in attrs]
    assert sorted(cells) == pytest.approx(sorted(means))
    assert repr(table).startswith("system")


def test_a_comparison_begins_with_its_verdicts(shown):
    html = Words(shown["compared"]._repr_html_())
    assert html.words[: len(shown["compared"].verdicts)] == shown["compared"].verdicts
    assert {"1", "careful", "Group", "Which systems differ by rouge-1?"} <= set(html.words)


def test_a_correlation_has_its_coefficients_and_what_stands_beside_them(shown):
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


def test_of_many_values_the_main_ones_are_shown_and_of_many_systems_the_best():
    columns = tuple(Column(f"m{k}", part) for k in range(5) for part in ("a", "b", "c"))
    table = generated([f"s{k}" for k in range(120)], ["t1", "t2"], columns)
    html = Words(table._repr_html_())
    assert [word for word in html.words if re.fullmatch(r"m\d", word)] == [
        f"m{k}" for k in range(5)
    ]
    assert sum(tag == "tr" for tag, _ in html.tags) == 101
    assert "100 of 120 systems, best first." in html.words


def test_each_protocol_has_a_table_of_its_own():
    rows = tuple(Row(p, "t1", "lead", "candidate") for p in ("no_models", "all_peers"))
    html = Words(ScoreTable(rows, (Column("m"),), np.array([[0.5], [0.25]]))._repr_html_())
    assert "All Peers" in html.words and html.words.count("lead") == 2


@pytest.mark.parametrize(
    "rows", [(), (Row("no_models", "t1", "lead", "candidate"),) * 2], ids=["empty", "twice"]
)
def test_what_cannot_be_a_grid_is_shown_as_text(rows):
    table = ScoreTable(rows, (Column("m"),), np.zeros((len(rows), 1)))
    assert table._repr_html_().startswith("<pre>")


THEMES = {
    "JupyterLab, light": ('data-jp-theme-light="true"', False),
    "JupyterLab, dark": ('data-jp-theme-light="false"', True),
    "Visual Studio Code, light": ('class="vscode-light"', False),
    "Visual Studio Code, dark": ('class="vscode-dark"', True),
    "a dark page of documentation": ('data-theme="dark"', True),
}


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_output_is_as_dark_as_its_notebook(shown, open_page, theme, scheme):
    body, is_dark = THEMES[theme]
    page = open_page(color_scheme=scheme)
    page.set_content(f"<body {body}>{shown['compared']._repr_html_()}</body>")
    colours = page.evaluate("""() => {
        const own = getComputedStyle(document.querySelector(".summetry"));
        return [own.backgroundColor, own.color];
    }""")
    assert colours == [_rgb(variables(is_dark)[name]) for name in ("--paper", "--ink")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_elsewhere_an_output_is_as_light_as_its_page(shown, open_page, scheme):
    page = open_page(color_scheme=scheme)
    page.set_content(f"<body>{shown['scores']._repr_html_()}</body>")
    colour = page.evaluate("getComputedStyle(document.querySelector('.summetry')).backgroundColor")
    assert colour == _rgb(variables()["--paper"])


def test_the_style_of_a_notebook_does_not_spoil_a_table(shown, open_page):
    # So JupyterLab styles the tables of outputs.
    theirs = (
        ".jp-RenderedHTMLCommon tbody tr:nth-child(even) { background: #f00 } "
        ".jp-RenderedHTMLCommon td { max-width: 9px; border: 3px solid }"
    )
    page = open_page()
    html = shown["scores"]._repr_html_()
    page.set_content(f'<style>{theirs}</style><div class="jp-RenderedHTMLCommon">{html}</div>')
    assert (
        page.evaluate("""() => [...document.querySelectorAll("tr")].map(
        one => getComputedStyle(one).backgroundColor)""")
        == ["rgba(0, 0, 0, 0)"] * 7
    )
    assert page.evaluate("getComputedStyle(document.querySelector('td')).maxWidth") == "none"


def _rgb(colour):
    return f"rgb({', '.join(str(int(colour[k : k + 2], 16)) for k in (1, 3, 5))})"
