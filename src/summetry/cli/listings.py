"""``summetry metrics``, ``summetry formats`` and ``summetry summarizers``: what there is."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

from rich.padding import Padding
from rich.table import Table

from summetry import spec
from summetry.cli._options import JsonOption
from summetry.cli._output import print_json
from summetry.cli._parameters import argument
from summetry.formats import FORMATS
from summetry.metrics import FAMILIES, METRICS
from summetry.metrics.base import NEEDED, build_metric
from summetry.reports.tables import FoldingConsole, console, plain_table
from summetry.summarizers import SUMMARIZERS, Learning

# What cannot be measured automatically (Steinberger and Jezek 2009, 3.1).
_QUALITY = (
    "grammaticality, non-redundancy, reference clarity, coherence: judged by people. "
    "`summetry compare CORPUS --dimension NAME` ranks systems by their judgments, "
    "`summetry agreement CORPUS --dimension NAME` shows how far the judges agree. Indicators that "
    "people can check are below."
)
# On fewer columns a table of four columns folds names in the middle.
WIDE = 120


def metrics(
    name: Annotated[str | None, argument("NAME", "A metric, to be shown with its options.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List all metrics, with what each needs; or show one.

    They stand in the order of the taxonomy of summary evaluation.

    \b
    Examples:
        summetry metrics
        summetry metrics rouge1
    """
    if name is not None:
        _show_metric(name, as_json)
        return
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
                out.print(f"  {_QUALITY}", indent="  ")
            rows = [
                [e["name"], ", ".join(e["values"]), _needed(e["needs"]), e["what"]] for e in entries
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


def _show_metric(typed: str, as_json: bool) -> None:
    """What one metric is, with the options that the name stands for."""
    metric, _ = build_metric(typed)
    facts = _metric(metric.name) | {
        "name": typed,
        "spelling": spec.show(metric),
        "legend": metric.legend,
        "range": list(metric.bounds),
        "options": {
            spec.option_name(option): _spelt(getattr(metric, option.name))
            for option in dataclasses.fields(metric)  # type: ignore[arg-type]
        },
        "page": f"docs/metrics/{metric.name}.md",
    }
    if as_json:
        print_json(facts)
        return
    low, high = (f"{bound:g}" for bound in metric.bounds)
    better = {value: facts["better"].get(value, "higher") for value in metric.values}
    shown = ", ".join(f"{way} ({value})" for value, way in better.items())
    if len(set(better.values())) == 1:
        (shown,) = set(better.values())
    is_said = facts["what"].startswith(facts["legend"])
    lines = {
        typed: facts["spelling"],
        "what it is": facts["what"] if is_said else f"{facts['what']} {facts['legend']}.",
        "values": f"{', '.join(metric.values)} (shown first: {metric.headline})",
        "range": f"{low} to {high}",
        "better": shown,
        "needs": _needed(facts["needs"]),
        "options": ", ".join(f"{name}={value}" for name, value in facts["options"].items()),
        "page": facts["page"],
    }
    table = Table.grid(padding=(0, 2))
    for heading, words in lines.items():
        table.add_row(heading, words)
    console().print(table)


def _needed(needs: list[str]) -> str:
    return "; ".join(needs) or "nothing beside the summary"


def _spelt(value: Any) -> str:
    if dataclasses.is_dataclass(value):
        return spec.show(value)
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _print_things(
    out: FoldingConsole, headings: list[str], rows: list[list[str]], indent: int
) -> None:
    """A table; in a narrow terminal, where cells would be folded, a paragraph for each row."""
    if out.width >= WIDE:
        out.print(Padding(plain_table(headings, rows), (0, 0, 0, indent)))
        return
    further = " " * (indent + 2)
    for name, *facts, what in rows:
        out.print(f"{'':{indent}}{name}", style="bold")
        labelled = zip(headings[1:], facts, strict=False)
        for line in (what, *(f"{heading}: {fact}" for heading, fact in labelled if fact)):
            out.print(f"{further}{line}", indent=further)


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
