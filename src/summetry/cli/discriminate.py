"""``summetry discriminate``: do metrics find the differences that people find?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Annotated, get_args

import typer

from summetry.cli import _progress, _scored
from summetry.cli._options import shared
from summetry.errors import SummetryError
from summetry.files import write_whole
from summetry.metaeval.correlations import counter
from summetry.metaeval.discrimination import DiscriminateSettings, Pairs, Test
from summetry.metaeval.discrimination import discriminate as discriminate_by
from summetry.metaeval.selection import By, JudgedScores, Selection, judged_parts
from summetry.reports.discrimination import VerdictTable, discrimination_sheets, nist_layout
from summetry.reports.sheets import check_ending, write_sheets
from summetry.reports.words import PROTOCOLS


@shared(_scored.JudgedOptions)
def discriminate(
    scores: _scored.ScoresArgument,
    given: _scored.JudgedOptions,
    dimension: _scored.DimensionsOption = None,
    test: Annotated[
        str,
        typer.Option(
            metavar="NAMES", help="What decides that systems differ: tukey, t, permutation."
        ),
    ] = "tukey",
    alpha: _scored.AlphaOption = 0.05,
    pairs: Annotated[
        Pairs, typer.Option(help="Pairs of all systems, or of a peer and a model only.")
    ] = "all",
    protocol: _scored.ProtocolsOption = None,
    by: _scored.ByOption = None,
    nist: Annotated[
        bool, typer.Option("--nist", help="Print the counts in the layout of NIST.")
    ] = False,
) -> None:
    """Count pairs of systems on which metrics and people agree.

    Each pair is tested by the metric's scores and by people's marks: is one significantly better,
    and which? Without --metric every metric is taken by its main value, without --dimension every
    dimension.

    \b
    Examples:
        summetry discriminate my-corpus -m npower -m rouge_n.recall
        summetry discriminate scores.csv --judgments my-corpus --test tukey,t --nist
    """
    if nist and given.as_json:
        raise SummetryError("--nist does not go with --json, which has the same counts")
    given.check_output(scores, given.judgments)
    asked = _scored.names_in("--test", test)
    tests: tuple[Test, ...] = _scored.known_names("test", asked, get_args(Test))
    settings = [DiscriminateSettings(t, alpha, pairs, given.draws, given.seed) for t in tests]
    protocols = _scored.known_protocols(protocol)
    read = given.read(scores, protocols)
    selection = Selection(protocols, dimension or (), by, given.exclude or (), bool(given.metric))
    parts, notes = judged_parts(read.tables, _scored.judged_corpus(read, scores), selection)
    for note in notes:
        typer.echo(f"note: {note}", err=True)
    tables = _tables(parts, settings, by)
    sheets = discrimination_sheets(tables)
    about = {"settings": {"tests": list(tests), **asdict(settings[0])}}
    del about["settings"]["test"]
    if not nist:
        given.show(sheets, about)
        return
    text = nist_layout(tables)
    typer.echo(text)
    if given.output and check_ending(given.output) == "txt":
        write_whole(given.output, f"{text}\n")
    elif given.output:
        write_sheets(sheets, given.output, about)


def _tables(
    parts: Sequence[JudgedScores], settings: Sequence[DiscriminateSettings], by: By | None
) -> list[VerdictTable]:
    if settings[0].pairs == "peers_models" and not any(map(_has_references, parts)):
        raise SummetryError(
            "--pairs peers_models needs scores and marks of models too; models have scores under "
            "--protocol all_peers"
        )
    by_title: dict[str, list[JudgedScores]] = {}
    for part in parts:
        protocol = PROTOCOLS.get(part.protocol, part.protocol)
        title = f"{protocol}, {by} {part.part}" if by else protocol
        by_title.setdefault(title, []).append(part)
    with _progress.progress_bar("values compared") as show:
        tick = counter(len(settings) * sum(len(part.grid.columns) for part in parts), show)
        return [
            _table(title, mine, one, tick) for title, mine in by_title.items() for one in settings
        ]


def _table(
    title: str,
    parts: list[JudgedScores],
    settings: DiscriminateSettings,
    tick: Callable[[], None],
) -> VerdictTable:
    if not any(map(_has_references, parts)):
        # All pairs are of systems there, and all count.
        settings = replace(settings, pairs="all")
    results = [discriminate_by(part.grid, part.marks, settings, tick) for part in parts]
    return VerdictTable(title, parts, settings, [one for mine in results for one in mine])


def _has_references(part: JudgedScores) -> bool:
    return "reference" in part.grid.roles
