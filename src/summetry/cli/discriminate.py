"""``summetry discriminate``: do metrics find the differences that people find?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Annotated, get_args

import click

from summetry.arguments import counter
from summetry.cli import _names, _progress, _scored
from summetry.cli._options import (
    AlphaOption,
    ByOption,
    DimensionsOption,
    ProtocolsOption,
    ScoresArgument,
    shared,
)
from summetry.cli._output import echo_notes
from summetry.cli._parameters import choice, flag, option
from summetry.errors import SummetryError
from summetry.files import write_whole
from summetry.metaeval.discrimination import DiscriminateSettings, Pairs, Test, discriminate_nulls
from summetry.metaeval.discrimination import discriminate as discriminate_by
from summetry.metaeval.selection import JudgedScores, Selection, judged_parts
from summetry.records.topics import By
from summetry.reports.discrimination import (
    VerdictTable,
    discrimination_sheets,
    nist_layout,
    printed_discrimination,
)
from summetry.reports.sheets import check_ending, write_sheets
from summetry.reports.words import heading_of
from summetry.stats.significance import DRAWS


@shared(_scored.JudgedOptions)
def discriminate(
    scores: ScoresArgument,
    options: _scored.JudgedOptions,
    dimension: DimensionsOption = None,
    test: Annotated[
        str, option("NAMES", "What decides that systems differ: tukey, t, permutation.")
    ] = "tukey",
    alpha: AlphaOption = 0.05,
    pairs: Annotated[
        Pairs, choice("All pairs, or those of a candidate and a reference only.")
    ] = "all",
    protocol: ProtocolsOption = None,
    by: ByOption = None,
    nist: Annotated[bool, flag("--nist", "Print the counts in the layout of NIST.")] = False,
) -> None:
    """Count pairs of systems on which a metric and people agree.

    Each pair is tested by the metric's scores and by people's judgments: is one system
    significantly better, and which? Without --metric every metric is taken by its main value;
    without --dimension every dimension is tested.

    \b
    Examples:
        summetry discriminate my-corpus -m npower -m rouge-2.recall
        summetry discriminate scores.csv --judgments my-corpus --test tukey --nist
    """
    if nist and options.as_json:
        raise SummetryError("--nist does not go with --json, which has the same counts")
    read_from = (*scores, options.judgments)
    options.check_output(*read_from)
    asked = _names.names_in("--test", test)
    tests: tuple[Test, ...] = _names.known_names("test", asked, get_args(Test))
    draws = options.draws or DRAWS
    settings = [DiscriminateSettings(t, alpha, pairs, draws, options.seed) for t in tests]
    protocols = _names.known_protocols(protocol)
    named, people = options.metric or (), dimension or ()
    read = options.read_or_score(scores, protocols, people, True)
    selection = Selection(protocols, people, by, options.exclude or (), bool(named), named)
    corpus = _scored.judged_corpus(read, scores, people)
    parts, notes = judged_parts(read.tables, corpus, selection)
    echo_notes(notes)
    tables = _tables(parts, settings, by)
    sheets = discrimination_sheets(tables)
    about = {"settings": {"tests": list(tests), **asdict(settings[0])}}
    del about["settings"]["test"]
    if not nist:
        options.show(sheets, about, printed=printed_discrimination(sheets), inputs=read_from)
        return
    text = nist_layout(tables)
    click.echo(text)
    if options.output and check_ending(options.output) == "txt":
        write_whole(options.output, f"{text}\n")
    elif options.output:
        write_sheets(sheets, options.output, about, read_from)


def _tables(
    parts: Sequence[JudgedScores], settings: Sequence[DiscriminateSettings], by: By | None
) -> list[VerdictTable]:
    if settings[0].pairs == "candidate_reference" and not any(map(_has_references, parts)):
        raise SummetryError(
            "--pairs candidate_reference needs scores and judgments of references too; references "
            "have scores under --protocol all_peers"
        )
    by_title: dict[str, list[JudgedScores]] = {}
    for part in parts:
        title = heading_of(part.protocol, f"{by} {part.part}" if by else "")
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
    results = [
        [
            *discriminate_by(part.grid, part.marks, settings, tick),
            *discriminate_nulls(part, settings),
        ]
        for part in parts
    ]
    return VerdictTable(title, parts, settings, [one for mine in results for one in mine])


def _has_references(part: JudgedScores) -> bool:
    return "reference" in part.grid.roles
