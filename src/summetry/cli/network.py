"""``summetry network``: the network of a topic's extracts, as a table or a picture."""

from __future__ import annotations

import math
from typing import Annotated

from summetry.cli._options import PictureOption, TableOptions, TopicOption, shared
from summetry.cli._output import print_json
from summetry.cli._parameters import argument, choice, flag, option
from summetry.errors import SummetryError, UnknownNameError, counted
from summetry.metrics import Needs
from summetry.metrics.base import NEEDED
from summetry.metrics.networks.closest import Criterion
from summetry.metrics.networks.network import Network
from summetry.metrics.networks.sequences import NO_SOURCE, Against, Compared, Level
from summetry.metrics.networks.sum_accy import SumAccuracy, WSumAccy, sum_accy
from summetry.records.batches import Comparison, Material, Side
from summetry.records.corpus import Corpus, join_units
from summetry.records.summaries import Summary
from summetry.records.topics import Topic
from summetry.reports.chart_files import check_picture, write_picture
from summetry.reports.networks import Labels, network_svg, print_arcs
from summetry.reports.tables import console, number


@shared(TableOptions)
def network(
    corpus: Annotated[
        str, argument("CORPUS", "A corpus with extracts, or with references that have units.")
    ],
    options: TableOptions,
    topic: TopicOption = None,
    system: Annotated[
        str | None, option("NAME", "Also show the path closest to the summary by this system.")
    ] = None,
    against: Annotated[
        Against, choice("What is merged: extracts, or references that have units.")
    ] = "extracts",
    level: Annotated[Level, choice("The topic's own units, or words.")] = "units",
    criterion: Annotated[
        Criterion, choice("Closest by the fewest edits, or by the largest accuracy.")
    ] = "distance",
    boundaries: Annotated[
        bool, flag("--boundaries", "Let the arcs at <s> and </s> count in the reliability.")
    ] = False,
    output: PictureOption = None,
) -> None:
    """Show the network of a topic's extracts.

    The extracts of all informants (or the references that have units) are merged: which unit
    follows which, and for how many people. The metrics sum_accy and wsum_accy compare a summary
    with this network.

    \b
    Example:
        summetry network my-corpus --id t01 --system lead -o network.svg
    """
    check_picture(output, "network", corpus)
    read, _ = options.read(corpus)
    chosen = _topic(read, topic)
    metric = WSumAccy(against=against, level=level, criterion=criterion, boundaries=boundaries)
    compared = metric.read_one(_comparison(read, chosen, system))
    references = compared.references
    _check(compared, chosen, system, against)
    labels = dict(enumerate(chosen.units if references.words is None else references.words))
    result = sum_accy(compared.positions, references.network, criterion, boundaries)
    target = result.target if system is not None else ()
    if output is not None:
        picture = network_svg(references.network, labels, target, result.best_path or ())
        write_picture(picture, output)
    if options.as_json:
        print_json(_as_json(chosen, references.network, result, system is not None))
    else:
        _print(references.network, result, labels, system, against)


def _topic(corpus: Corpus, name: str | None) -> Topic:
    if name is not None:
        return corpus.topic(name)
    if len(corpus.topics) != 1:
        raise SummetryError(f"the corpus has {len(corpus.topics)} topics: name one with --id")
    return corpus.topics[0]


def _comparison(corpus: Corpus, topic: Topic, system: str | None) -> Comparison:
    """The system's summary, or nothing, with the topic's extracts and references by others."""
    summaries: tuple[Summary, ...] = corpus.of_topic("summaries", topic.id)
    language = corpus.language_of(topic)
    source = join_units(topic.units, language) if topic.documents else None
    extracts = corpus.of_topic("extracts", topic.id)
    material = Material(topic.id, language, source, topic.units, topic.unit, extracts)
    candidate = Side("", "", ())
    if system is not None:
        own = [summary for summary in summaries if summary.author == system]
        if not own:
            known = [summary.author for summary in summaries]
            raise UnknownNameError(f"system with a summary of {topic.id}", system, known)
        candidate = _side(corpus, own[0])
    others = [s for s in summaries if s.role == "reference" and s.author != system]
    sides = tuple(_side(corpus, other) for other in others)
    return Comparison(material.without(candidate.author), candidate, sides)


def _check(compared: Compared, topic: Topic, system: str | None, against: Against) -> None:
    if compared.odd:
        # A metric says so in a note; a network is of one kind of units.
        raise SummetryError(
            f"the summary of {topic.id!r} by {system!r} has no units: --level words aligns its "
            f"words to the source"
        )
    if compared.references is NO_SOURCE:
        raise SummetryError(
            f"the summary of {topic.id!r} by {system!r} has no units, and the topic no source "
            f"to align its words to"
        )
    if not compared.references.sequences:
        need = Needs.EXTRACTS if against == "extracts" else Needs.REFERENCE_UNITS
        what, cure = NEEDED[need]
        raise SummetryError(f"topic {topic.id!r} has no {what} to merge; what gives it: {cure}")


def _side(corpus: Corpus, summary: Summary) -> Side:
    return Side(summary.author, corpus.text_of(summary), summary.units)


def _print(
    network: Network, result: SumAccuracy, labels: Labels, system: str | None, against: Against
) -> None:
    out = console()
    parts = {against.removesuffix("s"): network.people, "unit": len(network.units)}
    counts = [
        counted(count, noun) for noun, count in (parts | {"arc": len(network.arcs())}).items()
    ]
    out.print(", ".join([*counts, network.paths_in_words]), style="bold")
    if result.best_path is not None:
        out.print(
            f"most reliable: {_units(result.best_path)} ({number(result.best_reliability, 4)})"
        )
    if system is not None:
        out.print(f"closest to {system}: {_units(result.target)} ({number(result.reliability, 4)})")
    print_arcs(out, network, labels)


def _units(path: tuple[int, ...]) -> str:
    return " ".join(map(str, path))


def _as_json(
    topic: Topic, network: Network, result: SumAccuracy, candidate: bool
) -> dict[str, object]:
    about = {
        "target": result.target,
        "reliability": result.reliability,
        "distance": result.distance,
        "sum_accy": result.value,
        "wsum_accy": result.weighted,
    }
    return {
        "topic": topic.id,
        "people": network.people,
        # Beyond 2**53 other programs would not read the same number.
        "paths": network.paths if network.paths < 1 << 53 else None,
        "log10_paths": math.log10(network.paths),
        "units": network.units,
        "arcs": network.arcs(),
        "best_path": result.best_path,
        "best_reliability": result.best_reliability,
        **(about if candidate else {}),
    }
