"""Values that other programs, or judges, gave to the texts of an audit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from summetry.audits.perturbed import AuditTexts
from summetry.errors import SummetryError, counted
from summetry.formats import must_exist
from summetry.formats.judgments import read_judgments
from summetry.formats.scores import is_scores, read_scores
from summetry.metaeval.columns import shown_places
from summetry.records.corpus import Corpus
from summetry.records.scores import Column, Row, ScoreTable


def scored_table(scores: ScoreTable | Path, texts: AuditTexts) -> tuple[ScoreTable, list[str]]:
    """Scores, or scores or judgments in a file: one column per metric, or per judge and dimension;
    and notes on what does not match the texts."""
    if isinstance(scores, ScoreTable):
        table, name = with_headlines(scores), "the table"
    else:
        must_exist(scores)
        name = str(scores)
        if is_scores(scores):
            table = with_headlines(read_scores(scores))
        else:
            table = judged_table(read_judgments(scores))
    return table, _matched(texts, table, name)


def with_headlines(table: ScoreTable, names: Sequence[str] = ()) -> ScoreTable:
    """One column per metric, or those that are named."""
    places = shown_places(table.columns, names)
    columns = tuple(table.columns[place] for place in places)
    return ScoreTable(table.rows, columns, table.data[:, places], table.notes)


def judged_table(corpus: Corpus) -> ScoreTable:
    """Judgments as scores: a column for each judge and dimension, the mean of repeated ones."""
    marks: dict[tuple[str, str], dict[Column, list[float]]] = {}
    for judgment in corpus.judgments:
        column = Column(judgment.judge or "judge", judgment.dimension)
        own = marks.setdefault((judgment.topic, judgment.author), {})
        own.setdefault(column, []).append(corpus.mark(judgment))
    columns = tuple(dict.fromkeys(column for own in marks.values() for column in own))
    data = [[float(np.mean(own.get(c, [np.nan]))) for c in columns] for own in marks.values()]
    rows = tuple(Row("no_models", topic, author, "candidate") for topic, author in marks)
    return ScoreTable(rows, columns, np.array(data, np.float64).reshape(len(rows), len(columns)))


def _matched(texts: AuditTexts, table: ScoreTable, name: str) -> list[str]:
    """Notes on texts without scores and scores without a text; refused if nothing matches."""
    there = {(row.topic, row.author) for row in table.rows}
    wanted = [{(p.topic, p.system), (p.topic, p.perturbed)} for p in texts.pairs]
    missing = sum(not pair <= there for pair in wanted)
    if missing == len(wanted):
        first, own = texts.pairs[0], min(there, default=("", "none"))
        raise SummetryError(
            f"{name}: expected scores of {first.system} and {first.perturbed} on the topic "
            f"{first.topic}, and so on, found {own[1]} on {own[0]}; score the texts that `summetry "
            f"audit --write-texts` writes, and give the same --seed, --limit and --perturbation"
        )
    notes = []
    if missing:
        notes.append(f"{name} has no scores for {missing:,} of {counted(len(wanted), 'pair')}")
    more = len(there - set().union(*wanted))
    if more:
        notes.append(f"{name} has scores of {counted(more, 'other text')}, which are not used")
    return notes
