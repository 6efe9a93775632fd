"""The statistics of a study: figure 2 of Hassel and Dalianis, live."""

from __future__ import annotations

import csv
import datetime
import io
import math
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from summetry.errors import UnknownNameError
from summetry.records.prose import main_unit
from summetry.records.topics import Topic
from summetry.references.agreement import Agreement, alpha_interval, mean_of
from summetry.stats.ratings import Estimate
from summetry.web.pages import open_study
from summetry.web.progress import load_plan
from summetry.web.statistics import DRAWS, Studied, load_study

router = APIRouter(prefix="/studies/{study_id}")

# What the table can be sorted by: the column of a row, as the address names it.
SORTED = (
    "text", "extracts", "shortest", "longest", "mean", "all_votes", "at_length", "fleiss", "alpha",
    "abstracts", "changed",
)  # fmt: skip
_NO_ALPHA = Estimate(math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class TextLine:
    """A text as the table shows it; ``row`` is None where nobody made an extract."""

    number: int
    topic: Topic
    language: str
    words: int
    answers: int
    row: Agreement | None
    alpha: Estimate
    abstracts: int
    changed: datetime.datetime | None

    @property
    def extracts(self) -> int:
        return self.row.extracts if self.row else 0

    def value(self, name: str) -> Any:
        """What the line is sorted by; None where there is nothing."""
        if name == "text":
            return (self.topic.title or self.topic.id).casefold()
        if name in ("extracts", "abstracts", "changed"):
            return getattr(self, name)
        # The agreement of one is no agreement.
        lonely = name not in ("shortest", "longest", "mean") and self.extracts < 2
        value = math.nan if lonely or not self.row else getattr(self.row, name)
        return None if math.isnan(value) else value


@dataclass(frozen=True)
class Wanted:
    """What the reader chose of the table."""

    language: str
    genre: str
    group: str
    sort: str

    @classmethod
    def read(cls, request: Request) -> Wanted:
        given = request.query_params
        found = cls(*(given.get(name, "") for name in ("language", "genre", "group", "sort")))
        if found.sort and found.sort.removeprefix("-") not in SORTED:
            raise UnknownNameError("column", found.sort.removeprefix("-"), SORTED)
        return found

    def address(self, **changes: str) -> str:
        """The query of an address with these changes."""
        values = {**vars(self), **changes}
        return "?" + urlencode({name: value for name, value in values.items() if value})

    def sorted_by(self, name: str) -> str:
        """The word for screen readers, or nothing."""
        if self.sort.removeprefix("-") != name:
            return ""
        return "descending" if self.sort.startswith("-") else "ascending"

    def heading(self, name: str) -> str:
        """Where the heading of a column leads: to this order, or to the opposite one."""
        return self.address(sort=f"-{name}" if self.sorted_by(name) == "ascending" else name)


@router.get("")
def texts(request: Request, study_id: str) -> Response:
    """Every text with its extracts and how far they agree."""
    studied, wanted = load_study(request, study_id), Wanted.read(request)
    lines = _lines(studied, wanted)
    rows = [line.row for line in lines if line.row]
    together = [row for row in rows if row.extracts > 1]
    whole = studied.agreement()
    everything = _every_line(studied)
    with open_study(request, study_id) as desk:
        plan = load_plan(desk.connection, desk.study, desk.uploaded())
    return studied.render(
        "study.html",
        view=wanted,
        plan=plan,
        lines=lines,
        total=mean_of(rows, "all") if rows else None,
        # Agreement is that of two or more.
        agreed=mean_of(together, "all") if together else None,
        extracts=len(studied.corpus.extracts),
        informants=len({extract.informant for extract in studied.corpus.extracts}),
        answers=studied.answers().total(),
        by_group=[row for row in whole.groups if not math.isnan(row.jaccard)] if whole else [],
        languages=sorted({line.language for line in everything if line.language}),
        genres=sorted({line.topic.genre for line in everything if line.topic.genre}),
        groups=studied.groups,
        draws=DRAWS,
        unit=main_unit(studied.corpus),
    )


@router.get("/table.csv")
def table(request: Request, study_id: str) -> Response:
    """The same table as a file, with all digits."""
    studied, wanted = load_study(request, study_id), Wanted.read(request)
    text = io.StringIO()
    numbers = [
        "shortest", "longest", "mean", "all_votes", "all_votes_chance", "at_length",
        "at_length_chance", "fleiss",
    ]  # fmt: skip
    head = ["id", "title", "language", "genre", "words", "extracts", *numbers]
    out = csv.writer(text)
    out.writerow([*head, "alpha", "alpha_low", "alpha_high", "abstracts", "changed"])
    for line in _lines(studied, wanted):
        topic = line.topic
        values = [getattr(line.row, name) if line.row else math.nan for name in numbers]
        cells = ["" if math.isnan(value) else repr(value) for value in (*values, *line.alpha)]
        changed = line.changed.isoformat() + "Z" if line.changed else ""
        out.writerow(
            [topic.id, topic.title, line.language, topic.genre, line.words, line.extracts,
             *cells, line.abstracts, changed]
        )  # fmt: skip
    headers = {"content-disposition": f'attachment; filename="{study_id}-texts.csv"'}
    return Response(text.getvalue(), media_type="text/csv; charset=utf-8", headers=headers)


def _every_line(studied: Studied, group: str | None = None) -> list[TextLine]:
    """All texts of a study; the extracts are those of a group, or of everybody."""
    agreed = studied.agreement(group)
    by_topic = {one.row.name: one for one in agreed.topics} if agreed else {}
    alphas: dict[str, Estimate] = studied.keep(
        "alphas", lambda: {name: alpha_interval(one.table) for name, one in by_topic.items()}, group
    )
    changed, corpus = studied.last_changes(), studied.corpus
    answers = studied.answers()
    return [
        TextLine(
            number,
            topic,
            corpus.language_of(topic),
            sum(studied.words[topic.id]),
            answers[topic.id],
            by_topic[topic.id].row if topic.id in by_topic else None,
            alphas.get(topic.id, _NO_ALPHA),
            # A reference that is no choice of units was written.
            sum(
                summary.role == "reference" and summary.units is None
                for summary in corpus.of_topic("summaries", topic.id)
            ),
            changed.get(topic.id),
        )
        for number, topic in enumerate(corpus.topics, 1)
    ]


def _lines(studied: Studied, wanted: Wanted) -> list[TextLine]:
    """The lines that the reader wants to see, in their order."""
    if wanted.group and wanted.group not in studied.groups:
        raise UnknownNameError("group of informants", wanted.group, studied.groups)
    lines = [
        line
        for line in _every_line(studied, wanted.group or None)
        if wanted.language in ("", line.language) and wanted.genre in ("", line.topic.genre)
    ]
    name = wanted.sort.removeprefix("-")
    if not name:
        return lines
    known = [line for line in lines if line.value(name) is not None]
    known.sort(key=lambda line: line.value(name), reverse=wanted.sort.startswith("-"))
    # What has no value comes last in both directions.
    return known + [line for line in lines if line.value(name) is None]
