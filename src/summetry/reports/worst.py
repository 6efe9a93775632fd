"""The worst summaries as a sheet: whose they are, the value, the text, and what a judge said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from summetry.errors import counted
from summetry.formats.judge_tables import JudgeReason
from summetry.metaeval.columns import better_of
from summetry.metaeval.worst import Worst
from summetry.records.scores import Row, pandas_frame
from summetry.reports.sheets import (
    Heading,
    Sheet,
    headings,
    sheet_records,
    sheets_text,
    without_columns,
)

if TYPE_CHECKING:
    import pandas

# How many characters of a text are shown to people.
BEGINNING = 160


@dataclass(frozen=True, repr=False)
class WorstReport(Worst):
    """What ``summetry.worst`` gives back: it prints as ``score --worst`` does."""

    texts: Mapping[Row, str]

    def to_pandas(self) -> pandas.DataFrame:
        """One row per summary, with the whole text."""
        return pandas_frame(sheet_records(worst_sheet(self, self.texts)))

    def __repr__(self) -> str:
        return sheets_text([beginnings(worst_sheet(self, self.texts))])


def worst_sheet(
    worst: Worst, texts: Mapping[Row, str], reasons: Sequence[JudgeReason] = ()
) -> Sheet:
    """One row per summary, the worst first, with its text and the reasons of judges."""
    said: dict[tuple[str, str], list[str]] = {}
    for reason in reasons:
        said.setdefault((reason.id, reason.system), []).append(_in_words(reason, reasons))
    rows = tuple(
        (row.topic, row.author, value, texts.get(row), "\n".join(said.get(row[1:3], ())) or None)
        for row, value in worst.rows
    )
    order = "highest" if better_of(worst.column) == "lower" else "lowest"
    title = f"The worst summaries by {worst.column.name}, the {order} value first"
    names = headings("id", "system", Heading("value", digits=4), "text", "reasons")
    many = counted(worst.undefined, "summary has", "summaries have")
    notes = (f"{many} no value and cannot be among them",) if worst.undefined else ()
    sheet = Sheet("worst", title, names, rows, notes)
    empty = [
        heading.name
        for place, heading in enumerate(names)
        if all(row[place] is None for row in rows)
    ]
    return without_columns(sheet, empty, ())


def beginnings(sheet: Sheet) -> Sheet:
    """The sheet with the beginning of each text, as people read it."""
    places = [place for place, heading in enumerate(sheet.headings) if heading.name == "text"]
    rows = tuple(
        tuple(
            _beginning(cell) if place in places and isinstance(cell, str) else cell
            for place, cell in enumerate(row)
        )
        for row in sheet.rows
    )
    return replace(sheet, rows=rows)


def _beginning(text: str) -> str:
    words = " ".join(text.split())
    if len(words) <= BEGINNING:
        return words or "(no text)"
    # At a blank, where there is one in what would be left over.
    cut = words[:BEGINNING].rsplit(" ", 1)[0]
    return f"{cut} ..."


def _in_words(reason: JudgeReason, others: Sequence[JudgeReason]) -> str:
    """A reason with its value, and with its judge where there are several."""
    judge = f" by {reason.judge}" if len({other.judge for other in others}) > 1 else ""
    beside = f", {reason.beside}" if reason.beside else ""
    return f"{reason.dimension}{judge}{beside}: {reason.value:g}. {reason.reason}"
