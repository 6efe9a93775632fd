"""``summetry where``: the file and line that define a thing."""

from __future__ import annotations

from typing import Annotated

import click

from summetry.cli._options import JsonOption
from summetry.cli._output import print_json
from summetry.cli._parameters import argument
from summetry.errors import SummetryError, did_you_mean
from summetry.formats import FORMATS
from summetry.metrics import METRICS
from summetry.registry import Registry
from summetry.summarizers import SUMMARIZERS


def where(
    name: Annotated[str, argument("NAME", "A metric, a format or a summarizer.")],
    as_json: JsonOption = False,
) -> None:
    """Print the file and line where NAME is defined.

    \b
    Example:
        summetry where unit_overlap
    """
    # Of a spelling with options, the name.
    name = name.partition("(")[0].strip()
    registries: list[Registry] = [METRICS, FORMATS, SUMMARIZERS]  # type: ignore[type-arg]
    known = [known for registry in registries for known in (*registry.names(), *registry.aliases())]
    if name not in known:
        raise SummetryError(
            f"no metric, format or summarizer is named {name!r}.{did_you_mean(name, known)} "
            "`summetry metrics`, `summetry formats` and `summetry summarizers` list all."
        )
    place_by_kind = {
        registry.kind: registry.where(name)
        for registry in registries
        if name in registry.names() or name in registry.aliases()
    }
    if as_json:
        places = [(kind, *place.rpartition(":")) for kind, place in place_by_kind.items()]
        print_json([{"kind": k, "file": file, "line": int(line)} for k, file, _, line in places])
        return
    for place in place_by_kind.values():
        click.echo(place)
