"""``summetry discriminate``: do metrics find the differences that people find?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Annotated, NamedTuple, get_args

import typer

from summetry.cli import _inputs, _progress, _scored
from summetry.cli._json import print_json
from summetry.errors import SummetryError
from summetry.files import write_whole
from summetry.metaeval.correlations import counter
from summetry.metaeval.discrimination import Deciding, Discriminating, Pairs, Test
from summetry.metaeval.discrimination import discriminate as discriminate_by
from summetry.metaeval.judged import By, Choice, Judged, judged_parts
from summetry.reports.correlations import PROTOCOL_WORDS
from summetry.reports.discrimination import discrimination_sheet, nist_layout
from summetry.reports.sheets import (
    Sheet,
    check_ending,
    print_sheets,
    sheets_as_json,
    write_sheets,
)
from summetry.reports.tables import console
from summetry.stats.significance import DRAWS


class Table(NamedTuple):
    """What stands in one table: all dimensions of a protocol and part, by one test."""

    title: str
    judged: list[Judged]
    deciding: Deciding
    lines: list[Discriminating]


def discriminate(
    scores: _scored.ScoresArgument,
    judgments: _scored.JudgmentsOption = None,
    dimension: _scored.DimensionsOption = None,
    metric: _inputs.MetricOption = None,
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
    exclude: _scored.ExcludeOption = None,
    protocol: _scored.ProtocolsOption = None,
    by: _scored.ByOption = None,
    nist: Annotated[
        bool, typer.Option("--nist", help="Print the counts in the layout of NIST.")
    ] = False,
    draws: _scored.DrawsOption = DRAWS,
    seed: _scored.SeedOption = 0,
    output: _scored.OutputOption = None,
    as_json: _inputs.JsonOption = False,
    format: _inputs.FormatOption = None,
    columns: _inputs.ColumnsOption = "",
    language: _inputs.LanguageOption = "",
    on_error: _inputs.OnErrorOption = "stop",
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
    if nist and as_json:
        raise SummetryError("--nist does not go with --json, which has the same counts")
    if output:
        _scored.check_output(output, [scores, judgments])
    asked = _scored.names_in("--test", test)
    tests: tuple[Test, ...] = _scored.known_names("test", asked, get_args(Test))
    ways = [Deciding(one, alpha, pairs, draws, seed) for one in tests]
    protocols = _scored.known_protocols(protocol)
    read = _scored.ScoresInput(
        scores, metric or (), judgments, protocols, format, language, on_error, columns
    ).read()
    choice = Choice(protocols, dimension or (), by, exclude or (), all_values=bool(metric))
    judged, notes = judged_parts(read.tables, _scored.judged_corpus(read, scores), choice)
    for note in notes:
        typer.echo(f"note: {note}", err=True)
    tables = _tables(judged, ways, by)
    sheets = [_sheet(table, len(tables), len(ways)) for table in tables]
    plain = _nist_text(tables) if nist else ""
    settings = {"tests": list(tests), **asdict(ways[0])}
    del settings["test"]
    if as_json:
        print_json(sheets_as_json(sheets, {"settings": settings}))
    elif nist:
        typer.echo(plain)
    else:
        print_sheets(console(), sheets)
    if output:
        if nist and check_ending(output) == "txt":
            write_whole(output, f"{plain}\n")
            written = [output]
        else:
            written = write_sheets(sheets, output, {"settings": settings})
        if not (as_json or nist):
            _scored.tell_written(written)


def _tables(judged: Sequence[Judged], ways: Sequence[Deciding], by: By | None) -> list[Table]:
    models = any("reference" in one.grid.roles for one in judged)
    if ways[0].pairs == "peers_models" and not models:
        raise SummetryError(
            "--pairs peers_models needs scores and marks of models too; models have scores under "
            "--protocol all_peers"
        )
    parts: dict[str, list[Judged]] = {}
    for one in judged:
        protocol = PROTOCOL_WORDS.get(one.protocol, one.protocol)
        title = f"{protocol}, {by} {one.part}" if by else protocol
        parts.setdefault(title, []).append(one)
    with _progress.progress_bar("values compared") as show:
        tick = counter(len(ways) * sum(len(one.grid.columns) for one in judged), show)
        return [_table(title, part, way, tick) for title, part in parts.items() for way in ways]


def _table(title: str, judged: list[Judged], way: Deciding, tick: Callable[[], None]) -> Table:
    if not any("reference" in one.grid.roles for one in judged):
        # All pairs are of peers there, and all count.
        way = replace(way, pairs="all")
    found = [discriminate_by(one.grid, one.marks, way, tick) for one in judged]
    return Table(title, judged, way, [line for lines in found for line in lines])


def _sheet(table: Table, tables: int, tests: int) -> Sheet:
    first = table.judged[0]
    words = [first.protocol, first.part, table.deciding.test] if tables > 1 else []
    name = "_".join(filter(None, ["discrimination", *words])).replace(" ", "_")
    which = f"{table.title}, {table.deciding.test}" if tests > 1 else table.title
    title = f"Do metrics find the differences between systems that people find? ({which})"
    notes = [note for one in table.judged for note in (*one.grid.notes, *one.notes)]
    made = discrimination_sheet(name, title, table.lines, table.deciding)
    return replace(made, notes=(*made.notes, *dict.fromkeys(notes)))


def _nist_text(tables: Sequence[Table]) -> str:
    if len(tables) == 1:
        return nist_layout(tables[0].lines)
    return "\n\n".join(
        f"{table.title}, {table.deciding.test}\n\n{nist_layout(table.lines)}" for table in tables
    )
