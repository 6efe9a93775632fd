"""``summetry metrics`` and ``summetry formats``: what there is."""

from __future__ import annotations

import dataclasses
from typing import Any

from summetry.cli._inputs import JsonOption
from summetry.cli._json import print_json
from summetry.formats import FORMATS
from summetry.metrics import FAMILIES, METRICS
from summetry.metrics._base import NEEDED
from summetry.reports.tables import console, plain_table


def metrics(as_json: JsonOption = False) -> None:
    """List all metrics, with what each needs.

    They stand in the order of the taxonomy of summary evaluation.

    \b
    Example:
        summetry metrics --json
    """
    found = [_metric(name) for name in METRICS.names()]
    if as_json:
        print_json(found)
        return
    out = console()
    for family in dict.fromkeys([*FAMILIES, *(entry["family"] for entry in found)]):
        entries = [entry for entry in found if entry["family"] == family]
        if entries:
            out.print(FAMILIES.get(family, family), style="bold")
            rows = [
                [f"  {e['name']}", ", ".join(e["values"]), "; ".join(e["needs"]), e["what"]]
                for e in entries
            ]
            out.print(plain_table(["  name", "values", "needs", "what it is"], rows))
            out.print()
    aliases = METRICS.aliases()
    if aliases:
        out.print(plain_table(["alias", "stands for"], [[a, b] for a, b in aliases.items()]))


def formats(as_json: JsonOption = False) -> None:
    """List all formats that are read and written.

    \b
    Example:
        summetry formats
    """
    found = [
        {"name": name, "what": FORMATS.get(name).title, "written": FORMATS.get(name).can_write}
        for name in FORMATS.names()
    ]
    if as_json:
        print_json(found)
        return
    rows = [[str(f["name"]), "yes" if f["written"] else "no", str(f["what"])] for f in found]
    console().print(plain_table(["name", "written", "what it is"], rows))


def _metric(name: str) -> dict[str, Any]:
    metric = METRICS.build(name)
    what = (type(metric).__doc__ or "").strip().partition("\n")[0]
    needs = [NEEDED[need][0] for need in metric.needs]
    options = [option.name for option in dataclasses.fields(metric)]  # type: ignore[arg-type]
    return {
        "name": name,
        "family": metric.family,
        "values": list(metric.values),
        "needs": needs,
        "options": options,
        "better": dict(metric.better),
        "what": what,
    }
