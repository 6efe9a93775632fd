"""A report, ready to be written: ``report.save("report.html")``."""

from __future__ import annotations

import html
import json
import math
import re
import secrets
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from summetry.arrays.types import Floats
from summetry.errors import SummetryError, counted
from summetry.files import write_whole
from summetry.formats.judge_tables import JudgeReason
from summetry.metaeval.columns import better_of, short_name
from summetry.metaeval.grids import Grid
from summetry.records.scores import Column, Row
from summetry.reports.comparisons import comparison_sheets
from summetry.reports.correlations import correlation_sheets, matrix_sheets
from summetry.reports.lit.differences import differ_most
from summetry.reports.page import assets, sections
from summetry.reports.page.added import Section, worst_section
from summetry.reports.page.findings import Findings
from summetry.reports.page.opening import best_follower, details, opening, small_print
from summetry.reports.page.texts import TopicTexts, pack
from summetry.reports.pictures import drawing
from summetry.reports.pictures.agreement import agreement_picture
from summetry.reports.pictures.files import write_pictures
from summetry.reports.pictures.heat_map import heat_picture, heat_table
from summetry.reports.pictures.picture import Picture
from summetry.reports.sheets import Sheet, write_sheets
from summetry.reports.worst import worst_sheet

# Texts that are larger than this, packed, get a page for each topic: a browser opens a file of
# this size in about two seconds.
LARGEST_TEXTS = 13_000_000
# How many topics the table of differences shows.
MOST_TOPICS = 12
_TABLES = ("tables.tex", "tables.md", "tables.json")


