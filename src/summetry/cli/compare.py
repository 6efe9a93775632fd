"""``summetry compare``: which system is better, and whether that is more than chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, ClassVar, NamedTuple

import typer

from summetry.cli import _inputs, _progress, _scored
from summetry.cli._options import (
    AlphaOption,
    OneProtocolOption,
    ReferencesOption,
    argument,
    flag,
    option,
    shared,
)
from summetry.cli._output import echo_notes, echo_written
from summetry.engine.plan import ProtocolName
from summetry.engine.run import Run
from summetry.errors import SummetryError, counted
from summetry.formats import must_exist
from summetry.formats.cells import kind_of_table
from summetry.formats.outputs import system_names
from summetry.formats.scores import is_scores
from summetry.metaeval.columns import headlines, short_name
from summetry.metaeval.comparisons import (
    CompareSettings,
    Correction,
    Ranking,
    columns_to_compare,
    compare_systems,
)
from summetry.metaeval.grids import Grid, grid_of
from summetry.records.joining import join_tables
from summetry.records.scores import Column, ScoreTable
from summetry.reports.comparisons import (
    comparison_sheets,
    printed_sheets,
    printed_verdicts,
    settings_of,
)
from summetry.reports.system_chart import plot_rankings
from summetry.reports.tables import console
from summetry.reports.verdicts import worse_sentence
from summetry.stats.contrasts import Test

# What a system is called in a table of texts that does not name it.
UNNAMED = "candidate"


@dataclass(frozen=True)
class CompareOptions(_scored.ScoresOptions):
    """The options of commands on scores; by default the metrics of ``score`` are computed."""

    everything: ClassVar[bool] = False


@shared(CompareOptions)
def compare(
    scores: Annotated[
        list[str],
        argument(
            "SCORES",
            "Files that `summetry score -o` wrote, AESOP files, a corpus, or one table of "
            "summaries and references per system.",
        ),
    ],
    options: CompareOptions,
    references: ReferencesOption = None,
    baseline: Annotated[
        str | None, option("SYSTEM", "Test all others against it; the best if not given.")
    ] = None,
    protocol: OneProtocolOption = None,
    test: Annotated[Test, typer.Option(help="The paired test.")] = "permutation",
    correction: Annotated[
        Correction, typer.Option(help="How p is corrected for several tests.")
    ] = "holm",
    alpha: AlphaOption = 0.05,
    all_pairs: Annotated[
        bool, flag("--all-pairs", "The tests of all pairs of systems too.")
    ] = False,
    fail_if_worse: Annotated[
        float | None,
        option(
            "[BY]",
            "Exit code 1 if a system is significantly worse than the baseline, and by more than "
            "BY; by default, 0.",
            min=0,
        ),
    ] = None,
    plot: Annotated[
        Path | None, option("FILE", "Draw the systems with intervals: .png .svg .html")
    ] = None,
) -> None:
    """Say which system is better, and whether it may be chance.

    First a sentence per metric, then the systems with intervals, letters for systems that do not
    differ significantly, paired tests against the best system or a baseline, and which differences
    the topics can show. Without --metric: rouge-1, rouge-2 and rouge-l.

    \b
    Examples:
        summetry compare outputs.jsonl -m rouge2
        summetry compare scores.csv -m rouge-2.recall --baseline lead --plot systems.png
        summetry compare old.jsonl new.jsonl -m rouge-2 --fail-if-worse 0.005
    """
    settings = CompareSettings(test, correction, alpha, options.draws, options.seed)
    protocol_name = _scored.one_protocol(protocol)
    options.check_output(*scores, references, charts=[plot])
    if references is None:
        read = _read(scores, protocol_name or "no_models", options)
    else:
        if options.format or protocol_name:
            raise SummetryError("--format and --protocol do not go with files of outputs")
        read = _score_outputs(scores, references, options)
    named = baseline or (read.first if fail_if_worse is not None else "")
    if fail_if_worse is not None and not named:
        raise SummetryError("--fail-if-worse needs a system to compare with: --baseline SYSTEM")
    grid = grid_of(read.table, protocol_name or "", options.exclude or ())
    columns = columns_to_compare(read.table, grid, options.metric or ())
    rankings = _compare(grid, columns, named, settings)
    if not options.metric:
        _echo_choice(columns, grid)
    if not options.as_json:
        for line in printed_verdicts(rankings):
            console().print(line, soft_wrap=True)
        console().print()
    options.show(
        comparison_sheets(rankings, all_pairs),
        {"settings": settings_of(rankings)},
        printed=printed_sheets(rankings, all_pairs, console().width),
        inputs=(*scores, references),
    )
    if plot:
        plot_rankings(rankings, plot)
        if not options.as_json:
            echo_written(plot)
    if fail_if_worse is not None:
        _fail_if_worse(rankings, fail_if_worse)


class _Read(NamedTuple):
    """Scores, and the system of the first file where each file is a system."""

    table: ScoreTable
    first: str = ""


def _read(names: Sequence[str], protocol: ProtocolName, options: CompareOptions) -> _Read:
    """The scores of all files, which are computed where texts are given."""
    by_file: dict[str, _scored.Scored] = {}
    if len(names) == 1:
        return _Read(options.read_or_score(names[0], [protocol]).tables[0])
    for name, path in zip(system_names([Path(name) for name in names]), names, strict=True):
        is_whole = Path(path).is_file() and is_scores(Path(path))
        if not (is_whole or options.format or Path(path).is_dir() or kind_of_table(Path(path))):
            must_exist(Path(path))
            raise SummetryError(
                f"{path}: plain texts need references; --references FILE names them"
            )
        # A metric that is named may be in another file of scores.
        own = replace(options, metric=None) if is_whole else options
        by_file[name] = own.read_or_score(path, [protocol])
    _check_references(by_file)
    tables = {name: _named_by_file(read.tables[0], name) for name, read in by_file.items()}
    joined = join_tables(tables)
    echo_notes(note for note in joined.notes if not any(note in t.notes for t in tables.values()))
    start = next(iter(tables))
    first = [author for author in joined.authors() if author in _also_named(tables[start], start)]
    return _Read(joined, first[0] if len(first) == 1 else "")


def _named_by_file(table: ScoreTable, name: str) -> ScoreTable:
    """The table, its only system named by the file where a table of texts does not name one."""
    if set(table.authors()) != {UNNAMED}:
        return table
    return replace(table, rows=tuple(row._replace(author=name) for row in table.rows))


def _also_named(table: ScoreTable, name: str) -> set[str]:
    """The names that the systems of a table can have among those of other tables."""
    return {form for author in table.authors() for form in (author, f"{author} ({name})")}


def _check_references(by_file: Mapping[str, _scored.Scored]) -> None:
    """Refuse files that disagree on the references of a topic: their scores say nothing."""
    seen: dict[str, tuple[str, list[str]]] = {}
    for name, read in by_file.items():
        corpus = read.corpus
        for topic in corpus.topics if corpus else ():
            assert corpus is not None
            summaries = corpus.of_topic("summaries", topic.id)
            texts = [corpus.text_of(one) for one in summaries if one.role == "reference"]
            first, known = seen.setdefault(topic.id, (name, texts))
            if sorted(known) != sorted(texts):
                raise SummetryError(
                    f"{first} and {name} have different references for {topic.id!r}, so their "
                    "scores cannot be compared; --references FILE names those for all"
                )


def _echo_choice(columns: Sequence[Column], grid: Grid) -> None:
    """Which of more values were compared, where none was named."""
    left_out = len(headlines(grid.columns)) - len(columns)
    if left_out:
        by = ", ".join(map(short_name, columns))
        more = counted(left_out, "more metric")
        echo_notes([f"compared by {by}; {more} in the scores, -m names others"])


def _score_outputs(files: Sequence[str], references: str, options: CompareOptions) -> _Read:
    """Every output scored against the references and the source of its row."""
    how = options.reading()
    plan = _inputs.outputs_plan(files, references, how)
    store = _progress.user_store()
    with _progress.progress_bar("scored", is_kept=store is not None) as show:
        metrics = _inputs.metrics_to_run(options, plan, everything=False)
        run = Run(plan, metrics, store=store, on_error=how.on_error, progress=show)
        table = run.table()
    echo_notes(run.notes)
    return _Read(table, system_names([Path(name) for name in files])[0])


def _compare(
    grid: Grid, columns: Sequence[Column], baseline: str, settings: CompareSettings
) -> list[Ranking]:
    """One comparison for each value."""
    rankings = []
    with _progress.progress_bar("pairs compared") as show:
        for number, column in enumerate(columns):

            def progress(done: int, total: int, before: int = number) -> None:
                show(before * total + done, len(columns) * total)

            rankings.append(compare_systems(grid, column, baseline, settings, progress))
    return rankings


def _fail_if_worse(rankings: Sequence[Ranking], tolerance: float) -> None:
    """Exit code 1 if a system is worse than the baseline; that it is unknown is an error."""
    for ranking in rankings:
        _check_testable(ranking)
    rule = f" by more than {tolerance:g}" if tolerance else ""
    is_failed = False
    for ranking in rankings:
        failing = ranking.worse(tolerance)
        for pair in ranking.worse():
            is_failed |= pair in failing
            end = f", more than {tolerance:g}" if tolerance else ""
            if pair not in failing:
                end = f"; --fail-if-worse {tolerance:g} tolerates it"
            start = "failed: " if pair in failing else ""
            typer.echo(f"{start}{worse_sentence(ranking, pair)}{end}", err=True)
    if is_failed:
        raise typer.Exit(1)
    names = ", ".join(short_name(ranking.column) for ranking in rankings)
    passed = f"passed: no system is significantly worse than {rankings[0].baseline}{rule}"
    notes = dict.fromkeys(note for one in rankings for note in one.unreachable_against())
    typer.echo("; ".join([f"{passed} on {names}", *notes]), err=True)


def _check_testable(ranking: Ranking) -> None:
    if ranking.better == "neither":
        raise SummetryError(
            f"--fail-if-worse: {ranking.column.name} does not say which direction is better"
        )
    if not ranking.against:
        raise SummetryError("--fail-if-worse needs a second system")
    for pair in ranking.against:
        if ranking.verdict(pair) == "undefined":
            raise SummetryError(
                f"--fail-if-worse: {pair.first} and {pair.second} cannot be tested on "
                f"{short_name(ranking.column)}: {pair.reason}"
            )
