"""What a notebook shows of a score table, a comparison or a correlation: HTML with our pictures.

Each output brings its own style, which holds inside of it only: a notebook has no stylesheet of
ours. It is dark where the page says that it is (JupyterLab, Visual Studio Code, Colab), elsewhere
light. What is not HTML, such as a terminal, shows the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from summetry.errors import SummetryError, counted, in_python
from summetry.metaeval.columns import headlines, short_name
from summetry.metaeval.correlation_tables import Correlations
from summetry.metaeval.grids import grid_of, protocols_of
from summetry.metaeval.rankings import Ranking
from summetry.records.scores import ScoreTable, html_table
from summetry.reports.pictures.correlations import correlations_table, correlations_title
from summetry.reports.pictures.css import rules, stylesheet, variables
from summetry.reports.pictures.drawing import safe
from summetry.reports.pictures.heat_map import heat_map, heat_table
from summetry.reports.pictures.significance import significance_picture
from summetry.reports.pictures.systems import caption_of, ranking_table
from summetry.reports.words import heading_of

# Of more columns a score table shows the main value of each metric; so many systems are shown.
MOST_COLUMNS, MOST_SYSTEMS = 12, 100
# Notebooks style tables by two classes and names of elements, which ours has to outdo.
_ROOT = ".summetry.summetry.summetry"
# What of the stylesheet is needed: tables, charts, and words in them.
_NEEDED = re.compile(
    r"(table|thead|tbody|tfoot|th|td|tr|svg|figure|\.(scroll|ranking|rank|heatmap|plot|left|wide|number|"
    r"quiet|small|nowrap|visually-hidden|interval|chart))(?![\w-])"
)
# A page that says nothing is white, however dark the reader's computer is.
_DARK_THEMES = (
    'body[data-jp-theme-light="false"]',
    "body.vscode-dark",
    'html[theme="dark"]',
    'html[data-theme="dark"]',
    'body[data-theme="dark"]',
)


def scores_html(table: ScoreTable) -> str:
    """The means of the systems as a heat map; as text where they cannot be a grid."""
    try:
        parts = [_scores_of(table, protocol) for protocol in protocols_of(table)]
    except SummetryError:
        parts = []
    if not parts:
        return html_table(repr(table))
    about = (
        f"Means over topics; {counted(len(table), 'summary')}, "
        f"{counted(len(table.columns), 'value')}. The stronger the tint, the better within its "
        "column. .to_pandas() has each score"
    )
    notes = f"; .notes has {counted(len(table.notes), 'note')}" if table.notes else ""
    return _output([*parts, _small(f"{about}{notes}.")])


def _scores_of(table: ScoreTable, protocol: str) -> str:
    grid = grid_of(table, protocol)
    columns = list(grid.columns)
    if len(columns) > MOST_COLUMNS:
        columns = [columns[place] for place in headlines(columns)]
    heat = heat_map(grid, columns)
    heading = _heading(heading_of(protocol))
    if len(heat.systems) <= MOST_SYSTEMS:
        return heading + heat_table(heat)
    some = heat_map(grid, columns, systems=heat.systems[:MOST_SYSTEMS])
    left = f"{MOST_SYSTEMS} of {counted(len(heat.systems), 'system')}, best first."
    return heading + heat_table(some) + _small(left)


def rankings_html(rankings: Sequence[Ranking], verdicts: Sequence[str]) -> str:
    """The verdicts, then the systems by each metric, with all pairs folded away."""
    parts = [f"<p>{safe(in_python(line))}</p>" for line in verdicts]
    for ranking in rankings:
        parts += [
            _heading(short_name(ranking.column)),
            ranking_table(ranking),
            _small(caption_of(ranking)),
        ]
        if len(ranking.systems) > 2:
            pairs = significance_picture(ranking)
            parts.append(f"<details><summary>{safe(pairs.title)}</summary>{pairs.figure}</details>")
    return _output([*parts, _small(".report() has the tests; .to_pandas() the numbers.")])


def correlations_html(correlations: Correlations) -> str:
    """The metrics by how well they follow the judges, a table for each dimension and level."""
    parts = []
    for table in correlations.tables:
        parts += [_heading(correlations_title(table))]
        parts += [correlations_table(table, correlations.settings)]
    parts += [_small(in_python(note)) for note in correlations.notes]
    return _output([*parts, _small(".report() has all tables; .to_pandas() the numbers.")])


def _output(parts: Iterable[str]) -> str:
    return f'<div class="summetry"><style>{_style()}</style>{"".join(parts)}</div>'


def _heading(words: str) -> str:
    return f'<p class="heading">{safe(words)}</p>' if words else ""


def _small(words: str) -> str:
    return f'<p class="small quiet">{safe(words)}</p>'


@cache
def _style() -> str:
    """The rules for tables and charts, each for what is inside of an output only."""
    inside = [f"{_ROOT} {{ {_OWN} }}", *(f"{_ROOT} {rule}" for rule in _ALSO)]
    for rule in rules(stylesheet()):
        # A comma in brackets is part of a selector.
        every = re.split(r",\s*(?![^(]*\))", rule.selectors)
        kept = [one for one in every if _NEEDED.match(one)]
        if kept and not rule.around:
            inside.append(f"{', '.join(f'{_ROOT} {one}' for one in kept)} {{ {rule.body} }}")
    used = set(re.findall(r"var\((--[\w-]+)\)", " ".join(inside)))
    light, dark = (
        " ".join(f"{name}: {value};" for name, value in variables(is_dark).items() if name in used)
        for is_dark in (False, True)
    )
    themes = ", ".join(f"{name} {_ROOT}" for name in _DARK_THEMES)
    sheet = [
        f"{_ROOT} {{ {light} color-scheme: light; }}",
        f"{themes} {{ {dark} color-scheme: dark; }}",
        *inside,
    ]
    return re.sub(r"\s+", " ", " ".join(sheet))


_OWN = (
    "color: var(--ink); background: var(--paper); font: 400 15px/1.5 var(--sans); "
    "padding: 12px 16px; max-width: 76rem;"
)
_ALSO = (
    "* { box-sizing: border-box; }",
    "tr { background: none; }",
    "table { margin: 0; table-layout: auto; border: 0; }",
    "th, " + _ROOT + " td { max-width: none; line-height: 1.5; color: inherit; border: 0; }",
    "p { margin: 4px 0; max-width: 60em; }",
    "p.heading { font-weight: 600; margin: 16px 0 4px; }",
    "summary { cursor: pointer; margin: 8px 0; }",
    "figure { margin: 8px 0; }",
)
