"""``summetry explain``: why a summary has the score it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from rich.text import Text

from summetry.cli._inputs import Inputs, metrics_to_run
from summetry.cli._options import TopicOption, shared
from summetry.cli._output import echo_notes, print_json
from summetry.cli._parameters import flag, option
from summetry.engine.chunks import Requested
from summetry.engine.languages import with_language
from summetry.engine.plan import Item, Plan, check_needs
from summetry.engine.run import Run
from summetry.engine.targets import with_majority
from summetry.errors import SummetryError, UnknownNameError, first_names, must_be_known
from summetry.metrics import Explanation, Needs
from summetry.metrics.base import NEEDED, offers
from summetry.records.scores import Column, ScoreTable
from summetry.reports.as_data import as_data
from summetry.reports.explain import ExplanationReport
from summetry.reports.formulas import figure
from summetry.reports.lit.differences import differ_most
from summetry.reports.tables import console, empty_table


@shared(Inputs)
def explain(
    inputs: Inputs,
    topic: TopicOption = None,
    system: Annotated[str | None, option("NAME", "The system, where there are several.")] = None,
    full: Annotated[bool, flag("--full", "Show whole texts and lists, however long.")] = False,
    differ: Annotated[
        tuple[str, str] | None,
        option("SYSTEM SYSTEM", "List the topics by how far two systems differ, instead."),
    ] = None,
) -> None:
    """Show why a summary has its score.

    The reference stands beside the summary with what matched marked in both; the formulas are
    shown with their numbers, then what matched, strongest first, and what was not.

    \b
    Example:
        summetry explain long.jsonl -m rouge1 --id 3 --system bart
        summetry explain long.jsonl -m rouge1 --differ bart t5
    """
    with inputs.plan("explain") as plan:
        requested, guess = with_language(metrics_to_run(inputs, plan, everything=False), plan)
        check_needs(requested, plan)
        if differ:
            _print_differences(Run(plan, requested).table(), requested, differ, inputs.as_json)
            return
        item = _find(plan, topic, system)
    reports = []
    notes: dict[str, None] = {guess: None} if guess else {}
    for request in requested:
        metric = request.metric
        for comparison in with_majority(item.comparisons, [metric]):
            absent = metric.needs & ~Needs(offers(comparison))
            if absent:
                what = " and ".join(NEEDED[need][0] for need in absent)
                notes[f"{request.name} has no value here: it needs {what}"] = None
                continue
            explained = metric.explain(comparison)
            report = ExplanationReport(
                request.name, explained, comparison, metric.legend, full or inputs.as_json
            )
            reports.append(report)
    echo_notes(notes)
    if inputs.as_json:
        print_json([_as_json(report.name, report.explained) for report in reports])
        return
    out = console()
    for number, report in enumerate(reports):
        if number:
            out.print()
        out.print(report)


def _print_differences(
    table: ScoreTable, requested: Sequence[Requested], systems: tuple[str, str], as_json: bool
) -> None:
    """For each metric the topics, the largest difference of its one value, or headline, first."""
    known = dict.fromkeys(row.author for row in table.rows)
    for system in systems:
        must_be_known("system", system, known)
    found = []
    for request in requested:
        value = request.values[0] if len(request.values) == 1 else request.metric.headline
        name = Column(request.name, value).name
        numbers = table.column(name).tolist()
        keys = ((row.topic, row.author) for row in table.rows)
        found.append(differ_most(dict(zip(keys, numbers, strict=True)), *systems, name))
    if as_json:
        print_json([as_data(differences) for differences in found])
        return
    out = console()
    for number, differences in enumerate(found):
        if number:
            out.print()
        out.print(Text(f"{differences.of}: {systems[0]} minus {systems[1]}", style="bold"))
        sheet = empty_table(["id", *systems, "difference"])
        for row in differences.rows:
            both = figure(row.first), figure(row.second)
            sheet.add_row(row.topic, *both, f"{row.difference:+.4f}")
        out.print(sheet)
        echo_notes(dict.fromkeys(differences.notes))


def _as_json(name: str, explained: Explanation) -> dict[str, Any]:
    data: dict[str, Any] = as_data(explained)
    head = {"metric": name, "spelling": data.pop("metric")}
    return head | {"topic": data.pop("topic"), "system": data.pop("author")} | data


def _find(plan: Plan, topic: str | None, system: str | None) -> Item:
    """The one summary that is named, or the only one there is."""
    topics: dict[str, None] = {}
    of_topic: dict[str, None] = {}
    found: list[Item] = []
    for item in plan.items():
        topics[item.row.topic] = None
        if topic in (None, item.row.topic):
            of_topic[item.row.author] = None
            if system in (None, item.row.author):
                found.append(item)
    if topic is not None and not of_topic:
        raise UnknownNameError("id", topic, topics)
    if not found:
        assert system is not None
        what = f"system with a summary of {topic}" if topic else "system"
        raise UnknownNameError(what, system, of_topic)
    names = {(item.row.topic, item.row.author): None for item in found}
    if len(names) == 1:
        return found[0]
    # What there is only one of need not be named.
    ids, systems = (list(dict.fromkeys(both)) for both in zip(*names, strict=True))
    ways = [
        f"{option} ({first_names(known)})"
        for option, known in (("--id", ids), ("--system", systems))
        if len(known) > 1
    ]
    where = "" if len(ways) > 1 else f" of id {ids[0]}" if len(ids) == 1 else f" of {systems[0]}"
    raise SummetryError(
        f"{plan.name} has {len(names):,} summaries{where}: name one with {' and '.join(ways)}"
    )