@dataclass(frozen=True)
class About:
    """What a report says of itself."""

    # The corpus or the file of scores.
    name: str = ""
    title: str = ""
    # The command that made it, or nothing, and the version of the program.
    command: str = ""
    version: str = ""
    # The titles of topics that have one, by their ids.
    titles: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """What was found and said, as one HTML page."""

    findings: Findings
    about: About
    # Topic by topic; empty where there are scores alone.
    texts: tuple[TopicTexts, ...] = ()
    notes: tuple[str, ...] = ()
    # What other commands found, behind the sections on metrics and judges.
    added: tuple[Section, ...] = ()
    # What judges gave as reasons, beside the worst summaries.
    reasons: tuple[JudgeReason, ...] = ()
    largest: int = LARGEST_TEXTS

    @cached_property
    def verdicts(self) -> list[str]:
        """What the report says first, as plain text."""
        said = [*opening(self.findings), *details(self.findings)]
        return [sentence.striptags().replace("\N{NO-BREAK SPACE}", " ") for sentence in said]

    @property
    def is_paged(self) -> bool:
        """Whether the texts are so large that each topic has a page of its own."""
        return sum(len(one.packed) for one in self.texts) > self.largest

    def save(self, path: str | Path, force: bool = False) -> list[Path]:
        """Write the page, and a folder of topics beside it if there is very much text.

        A folder that is there already is written over only if that is asked for (``force``).
        """
        place = Path(path)
        check_page(place)
        if not self.is_paged:
            write_whole(place, self.html())
            return [place]
        folder = topics_folder(place)
        check_topics(folder, force)
        pages = self._topic_pages(place.name)
        _write_folder(folder, dict(pages))
        write_whole(place, self.html(folder.name))
        return [place, folder]

    def html(self, folder: str = "") -> str:
        """The whole page; ``folder`` is where the pages of topics are, if they have some."""
        findings, shown = self.findings, sections.followed(self.findings)
        heat = sections.heat(findings)
        blocks = {
            f"metric-{place}": pack(sections.metric_html(findings, ranking))
            for place, ranking in enumerate(findings.rankings[1:], 1)
        }
        blocks |= {f"dimension-{place}": pack(one.data()) for place, one in enumerate(shown)}
        texts = self._texts(folder)
        if texts:
            blocks["numbers"] = pack(self._numbers())
            kept = self.texts[:1] if folder else self.texts
            blocks |= {f"topic-{self._topics.index(one.topic)}": one.packed for one in kept}
        judged = self._judged_first(shown)
        return self._rendered(
            "page.html",
            blocks,
            self._data(folder),
            size=sections.size_in_words(findings),
            several=len(findings.grid.systems) > 1,
            verdicts=opening(findings),
            details=details(findings),
            small_print=small_print(findings),
            metrics=self._metrics,
            first_metric=Markup(sections.metric_html(findings, findings.rankings[0])),
            heat_caption=heat_picture(heat).caption,
            heat_table=Markup(heat_table(heat)),
            agreement=agreement_picture(findings.matrix) if findings.matrix else None,
            added=self.added,
            worst=self._worst_section(),
            dimensions=[one.dimension for one in shown],
            judged_first=judged,
            followed=_first_followed(shown, judged),
            texts=texts,
            notes=[*self.notes, *sections.all_notes(findings)],
            legends=sections.legends(findings),
        )

    def sheets(self) -> list[Sheet]:
        """All tables of the report."""
        findings = self.findings
        sheets = [heat_picture(sections.heat(findings)).sheet]
        sheets += comparison_sheets(findings.rankings, pairs=True)
        if findings.correlations:
            sheets += correlation_sheets(findings.correlations)
        if findings.matrix:
            sheets += matrix_sheets([findings.matrix])
        sheets += [self._worst] if self._worst else []
        return [*sheets, *(picture.sheet for one in self.added for picture in one.pictures)]

    def save_tables(self, folder: str | Path) -> list[Path]:
        """Write all tables as LaTeX, Markdown and JSON; the files that were written."""
        place, sheets = Path(folder), self.sheets()
        about = {"report": self.about.name, "verdicts": self.verdicts}
        return [path for name in _TABLES for path in write_sheets(sheets, place / name, about)]

    def pictures(self) -> list[Picture]:
        """All pictures of the report."""
        added = (picture for one in self.added for picture in one.pictures)
        return [*sections.all_pictures(self.findings), *added]

    def save_pictures(self, folder: str | Path) -> list[Path]:
        """Write every picture as SVG and as PNG; the files that were written."""
        drawn = self.pictures()
        return [
            path
            for ending in (".svg", ".png")
            for path in write_pictures(drawn, Path(folder), ending)
        ]

    def __repr__(self) -> str:
        return "\n".join([self._head(), *self.verdicts, '(.save("report.html") writes the page)'])

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{sentence}</p>" for sentence in opening(self.findings))
        return (
            f"<p>{html.escape(self._head())}</p>{said}"
            "<p><code>.save(&quot;report.html&quot;)</code> writes the page</p>"
        )

    def _head(self) -> str:
        grid = self.findings.grid
        systems, topics = counted(len(grid.systems), "system"), counted(len(grid.topics), "topic")
        return f"Report on {self.about.name}: {topics}, {systems}"

    def _judged_first(self, shown: Sequence[sections.Followed]) -> int:
        """The metric whose scatter is shown first: that of the verdict, or the first with one."""
        found = self.findings.correlations
        if not shown or found is None:
            return 0
        best = best_follower(found.tables[0])
        places = [
            place
            for place, ranking in enumerate(self.findings.rankings)
            if best and ranking.column == best.column
        ]
        return next(iter([*places, *sorted(map(int, shown[0].scatters))]), 0)

    # What the script knows.

    @cached_property
    def _metrics(self) -> list[str]:
        return [short_name(ranking.column) for ranking in self.findings.rankings]

    @cached_property
    def _systems(self) -> list[str]:
        """The systems, best first by the first metric."""
        return [standing.system for standing in self.findings.rankings[0].systems]

    @cached_property
    def _topics(self) -> list[str]:
        return [one.topic for one in self.texts]

    @cached_property
    def _topic_names(self) -> list[str]:
        titles = self.about.titles
        return [
            f"{topic} · {titles[topic]}" if titles.get(topic) else topic for topic in self._topics
        ]

    @cached_property
    def _explained(self) -> dict[str, Column]:
        """The metrics that something is lit up for, with the values of them that are shown."""
        there = {name for one in self.texts for name in one.metrics}
        columns = [ranking.column for ranking in self.findings.rankings]
        columns += [column for column in self.findings.columns if column not in columns]
        named: dict[str, Column] = {}
        for column in columns:
            if column.metric in there:
                named.setdefault(column.metric, column)
        return named

    def _data(self, folder: str, topic: int | None = None) -> dict[str, Any]:
        dimensions = [part.dimension for part in self.findings.judged]
        data: dict[str, Any] = {
            "systems": self._systems,
            "topics": self._topic_names,
            "explained": list(self._explained),
            "lower": [better_of(column) == "lower" for column in self._explained.values()],
            "dimensions": dimensions,
            "words": {"judged": _JUDGED, "values": _VALUES},
        }
        if folder:
            here = "" if topic is not None else f"{folder}/"
            data["pages"] = [f"{here}{_page_name(place)}" for place in range(len(self._topics))]
        return data

    def _numbers(self) -> dict[str, Any]:
        """All values, by metric, system and topic, and all judgments, for sorting."""
        grid, judged = self.findings.grid, self.findings.judged
        columns = [grid.columns.index(column) for column in self._explained.values()]
        return {
            "values": [self._table(grid.values[k], grid) for k in columns],
            "marks": [self._table(part.marks.means(), part.grid) for part in judged],
        }

    def _table(self, numbers: Floats, grid: Grid) -> list[list[float | None]]:
        """Numbers of a grid by the systems and topics of the page; None where there is none."""
        rows, columns = (
            {name: place for place, name in enumerate(names)}
            for names in (grid.systems, grid.topics)
        )
        cells = numbers.tolist()

        def number(system: str, topic: str) -> float | None:
            if system not in rows or topic not in columns:
                return None
            value = cells[rows[system]][columns[topic]]
            # Six digits are enough to see.
            return float(f"{value:.6g}") if math.isfinite(value) else None

        return [[number(system, topic) for topic in self._topics] for system in self._systems]

    # The worst summaries.

    @cached_property
    def _worst_texts(self) -> dict[Row, str]:
        """The texts of the worst summaries that have one."""
        worst = self.findings.worst
        rows = [row for row, _ in worst.rows] if worst else []
        topics = {row.topic for row in rows}
        written = {one.topic: one.candidates() for one in self.texts if one.topic in topics}
        return {
            row: written[row.topic][row.author]
            for row in rows
            if row.author in written.get(row.topic, {})
        }

    @cached_property
    def _worst(self) -> Sheet | None:
        worst = self.findings.worst
        return worst_sheet(worst, self._worst_texts, self.reasons) if worst else None

    def _worst_section(self) -> Section | None:
        """The worst summaries, each with the address of its text by that metric."""
        worst, sheet = self.findings.worst, self._worst
        if worst is None or sheet is None:
            return None
        metrics = [*self._explained]
        by = worst.column.metric
        shown = {"by": metrics.index(by)} if by in metrics else {}

        def address(row: Row) -> str:
            if row not in self._worst_texts:
                return ""
            topic, system = self._topics.index(row.topic), self._systems.index(row.author)
            return f"#{urlencode({'topic': topic, 'system': system, **shown})}"

        return worst_section(sheet, [address(row) for row, _ in worst.rows])

    # The texts.

    def _texts(self, folder: str) -> dict[str, Any]:
        """What the section on texts shows first; nothing where there are no texts."""
        if not self.texts or not self._explained:
            return {}
        view = self._text_view(self.texts[0], 0)
        view["pages"] = (
            list(zip(self._topic_names, self._data(folder)["pages"], strict=True)) if folder else []
        )
        return view

    def _text_view(self, texts: TopicTexts, topic: int) -> dict[str, Any]:
        system, (metric, column) = self._systems[0], next(iter(self._explained.items()))
        view: dict[str, Any] = {
            "topics": self._topic_names,
            "topic": topic,
            "systems": self._systems,
            "metrics": list(self._explained),
            "now": f"{system} on {self._topic_names[topic]}, by {metric}",
            "first": Markup(texts.html(system, metric)),
            "pages": [],
            "has_numbers": len(self._systems) > 1 or bool(self.findings.judged),
            "against": [
                *self._systems,
                *(f"the judges on {part.dimension}" for part in self.findings.judged),
            ],
            "against_first": 1,
        }
        return view | self._differ(column, metric)

    def _differ(self, column: Column, metric: str) -> dict[str, Any]:
        """The topics on which the two best systems differ most."""
        grid = self.findings.grid
        if len(self._systems) < 2:
            return {"differ": {"first": "", "second": ""}, "differ_rows": [], "differ_caption": ""}
        first, second = self._systems[:2]
        numbers = grid.values[grid.columns.index(column)].tolist()
        values = {
            (topic, system): number
            for system, row in zip(grid.systems, numbers, strict=True)
            for topic, number in zip(grid.topics, row, strict=True)
            if topic in self._topics
        }
        found = differ_most(values, first, second, metric)
        names = dict(zip(self._topics, self._topic_names, strict=True))
        rows = [
            (names[one.topic], _3(one.first), _3(one.second), _signed(one.difference))
            for one in found.rows[:MOST_TOPICS]
        ]
        caption = _VALUES.format(metric)
        return {"differ": found, "differ_rows": rows, "differ_caption": caption}

    def _topic_pages(self, report: str) -> Iterator[tuple[str, str]]:
        """A page for each topic; ``report`` is the file that they belong to."""
        for place, texts in enumerate(self.texts):
            name = self._topic_names[place]
            yield (
                _page_name(place),
                self._rendered(
                    "topic.html",
                    {f"topic-{place}": texts.packed},
                    self._data("here", place),
                    topic=name,
                    report=f"../{report}",
                    texts=self._text_view(texts, place) | {"has_numbers": False},
                    previous=_page_name(place - 1) if place else "",
                    following=_page_name(place + 1) if place + 1 < len(self.texts) else "",
                ),
            )

    def _rendered(
        self, template: str, blocks: dict[str, str], data: dict[str, Any], **values: Any
    ) -> str:
        return assets.rendered(
            template,
            version=self.about.version,
            policy=assets.policy(),
            style=Markup(assets.style()),
            script=Markup(assets.script()),
            title=self.about.title or f"Report on {self.about.name}",
            about=self.about,
            blocks=blocks.items(),
            data=_in_script(data),
            **values,
        )


