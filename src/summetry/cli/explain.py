"""``summetry explain``: why a summary has the score it has."""

from __future__ import annotations

from typing import Annotated

from summetry.cli._inputs import Inputs, metrics_to_run
from summetry.cli._options import TopicOption, option, shared
from summetry.cli._output import echo_notes, print_json
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
    topic: TopicOption = None,
    author: Annotated[str | None, option("NAME", "The author, where there are several.")] = None,
) -> None:
    """Show what matched, and the formula with its numbers.

    \b
    Example:
        summetry explain my-corpus -m unit_overlap --topic t01 --author lead
    """
    with inputs.plan() as plan:
        requested = metrics_to_run(inputs, plan, everything=False)
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
                notes[f"{chosen.name} has no value here, for want of {what}"] = None
            else:
                explanations.append((chosen.explain(comparison), comparison))
    echo_notes(notes)
    if inputs.as_json:
        print_json([explained for explained, _ in explanations])
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
