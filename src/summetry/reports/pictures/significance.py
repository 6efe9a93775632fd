"""Which systems differ: a square of all pairs, by shape and by words.

A filled triangle that points upwards: the system of the row is better than that of the column. A
hollow one that points downwards: it is worse. A dot: no difference was seen. Of few systems each
cell has its p, too.
"""

from __future__ import annotations

from itertools import combinations

from summetry.errors import counted
from summetry.metaeval.columns import short_name
from summetry.metaeval.rankings import Ranking, having_p
from summetry.reports.pictures._matrix import square
from summetry.reports.pictures.drawing import element, text, titled
from summetry.reports.pictures.picture import Picture, named
from summetry.reports.pictures.systems import tested_pairs
from summetry.reports.sheets import Heading, Sheet
from summetry.reports.verdicts import printed_p
from summetry.reports.words import CORRECTIONS, PAIRED_TESTS

# Of more systems the cells have a shape only, and p is shown under the pointer.
MOST_WITH_P = 12
_LARGE, _SMALL = (60.0, 42.0), (26.0, 24.0)
_ABOVE, _BELOW = ("better", "higher"), ("worse", "lower")


def significance_picture(ranking: Ranking) -> Picture:
    """All pairs of systems of a ranking, best first."""
    names = [one.system for one in ranking.systems]
    pairs, alpha = tested_pairs(ranking), ranking.settings.alpha
    has_p = len(names) <= MOST_WITH_P
    size = _LARGE if has_p else _SMALL

    def cell(row: int, column: int, x: float, y: float) -> str:
        if row == column:
            box = {"x": x + 1, "y": y + 1, "width": size[0] - 2, "height": size[1] - 2}
            return element("rect", class_="none", **box)
        pair = pairs[names[row], names[column]]
        verdict = ranking.verdict(pair)
        middle, top = x + size[0] / 2, y + (15.0 if has_p else size[1] / 2)
        p = "" if verdict == "undefined" else printed_p(pair.corrected, alpha)
        about = f"{names[row]} {_WORDS[verdict]} {names[column]}" + (f" (p {p})" if p else "")
        drawn = [titled(about), _shape(verdict, middle, top)]
        if has_p and p:
            drawn.append(text(p.removeprefix("= "), middle, y + size[1] - 5, "middle", "axis"))
        return f"<g>{''.join(drawn)}</g>"

    content, whole = square(names, size, cell)
    title = f"Which systems differ by {short_name(ranking.column)}?"
    name = named("significance", ranking.column.name)
    rows = tuple(
        (a, b, pairs[a, b].difference, pairs[a, b].corrected, ranking.verdict(pairs[a, b]))
        for a, b in combinations(names, 2)
    )
    columns = (
        Heading("first"), Heading("second"), Heading("difference", digits=4),
        Heading("corrected_p", digits=4, is_p=True), Heading("verdict"),
    )  # fmt: skip
    return Picture(
        _description(ranking), _caption(ranking), whole, content,
        Sheet(name, title, columns, rows, ranking.notes),
    )  # fmt: skip


_WORDS = {
    "better": "is better than",
    "worse": "is worse than",
    "higher": "is higher than",
    "lower": "is lower than",
    "unclear": "does not differ significantly from",
    "undefined": "cannot be compared with",
}


def _shape(verdict: str, x: float, y: float) -> str:
    if verdict in _ABOVE:
        return element("path", class_="above", d=f"M{x - 7:g} {y + 5:g}h14l-7 -12z")
    if verdict in _BELOW:
        return element("path", class_="below", d=f"M{x - 6:g} {y - 5:g}h12l-6 10z")
    if verdict == "unclear":
        return element("circle", class_="unclear", cx=x, cy=y, r=2)
    return text("–", x, y + 4, "middle", "axis")


def _description(ranking: Ranking) -> str:
    names, pairs = [one.system for one in ranking.systems], tested_pairs(ranking)
    sentences = []
    for place, name in enumerate(names[:-1]):
        after = names[place + 1 :]
        beaten = [o for o in after if ranking.verdict(pairs[name, o]) in _ABOVE + _BELOW]
        if beaten:
            sentences.append(f"{name} differs significantly from {', '.join(beaten)}")
    whole = f"{counted(len(names), 'system')}, {counted(len(ranking.pairs), 'pair')}."
    return f"{whole} {'; '.join(sentences) or 'No two differ significantly'}."


def _caption(ranking: Ranking) -> str:
    settings = ranking.settings
    above, below = ("higher", "lower") if ranking.better == "neither" else ("better", "worse")
    words = (
        f"▲ the system of the row is {above} than that of the column, ▽ {below}, "
        f"· no difference seen. {PAIRED_TESTS[settings.test].capitalize()}"
    )
    tests = len(having_p(ranking.pairs))
    if settings.corrects(tests):
        words += f", p corrected by {CORRECTIONS[settings.correction]} for {counted(tests, 'pair')}"
    if ranking.is_named:
        words += f" (those of {ranking.baseline} for {ranking.family():,})"
    return f"{words}."