_JUDGED = (
    "Both in standard deviations from their mean over all summaries; above 0 the metric thinks "
    "better of the summary than the judges do."
)
_VALUES = "The values of {}, the largest difference first."


def check_page(path: Path) -> None:
    """Refuse a file that its ending says is something else than a page."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise SummetryError(f"{path}: a report is written to a file ending in .html")
    if path.is_dir():
        raise SummetryError(f"{path}: expected a file to write to, found a folder")


def topics_folder(path: Path) -> Path:
    """Where the topics of a very large report go."""
    return path.with_name(f"{path.stem}-topics")


_PAGE_NAME = re.compile(r"\d{4,}\.html")


def _page_name(place: int) -> str:
    return f"{place + 1:04}.html"


def check_topics(folder: Path, force: bool) -> None:
    """Refuse a folder that is there, unless it is that of an earlier report and may be replaced."""
    if not folder.exists():
        return
    if not force:
        raise SummetryError(
            f"{folder}: exists already, and the topics of this report go there; give the report "
            "another name, or replace it (--force, in Python force=True)"
        )
    found = [folder] if not folder.is_dir() else sorted(folder.iterdir())
    if others := [path.name for path in found if not _PAGE_NAME.fullmatch(path.name)]:
        raise SummetryError(
            f"{folder}: the topics of this report go there, found something that is none "
            f"({others[0]}); move it away, or give the report another name"
        )


def _write_folder(folder: Path, contents: dict[str, str]) -> None:
    """A folder of files, whole or not at all: written aside, then put in place of the old one."""
    mark = secrets.token_hex(4)
    aside, old = (folder.with_name(f".{folder.name}.{mark}.{end}") for end in ("part", "old"))
    aside.mkdir(parents=True)
    try:
        for name, content in contents.items():
            (aside / name).write_text(content, encoding="utf-8")
        if folder.exists():
            folder.rename(old)
        aside.rename(folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def _in_script(data: Any) -> Markup:
    """JSON that can stand in a script: no tag can begin or end in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace("&", "\\u0026"))


def _first_followed(shown: Sequence[sections.Followed], metric: int) -> dict[str, Markup]:
    if not shown:
        return {}
    data = shown[0].data()
    return {
        "table": Markup(data["table"]),
        "nulls": Markup(data["nulls"]),
        "estimated": Markup(data["estimated"]),
        "scatter": Markup(data["scatter"].get(str(metric), "")),
    }


def _3(value: float) -> str:
    return drawing.shown(value) if math.isfinite(value) else "–"


def _signed(value: float) -> str:
    # What is shown as 0 has no sign.
    return f"{'+' * (0.0005 <= value < math.inf)}{_3(value)}"
