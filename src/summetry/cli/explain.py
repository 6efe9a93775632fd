"""``summetry explain``: why a summary has the score it has."""

from __future__ import annotations

import dataclasses
from typing import Annotated

import typer

from summetry.cli._inputs import Inputs, wanted_metrics
from summetry.cli._json import print_json
from summetry.cli._options import shared
from summetry.engine.chunks import build_metrics
from summetry.engine.plan import Item, Plan, check_needs
from summetry.engine.targets import with_majority
from summetry.errors import SummetryError, UnknownNameError
from summetry.metrics import Needs
from summetry.metrics.base import NEEDED, offers
from summetry.reports.explain import explanation
from summetry.reports.tables import console


@shared(Inputs)
def explain(
    inputs: Inputs,
    topic: Annotated[
        str | None, typer.Option(metavar="NAME", help="The topic, where there are several.")
    ] = None,
    author: Annotated[
        str | None, typer.Option(metavar="NAME", help="The author, where there are several.")
    ] = None,
) -> None:
    """Show what matched, and the formula with its numbers.

    \b
    Example:
        summetry explain my-corpus -m unit_overlap --topic t01 --author lead
    """
    with inputs.plan() as plan:
        requested = build_metrics(wanted_metrics(inputs.metric, plan))
        built = [request.metric for request in requested]
        check_needs(built, plan)
        item = _find(plan, topic, author)
    explanations = []
    notes: dict[str, None] = {}
    for chosen in built:
        for comparison in with_majority(item.comparisons, [chosen]):
            lacking = chosen.needs & ~Needs(offers(comparison))
            if lacking:
                what = " and ".join(NEEDED[need][0] for need in lacking)
                notes[f"note: {chosen.name} has no value here, for want of {what}"] = None
            else:
                explanations.append((chosen.explain(comparison), comparison))
    for note in notes:
        typer.echo(note, err=True)
    if inputs.as_json:
        print_json([dataclasses.asdict(explained) for explained, _ in explanations])
        return
    out = console()
    for number, (explained, comparison) in enumerate(explanations):
        if number:
            out.print()
        out.print(explanation(explained, comparison))


def _find(plan: Plan, topic: str | None, author: str | None) -> Item:
    if plan.facts.items > 1 and (topic is None or author is None):
        raise SummetryError(f"{plan.name} has many summaries: name one with --topic and --author")
    topics, authors = set(), set()
    for item in plan.items():
        if topic in (None, item.row.topic):
            if author in (None, item.row.author):
                return item
            authors.add(item.row.author)
        topics.add(item.row.topic)
    if topic is not None and not authors:
        raise UnknownNameError("topic", topic, topics)
    assert author is not None
    raise UnknownNameError(f"author of a summary of {topic or min(topics)}", author, authors)
