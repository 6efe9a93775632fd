"""How well metrics follow the marks of people: the tables of the AESOP task.

For each protocol, part of the topics, dimension of the marks and level (see ``stats.levels``) there
is a board (see ``boards``). A mark is the mean over judges.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from summetry.arguments import as_names, as_path, check_function, check_strings
from summetry.errors import SummetryError
from summetry.formats.judgments import read_judgments
from summetry.formats.scores import scores_at
from summetry.metaeval.boards import COEFFICIENTS, Board, Line, Settings, make_board
from summetry.metaeval.columns import better_of, pick_columns
from summetry.metaeval.grids import dimensions_of, grid_of, marks_of
from summetry.metaeval.judged import By, Choice, Judged, judged_parts
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, ScoreTable
from summetry.stats.levels import Level
from summetry.stats.levels import correlate as correlate_tables
from summetry.stats.resampling import Over
from summetry.stats.significance import DRAWS
from summetry.stats.weighted import Coefficient

A_JUDGE = "(a judge)"
PLACE = ("protocol", "part", "dimension", "level")
NUMBERS = tuple(field.name for field in fields(Line) if field.name != "column")


@dataclass(frozen=True)
class Correlations:
    """What :func:`correlate` finds."""

    boards: tuple[Board, ...]
    settings: Settings
    notes: tuple[str, ...] = ()

    def records(self) -> Iterator[dict[str, Any]]:
        """One record a coefficient, those of judges among them, under the metric (a judge)."""
        for board in self.boards:
            where = {name: getattr(board, name) for name in PLACE}
            for line in board.lines:
                numbers = {name: getattr(line, name) for name in NUMBERS}
                yield where | {"metric": line.column.name} | numbers
            for coefficient, top in board.ceilings.items():
                if not math.isnan(top.value):
                    own = {"coefficient": coefficient, "value": top.value}
                    own |= {"systems": board.systems, "topics": board.topics}
                    yield where | {"metric": A_JUDGE} | dict.fromkeys(NUMBERS) | own


def correlate(
    scores: ScoreTable | Sequence[ScoreTable] | Path | str,
    judgments: Corpus | Path | str,
    *,
    metrics: Sequence[str] = (),
    dimensions: Sequence[str] = (),
    levels: Sequence[Level] = ("system",),
    coefficients: Sequence[Coefficient] = COEFFICIENTS,
    by: By | None = None,
    exclude: Collection[str] = (),
    protocols: Sequence[str] = (),
    all_values: bool = True,
    over: Over = "both",
    draws: int = DRAWS,
    alpha: float = 0.05,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Correlations:
    """How well the metrics of score tables follow the judgments of a corpus.

    Names of metrics, dimensions and protocols say which are taken, all if there are none.
    """
    check_strings(over=over, by=by)
    check_function("progress", progress)
    wanted = tuple(as_names("levels", levels)), tuple(as_names("coefficients", coefficients))
    settings = Settings(*wanted, over, draws, alpha, seed)
    choice = Choice(
        as_names("protocols", protocols),
        as_names("dimensions", dimensions),
        by,
        as_names("exclude", exclude),
        all_values,
    )
    tables = _tables(scores, as_names("metrics", metrics))
    parts, notes = judged_parts(tables, _judgments(judgments), choice)
    return correlate_parts(parts, settings, notes, progress)


def correlate_parts(
    parts: Sequence[Judged],
    settings: Settings,
    notes: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Correlations:
    """The boards of all parts, at all levels."""
    steps = [len(part.grid.columns) for part in parts for _ in settings.levels]
    tick = counter(sum(size * (size + 1) // 2 for size in steps), progress)
    boards = tuple(
        make_board(part, level, settings, tick) for part in parts for level in settings.levels
    )
    told = [note for part in parts for note in part.grid.notes]
    told += _directions([column for part in parts for column in part.grid.columns])
    return Correlations(boards, settings, tuple(dict.fromkeys([*notes, *told])))


def _tables(
    scores: ScoreTable | Sequence[ScoreTable] | Path | str, metrics: Sequence[str]
) -> list[ScoreTable]:
    given: Sequence[Any] = scores if isinstance(scores, list | tuple) else [scores]
    tables = [scores_at(table) for table in given]
    return [pick_columns(table, metrics) for table in tables] if metrics else tables


def _judgments(given: Corpus | Path | str) -> Corpus:
    corpus = (
        given
        if isinstance(given, Corpus)
        else read_judgments(as_path("judgments", given, "a corpus or a path"))
    )
    if not corpus.judgments:
        raise SummetryError("the corpus has no judgments to compare scores with")
    return corpus


def counter(total: int, progress: Callable[[int, int], None] | None) -> Callable[[], None]:
    """What is called after each of ``total`` steps, and tells how many are done."""
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        if progress:
            progress(min(done, total), total)

    return tick


def _directions(columns: Sequence[Column]) -> list[str]:
    """Which values are ranked by their turned sign, and which are not ranked."""
    names = {
        kind: list(dict.fromkeys(c.name for c in columns if better_of(c) == kind))
        for kind in ("lower", "neither")
    }
    words = {
        "lower": "lower is better, so a coefficient of -1 is the best",
        "neither": "neither higher nor lower is better, so there is no rank",
    }
    return [f"{', '.join(names[kind])}: {words[kind]}" for kind in names if names[kind]]


@dataclass(frozen=True, slots=True)
class Following:
    """The correlations of one value with the marks on one dimension, over ``systems`` systems."""

    column: Column
    dimension: str
    systems: int
    pearson: float
    spearman: float
    kendall: float


def follow_marks(table: ScoreTable, corpus: Corpus) -> list[Following]:
    """One line for each value and dimension, at the system level, without intervals and tests.

    Topics without a value or a mark are left out.
    """
    dimensions = dimensions_of(corpus)
    if not table.rows:
        nothing = (0, math.nan, math.nan, math.nan)
        return [
            Following(c, dimension, *nothing) for c in table.columns for dimension in dimensions
        ]
    grid = grid_of(table)
    people = {dimension: marks_of(corpus, dimension, grid).means() for dimension in dimensions}
    found = []
    for column, numbers in zip(grid.columns, grid.values, strict=True):
        for dimension, marks in people.items():
            lines = [correlate_tables(numbers, marks, "system", c) for c in COEFFICIENTS]
            found.append(Following(column, dimension, lines[0].size, *(c.value for c in lines)))
    return found
