"""``summetry metrics``, ``summetry formats`` and ``summetry summarizers``: what there is."""

from __future__ import annotations

import dataclasses
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from summetry import spec
from summetry.cli._options import JsonOption
from summetry.cli._output import print_json
from summetry.formats import FORMATS
from summetry.metrics import FAMILIES, METRICS
from summetry.metrics.base import NEEDED
from summetry.reports.tables import console, plain_table
from summetry.summarizers import SUMMARIZERS, Learning

# What cannot be measured automatically (Steinberger and Jezek 2009, 3.1).
_QUALITY = (
    "grammaticality, non-redundancy, reference clarity, coherence: judged by people. "
    "`summetry compare CORPUS --dimension NAME` ranks systems by their judgments, "
    "`summetry agreement CORPUS --dimension NAME` shows how far the judges agree."
)
# On fewer columns a table of four columns folds names in the middle.
WIDE = 120


def metrics(as_json: JsonOption = False) -> None:
    """List all metrics, with what each needs.

    They stand in the order of the taxonomy of summary evaluation.

    \b
    Example:
        summetry metrics --json
    """
    listed = [_metric(name) for name in METRICS.names()]
    if as_json:
        print_json(listed)
        return
    out = console()
    for family in dict.fromkeys([*FAMILIES, *(entry["family"] for entry in listed)]):
        entries = [entry for entry in listed if entry["family"] == family]
        if entries or family == "quality":
            out.print(FAMILIES.get(family, family), style="bold")
            if family == "quality":
                out.print(Padding(_QUALITY, (0, 0, 0, 2)))
            rows = [
                [e["name"], ", ".join(e["values"]), "; ".join(e["needs"]), e["what"]]
                for e in entries
            ]
            if rows:
                _print_things(out, ["name", "values", "needs", "what it is"], rows, 2)
            out.print()
    _print_aliases(METRICS.aliases())


def formats(as_json: JsonOption = False) -> None:
    """List all formats that are read and written.

    \b
    Example:
        summetry formats
    """
    listed = [
        {"name": name, "what": FORMATS.get(name).title, "written": FORMATS.get(name).can_write}
        for name in FORMATS.names()
    ]
    if as_json:
        print_json(listed)
        return
    rows = [[str(f["name"]), "yes" if f["written"] else "no", str(f["what"])] for f in listed]
    console().print(plain_table(["name", "written", "what it is"], rows))


def summarizers(as_json: JsonOption = False) -> None:
    """List all summarizers, with their options.

    \b
    Example:
        summetry summarizers
    """
    listed = [_summarizer(name) for name in SUMMARIZERS.names()]
    if as_json:
        print_json(listed)
        return
    rows = [
        [s["name"], ", ".join(s["options"]), "yes" if s["learns"] else "no", s["what"]]
        for s in listed
    ]
    _print_things(console(), ["name", "options", "learns", "what it is"], rows, 0)
    console().print()
    _print_aliases(SUMMARIZERS.aliases())


def _print_things(out: Console, headings: list[str], rows: list[list[str]], indent: int) -> None:
    """A table; in a narrow terminal, where cells would be folded, a paragraph for each row."""
    if out.width >= WIDE:
        out.print(Padding(plain_table(headings, rows), (0, 0, 0, indent)))
        return
    for name, *facts, what in rows:
        out.print(Padding(Text(name, style="bold"), (0, 0, 0, indent)))
        labelled = zip(headings[1:], facts, strict=False)
        for line in (what, *(f"{heading}: {fact}" for heading, fact in labelled if fact)):
            out.print(Padding(line, (0, 0, 0, indent + 2)))


def _print_aliases(aliases: dict[str, str]) -> None:
    if aliases:
        rows = [[alias, meant] for alias, meant in aliases.items()]
        console().print(plain_table(["alias", "stands for"], rows))


def _summarizer(name: str) -> dict[str, Any]:
    cls = SUMMARIZERS.get(name)
    return {
        "name": name,
        "options": [spec.option_name(option) for option in dataclasses.fields(cls)],  # type: ignore[arg-type]
        "learns": issubclass(cls, Learning),
        "what": _first_line(cls),
    }


def _first_line(cls: type) -> str:
    """What a class is, by its docstring, without the marks of code."""
    return (cls.__doc__ or "").strip().partition("\n")[0].replace("``", "")


def _metric(name: str) -> dict[str, Any]:
    metric = METRICS.build(name)
    needs = [NEEDED[need][0] for need in metric.needs]
    options = [spec.option_name(option) for option in dataclasses.fields(metric)]  # type: ignore[arg-type]
    return {
        "name": name,
        "family": metric.family,
        "values": list(metric.values),
        "needs": needs,
        "options": options,
        "better": dict(metric.better),
        "what": _first_line(type(metric)),
    }
