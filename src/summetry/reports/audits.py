"""An audit as sheets: how often each metric sees each perturbation, and by how much values drop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.cells import cell_len

from summetry.audits.perturbations import Perturbation
from summetry.errors import counted
from summetry.metaeval.audits import Audit, Cell
from summetry.metaeval.columns import short_name
from summetry.records.scores import Column, pandas_frame
from summetry.reports.pictures.audits import SIGNS, audit_picture
from summetry.reports.pictures.picture import Picture
from summetry.reports.sheets import Cell as SheetCell
from summetry.reports.sheets import Heading, Sheet, headings, sheet_records, sheets_text
from summetry.reports.tables import NARROW, split_columns

if TYPE_CHECKING:
    import pandas

TITLE = "How often does the worse text get the worse value?"
# What stands behind a share, and what it means.
UNSEEN, MISTAKEN = SIGNS["no"], SIGNS["reversed"]
# Room for a share with its mark, and the blanks between columns.
_SHARE, _BETWEEN = 6, 2


class AuditReport(Audit):
    """What ``audit`` gives back: it prints as the command does."""

    def to_pandas(self) -> pandas.DataFrame:
        """One row per metric and perturbation, with every number."""
        return pandas_frame(sheet_records(audit_tidy(self)))

    def report(self) -> str:
        """All that the command ``audit`` prints."""
        return sheets_text(printed_audit(self, NARROW))

    @property
    def picture(self) -> Picture:
        """Metrics and perturbations as a heat map."""
        return audit_picture(sheet_records(audit_tidy(self)))

    def __repr__(self) -> str:
        shares = [replace(sheet, notes=()) for sheet in printed_audit(self, NARROW)]
        return f"{sheets_text(shares)}\n(.report() explains it; .to_pandas() has the numbers)"


def audit_sheets(audit: Audit) -> list[Sheet]:
    """The shares, the drops, and the texts."""
    whole = audit.perturbations
    drops = _drops(audit, whole, _drop_notes(audit))
    return [_shares(audit, whole, _notes(audit)), drops, texts_sheet(audit)]


def printed_audit(audit: Audit, width: int, is_drops: bool = False) -> list[Sheet]:
    """The shares, or the drops, in tables of at most ``width``; notes below the last one."""
    room = width - max((cell_len(short_name(c)) for c in audit.columns), default=0)
    every = audit.perturbations
    words = [one.name.split("_") for one in every]
    needed = [max(_SHARE, *map(len, own)) + _BETWEEN for own in words]
    make = _drops if is_drops else _shares
    sheets = [make(audit, [every[k] for k in some], ()) for some in split_columns(needed, room)]
    title = sheets[0].title
    sheets[1:] = [replace(sheet, title=f"{title} (continued)") for sheet in sheets[1:]]
    notes = _drop_notes(audit) if is_drops else _notes(audit)
    return [*sheets[:-1], replace(sheets[-1], notes=notes)]


def audit_tidy(audit: Audit) -> Sheet:
    """Everything, one row per metric and perturbation: for programs."""
    names = (
        "metric", "perturbation", "expected", "texts", "topics", "share", "low", "high", "ties",
        "seen", "drop", "drop_low", "drop_high",
    )  # fmt: skip
    rows = tuple(
        (
            short_name(cell.column), cell.perturbation.name, cell.perturbation.expected,
            cell.texts, cell.topics, *cell.share, cell.ties, _verdict(cell), *cell.drop,
        )
        for cell in audit.cells
    )  # fmt: skip
    return Sheet("audit", TITLE, headings(*names), rows, audit.notes)


def texts_sheet(audit: Audit) -> Sheet:
    """What each perturbation does, how many texts it made, and how long they are."""
    names = (
        "perturbation", Heading("does", "what it does"), "expected", "texts", "left_out",
        Heading("length", "length %", 0),
    )  # fmt: skip
    rows = tuple(
        (
            made.perturbation.name, made.perturbation.does, made.perturbation.expected,
            made.texts, made.left_out, made.length,
        )
        for made in audit.made
    )  # fmt: skip
    notes = (
        "left out: summaries in which the rule finds nothing to change; "
        "length: words of the texts in per cent of those of their summaries",
    )
    return Sheet("texts", "Texts", headings(*names), rows, notes)


def _verdict(cell: Cell) -> str:
    if cell.is_seen is None:
        return ""
    if cell.is_seen:
        return "yes"
    return "reversed" if cell.share.high < 0.5 else "no"


def mark_of(cell: Cell) -> str:
    """What stands behind a share that does not show that the metric sees the difference."""
    return SIGNS.get(_verdict(cell), "")


def _rows(audit: Audit, some: Sequence[Perturbation]) -> list[tuple[Column, list[Cell | None]]]:
    return [(column, [audit.cell(column, one) for one in some]) for column in audit.columns]


def _shares(audit: Audit, some: Sequence[Perturbation], notes: Sequence[str]) -> Sheet:
    rows: list[tuple[SheetCell, ...]] = [
        (short_name(column), *(_shown(cell) for cell in cells))
        for column, cells in _rows(audit, some)
    ]
    names = headings("metric", *(Heading(one.name, digits=2) for one in some))
    return Sheet("shares", TITLE, names, tuple(rows), tuple(notes))


def _shown(cell: Cell | None) -> str | None:
    if cell is None or not cell.texts:
        return None
    return f"{cell.share.value:.2f} {mark_of(cell)}".rstrip()


def _drops(audit: Audit, some: Sequence[Perturbation], notes: Sequence[str]) -> Sheet:
    title = "By how much is the value of the worse text worse?"
    rows: list[tuple[SheetCell, ...]] = [
        (short_name(column), *(cell.drop.value if cell and cell.texts else None for cell in cells))
        for column, cells in _rows(audit, some)
    ]
    names = headings("metric", *(Heading(one.name) for one in some))
    return Sheet("drops", title, names, tuple(rows), tuple(notes))


def _drop_notes(audit: Audit) -> tuple[str, ...]:
    return (
        "mean difference of the values of both texts, in units of the metric; negative: the worse "
        "text has the better value",
        *audit.notes,
    )


def _notes(audit: Audit) -> tuple[str, ...]:
    """What the shares mean, of how many texts they are, and what was left out."""
    marks = {mark_of(cell) for cell in audit.cells}
    notes = ["share of the pairs of a summary and its perturbed text; ties count as half"]
    if any(one.expected == "better" for one in audit.perturbations):
        notes.append("reference: the better text is the reference, not the summary")
    if any(one.expected == "open" for one in audit.perturbations):
        notes.append("lead: neither text need be the worse one; how often the summary is preferred")
    if UNSEEN in marks:
        notes.append(f"{UNSEEN}: the interval contains 0.5, so it may be chance")
    if MISTAKEN in marks:
        notes.append(f"{MISTAKEN}: the interval is below 0.5: the worse text is preferred")
    texts = [made.texts for made in audit.made if made.texts]
    fewest, most = min(texts), max(texts)
    topics = max(cell.topics for cell in audit.cells)
    size = f"{fewest:,} to {most:,}" if fewest < most else f"{most:,}"
    notes.append(
        f"{size} texts per perturbation; 95 % intervals, {audit.draws:,} resamples of "
        f"{counted(topics, 'topic')}, seed {audit.seed}"
    )
    without = [made.perturbation.name for made in audit.made if not made.texts]
    if without:
        notes.append(f"no text could be made: {', '.join(without)}")
    return (*notes, *audit.notes)
