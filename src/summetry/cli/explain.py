"""``summetry explain``: why a summary has the score it has."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Annotated, Any

import typer

from summetry.cli._inputs import (
    CandidateOption,
    ColumnsOption,
    CorpusArgument,
    FormatOption,
    Inputs,
    JsonOption,
    LanguageOption,
    MetricOption,
    ProtocolOption,
    ReferenceOption,
    SourceOption,
    wanted_metrics,
)
from summetry.engine.chunks import build_metrics
from summetry.engine.plan import Item, Plan, check_needs
from summetry.errors import SummetryError, UnknownNameError
from summetry.metrics._base import NEEDED, offers
from summetry.reports.explain import explanation
from summetry.reports.tables import console


def explain(
    corpus: CorpusArgument = None,
    metric: MetricOption = None,
    topic: Annotated[str | None, typer.Option(help="The topic; needed for a CORPUS.")] = None,
    author: Annotated[str | None, typer.Option(help="The author; needed for a CORPUS.")] = None,
    candidate: CandidateOption = None,
    reference: ReferenceOption = None,
    source: SourceOption = None,
    protocol: ProtocolOption = "no_models",
    as_json: JsonOption = False,
    format: FormatOption = None,
    columns: ColumnsOption = "",
    language: LanguageOption = "",
) -> None:
    """Show what matched, and the formula with its numbers.

    \b
    Example:
        summetry explain my-corpus -m unit_overlap --topic t01 --author lead
    """
    inputs = Inputs(corpus, candidate, reference or (), source, format, columns, language, protocol)
    with inputs.plan() as plan:
        built = [m for m, _ in build_metrics(wanted_metrics(metric, plan))]
        check_needs(built, plan)
        item = _find(plan, topic, author)
    found = []
    for chosen in built:
        for comparison in item.comparisons:
            lacking = chosen.needs & ~offers(comparison)
            if lacking:
                what = " and ".join(NEEDED[need][0] for need in lacking)
                typer.echo(f"note: {chosen.name} has no value here, for want of {what}", err=True)
                continue
            found.append((chosen.explain(comparison), comparison))
    if as_json:
        typer.echo(json.dumps([_as_json(e) for e, _ in found], ensure_ascii=False, indent=2))
        return
    out = console()
    for number, (explained, comparison) in enumerate(found):
        if number:
            out.print()
        out.print(explanation(explained, comparison))


def _find(plan: Plan, topic: str | None, author: str | None) -> Item:
    items = list(plan.items()) if plan.facts.items == 1 else plan.items()
    if isinstance(items, list):
        return items[0]
    if topic is None or author is None:
        raise SummetryError(f"{plan.name} has many summaries: name one with --topic and --author")
    topics, authors = set(), set()
    for item in items:
        if item.row.topic == topic:
            if item.row.author == author:
                return item
            authors.add(item.row.author)
        topics.add(item.row.topic)
    if topic not in topics:
        raise UnknownNameError("topic", topic, topics)
    raise UnknownNameError(f"author of a summary of {topic}", author, authors)


def _as_json(explained: Any) -> Any:
    found = dataclasses.asdict(explained)
    values = found["values"]
    found["values"] = {n: None if math.isnan(v) else v for n, v in values.items()}
    return found
