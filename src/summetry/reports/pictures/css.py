"""The stylesheets of pages, taken apart: for files of pictures and for notebooks.

A file of one picture is shown by programs that know no variables of CSS, so colours are put into
its rules; a notebook has pages of its own, so rules hold inside of one element only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from summetry.reports.plots import FONT

DARK = "(prefers-color-scheme: dark)"


class Rule(NamedTuple):
    """Selectors and what they set, inside of a rule such as ``@media`` or of none."""

    around: str
    selectors: str
    body: str


@cache
def stylesheet() -> str:
    """What a page needs that shows pictures: ``style.css`` and ``pictures.css``."""
    return "\n".join(static_text(name) for name in ("style.css", "pictures.css"))


def static_text(name: str) -> str:
    """A file that pages share."""
    return (files("summetry.reports") / "static" / name).read_text("utf-8")


def rules(css: str, around: str = "") -> Iterator[Rule]:
    """The rules of a stylesheet one by one.

    >>> list(rules("@media print { a { color: red } } b { margin: 0 }"))[0]
    Rule(around='@media print', selectors='a', body='color: red')
    """
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    start = depth = opened = 0
    for at, sign in enumerate(css):
        if sign == "{":
            depth += 1
            if depth == 1:
                opened = at
        elif sign == "}":
            depth -= 1
            if not depth:
                head, body = css[start:opened].strip(), css[opened + 1 : at].strip()
                if "{" in body:
                    yield from rules(body, head)
                else:
                    yield Rule(around, head, body)
                start = at + 1


@cache
def variables(is_dark: bool = False) -> dict[str, str]:
    """The colours and fonts of a light page, or of a dark one."""
    found: dict[str, str] = {}
    for rule in rules(stylesheet()):
        is_own = not rule.around or (is_dark and DARK in rule.around)
        if rule.selectors == ":root" and is_own:
            found |= dict(re.findall(r"(--[\w-]+):\s*([^;]+?)\s*(?:;|$)", rule.body))
    return found


@cache
def chart_style() -> str:
    """The rules of what is drawn, without variables: light, and dark for a reader who wants it."""
    light = [(rule.selectors, _without_variables(rule.body)) for rule in _chart_rules()]
    dark = [(rule.selectors, _without_variables(rule.body, True)) for rule in _chart_rules()]
    changed = [own for own, other in zip(dark, light, strict=True) if own != other]
    sheet = "\n".join(f"{selectors} {{ {body} }}" for selectors, body in light)
    other = "\n".join(f"{selectors} {{ {body} }}" for selectors, body in changed)
    return f"{sheet}\n@media {DARK} {{\n{other}\n}}"


def _chart_rules() -> list[Rule]:
    return [r for r in rules(stylesheet()) if not r.around and r.selectors.startswith(".chart ")]


def _without_variables(body: str, is_dark: bool = False) -> str:
    known = variables(is_dark) | {"--sans": FONT}
    body = re.sub(r"var\((--[\w-]+)\)", lambda found: known[found[1]], body)
    # Programs that draw know the parts of a font, not all of them its short form.
    return re.sub(
        r"font: (\d+) (\d+px) ([^;]+)", r"font-weight: \1; font-size: \2; font-family: \3", body
    )
