"""Sections that other commands give to a report: an audit, a test of a judge, a judge's biases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from markupsafe import Markup

from summetry.formats.judge_tables import AltTestTables, JudgeTables
from summetry.judges.answers import FAILURES
from summetry.reports.judges import answered_words
from summetry.reports.page.assets import rendered
from summetry.reports.page.sections import in_columns
from summetry.reports.pictures.alt_test import annotators_picture, null_judges_picture
from summetry.reports.pictures.judges import biases_picture, judged_pictures
from summetry.reports.pictures.picture import Picture
from summetry.reports.sheets import (
    Cell,
    Sheet,
    numeric_columns,
    shown_cells,
    without_columns,
)
from summetry.reports.worst import beginnings


@dataclass(frozen=True)
class Section:
    """Words, pictures and tables under a heading; ``name`` is its place in the page."""

    name: str
    # What the contents of the page call it.
    link: str
    heading: str
    lede: str
    pictures: tuple[Picture, ...]
    sentences: tuple[str, ...] = ()
    tables: tuple[Markup, ...] = ()

    @property
    def html(self) -> Markup:
        """All of it, with narrow pictures side by side and the tables below them."""
        narrow = [one for one in self.pictures if not one.is_wide]
        return Markup(
            rendered(
                "added.html",
                section=self,
                wide=[one for one in self.pictures if one.is_wide],
                columns=in_columns(narrow),
                tables=self.tables,
            )
        )


def table_html(sheet: Sheet, addresses: Sequence[str] = ()) -> Markup:
    """A sheet as a table that can be sorted, with its notes; rows may lead to an address each."""
    titles = [_capital(heading.shown) for heading in sheet.headings]
    rows = [
        [_cell(words, cell) for words, cell in zip(shown_cells(sheet, row), row, strict=True)]
        for row in sheet.rows
    ]
    heads = list(zip(titles, numeric_columns(sheet), strict=True))
    filled = rendered(
        "sheet.html",
        title=sheet.title,
        heads=heads,
        rows=zip_longest(rows, addresses, fillvalue=""),
        notes=sheet.notes,
    )
    return Markup(filled)


def _for_page(sheet: Sheet) -> Sheet:
    """A sheet without columns that say nothing here: one judge or dimension, nothing refused."""
    empty = [
        heading.name
        for place, heading in enumerate(sheet.headings)
        if heading.name in FAILURES and not any(row[place] for row in sheet.rows)
    ]
    return without_columns(sheet, empty, ("judge", "dimension", "topics"))


def _capital(heading: str) -> str:
    """A heading as the others of the page; a p and an n stay as they are written."""
    return heading[:1].upper() + heading[1:] if len(heading) > 1 else heading


def _cell(words: str, cell: Cell) -> tuple[str, float | None]:
    """What a cell shows, with a real minus and the page's own dash, and what it is sorted by."""
    if words == "-":
        return "–", None
    return (words.replace("-", "−", 1), cell) if isinstance(cell, int | float) else (words, None)


def audit_section(picture: Picture) -> Section:
    """The heat map of an audit, which has its numbers in it."""
    return Section(
        "audit",
        "Audit",
        "What can the metrics see?",
        "Summaries were made worse by rule, and each metric was asked which text is better.",
        (picture,),
    )


def alt_test_section(tables: AltTestTables) -> Section:
    """The alternative-annotator test: the verdicts, null judges, annotators."""
    pictures = (null_judges_picture(tables), annotators_picture(tables))
    return Section(
        "alt-test",
        "Alt-test",
        "May the judge stand in for a person?",
        "The alternative-annotator test: each annotator is left out in turn, and the judge and "
        "that annotator are compared with the others. There is a verdict only if the judge "
        "is better than every null judge.",
        pictures,
        tables.verdicts,
        tuple(table_html(_for_page(picture.sheet)) for picture in pictures),
    )


def judge_section(judges: Sequence[JudgeTables]) -> Section:
    """What models said as judges: what they did not answer, systems, biases."""
    biases = biases_picture(judges)
    pictures = [picture for one in judges for picture in judged_pictures(one)]
    pictures += [biases] if biases else []
    return Section(
        "judge",
        "Biases",
        "How far can the judge be trusted?",
        "A language model judged the summaries. What it did not answer is counted and bounded, and "
        "its biases are measured.",
        tuple(pictures),
        tuple(map(answered_words, judges)),
        tuple(table_html(_for_page(picture.sheet)) for picture in pictures),
    )


def worst_section(sheet: Sheet, addresses: Sequence[str]) -> Section:
    """The worst summaries; an id leads to its text where it has an address."""
    read = " An id leads to the text with what matched." if any(addresses) else ""
    why = (
        " The reasons are those that the judge gave."
        if "reasons" in {heading.name for heading in sheet.headings}
        else ""
    )
    return Section(
        "worst",
        "Worst",
        "The worst summaries",
        f"What went wrong where a system did worst?{read}{why}",
        (),
        tables=(table_html(beginnings(sheet), addresses),),
    )
