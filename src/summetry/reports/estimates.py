"""Estimates of systems as sheets and data: means, differences, what is saved, weights, planning."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, get_args

from rich.cells import cell_len

from summetry.arguments import check_choice
from summetry.errors import SummetryError, UnknownNameError, counted, in_python
from summetry.metaeval.estimates import EstimateSettings, EstimateTable
from summetry.records.scores import pandas_frame
from summetry.reports.as_data import as_data
from summetry.reports.sheets import (
    Cell,
    Heading,
    Sheet,
    headings,
    sheet_records,
    sheets_text,
    without_columns,
)
from summetry.reports.tables import NARROW, number, wrapped
from summetry.reports.verdicts import printed_p
from summetry.reports.words import confidence, heading_of
from summetry.stats.estimate import Difference, Mean
from summetry.stats.significance import is_significant

if TYPE_CHECKING:
    import pandas

SheetName = Literal["systems", "differences", "saved", "needed"]

# Cells of a matrix of differences: a sign, a number of three digits, two marks, a blank.
_WIDE = 9
# What a terminal leaves out where all systems have the same.
_DULL = ("judged", "topics")
_NEVER = ("dropped", "se", "df", "thin", "smallest")
# So many neighbours in the ranking are compared in words.
_MOST_SENTENCES = 5
_POPULATIONS = {
    "topics": "topics like these",
    "these": "exactly these topics",
}


@dataclass(frozen=True)
class EstimateReport:
    """What ``estimate`` gives back: it prints as the command does."""

    tables: tuple[EstimateTable, ...]
    settings: EstimateSettings
    notes: tuple[str, ...] = ()

    def __getitem__(self, dimension: str) -> EstimateTable:
        for table in self.tables:
            if table.dimension == dimension:
                return table
        raise UnknownNameError("dimension", dimension, [table.dimension for table in self.tables])

    def to_pandas(self, what: SheetName = "systems") -> pandas.DataFrame:
        """One row per dimension and system, or per pair (``differences``), what is ``saved``, or
        how many topics are ``needed`` to see the difference that ``detect`` named."""
        check_choice("what", what, get_args(SheetName))
        if what == "needed" and self.settings.detect is None:
            raise SummetryError(
                "how many topics are needed is known for a difference: give detect=D to estimate"
            )
        (sheet,) = (one for one in estimate_tidy(self) if one.name == what)
        return pandas_frame(sheet_records(sheet))

    def as_json(self) -> dict[str, Any]:
        """All numbers, as the command's --json prints them."""
        return estimate_data(self)

    def report(self) -> str:
        """All that the command ``estimate`` prints."""
        return in_python(sheets_text(printed_estimates(self, NARROW)))

    def __repr__(self) -> str:
        sheets = _printed(self, NARROW)
        lines = [in_python(sheets_text([one for one in sheets if one.name != "weights"]))]
        notes = dict.fromkeys(note for table in self.tables for note in table.notes)
        lines += [wrapped(in_python(note)) for note in (*notes, *self.notes)]
        return "\n".join([*lines, "(.report() has all tables; .to_pandas() the numbers)"])


def estimate_sheets(report: EstimateReport) -> list[Sheet]:
    """For each dimension the systems, all pairs, what is saved, the weights, and planning."""
    sheets = []
    for table in report.tables:
        own = [_systems(table), _pairs(table, report.settings), *_further(table, report.settings)]
        start = f"{table.dimension}-" if len(report.tables) > 1 else ""
        sheets += [replace(one, name=f"{start}{one.name}") for one in own if one.rows]
    return _with_notes(report, sheets)


def printed_estimates(report: EstimateReport, width: int) -> list[Sheet]:
    """The sheets for a terminal: what changes from row to row, and pairs as a square."""
    return _with_notes(report, _printed(report, width))


def _printed(report: EstimateReport, width: int) -> list[Sheet]:
    sheets = []
    for table in report.tables:
        systems = _systems(table)
        has_notes = any(map(table.note_on, table.estimate.means))
        never = _NEVER if has_notes else (*_NEVER, "note")
        sheets.append(without_columns(systems, never, _DULL))
        sheets += _matrices(table, report.settings, width)
        further = [one for one in _further(table, report.settings) if one.rows]
        sheets += [without_columns(one, _NEVER, ()) for one in further]
    return sheets


def estimate_tidy(report: EstimateReport) -> list[Sheet]:
    """All systems, all pairs, what is saved and what is needed, a row each: for programs."""
    settings = report.settings
    several = [
        [_systems(table) for table in report.tables],
        [_pairs(table, settings) for table in report.tables],
        [_saved(table) for table in report.tables],
    ]
    if settings.detect is not None:
        several.append([_needed(table, settings) for table in report.tables])
    sheets = []
    for own in several:
        rows = tuple(
            (table.protocol, table.dimension, *row)
            for table, sheet in zip(report.tables, own, strict=True)
            for row in sheet.rows
        )
        columns = headings("protocol", "dimension", *own[0].headings)
        sheets.append(Sheet(own[0].name, own[0].title, columns, rows))
    return sheets


def estimate_data(report: EstimateReport) -> dict[str, Any]:
    """All numbers as JSON has them: n judged topics of N, lambda the weights, undefined is None."""
    return {
        "settings": as_data(asdict(report.settings)) | {"confidence": report.settings.confidence},
        "estimates": [_data(table) for table in report.tables],
        "notes": list(report.notes),
    }


def _data(table: EstimateTable) -> dict[str, Any]:
    found, names = table.estimate, table.systems
    ranks = [{**rank._asdict(), "system": names[rank.system]} for rank in found.ranks]
    data = {
        "protocol": table.protocol,
        "dimension": table.dimension,
        "proxies": [column.name for column in table.proxies],
        "signatures": [column.signature for column in table.proxies],
        "systems": len(names),
        "topics": table.topics,
        "judges": table.judges,
        "means": [_mean_data(mean, names) for mean in found.means],
        "differences": [_difference_data(row, names, found.detect) for row in found.differences],
        "ranks": ranks,
        "saved_means": found.saved_means,
        "saved_differences": found.saved_differences,
        "saved": [one._asdict() for one in table.saved],
        "notes": list(table.notes),
    }
    if found.detect is not None:
        data["needed"] = {
            "with_metric": dict(zip(("median", "largest"), found.topics_needed(), strict=True)),
            "alone": dict(zip(("median", "largest"), found.topics_needed(alone=True), strict=True)),
            "smallest": dict(zip(("median", "largest"), found.smallest_seen(), strict=True)),
        }
    whole: dict[str, Any] = as_data(data)
    return whole


# The names of numbers in JSON, where they differ.
_RENAMED = {"judged": "n", "topics": "N", "weights": "lambda", "freedom": "df"}


def _mean_data(mean: Mean, names: Sequence[str]) -> dict[str, Any]:
    data = _renamed(mean)
    del data["alone"]["p"]
    data["system"] = names[mean.system]
    if mean.is_estimated:
        return data
    known = ("system", "n", "N", "dropped", "proxy_means", "distances")
    return {name: data[name] for name in known} | {"estimate": None}


def _difference_data(row: Difference, names: Sequence[str], detect: float | None) -> dict[str, Any]:
    data = _renamed(row) | {"a": names[row.a], "b": names[row.b]}
    needed = {name: data.pop(name) for name in ("needed", "needed_alone", "smallest")}
    return data | (needed if detect is not None else {})


def _renamed(row: Mean | Difference) -> dict[str, Any]:
    data = {_RENAMED.get(name, name): value for name, value in row._asdict().items()}
    return data | {"alone": row.alone._asdict()}


def _systems(table: EstimateTable) -> Sheet:
    ranks = {rank.system: rank for rank in table.estimate.ranks}
    rows = []
    for mean in table.best_first():
        rank = ranks.get(mean.system)
        rows.append((
            rank.rank if rank else None, _range(rank.best, rank.worst) if rank else "",
            table.systems[mean.system], mean.judged, mean.topics, mean.dropped, mean.estimate,
            mean.low, mean.high, mean.alone.estimate, mean.alone.low, mean.alone.high,
            mean.se, mean.freedom if rank else None, mean.saved, int(mean.thin),
            table.note_on(mean),
        ))  # fmt: skip
    columns = headings(
        Heading("rank", "#"), "ranks", "system", "judged", "topics", "dropped", "estimate", "low",
        "high", "alone", Heading("alone_low", "low"), Heading("alone_high", "high"), "se", "df",
        Heading("saved", digits=2), "thin", "note",
    )  # fmt: skip
    judged = f"{table.judged_topics} of {counted(table.topics, 'topic')} judged"
    what = heading_of(f"Systems by {table.dimension}", table.protocol)
    used = table.used_names
    helped = f"helped by {' + '.join(used)}" if used else "no metric is used"
    return Sheet("systems", f"{what}, best first: {judged}, {helped}", columns, tuple(rows))


def _range(best: int, worst: int) -> str:
    return f"{best}" if best == worst else f"{best}-{worst}"


def _pairs(table: EstimateTable, settings: EstimateSettings) -> Sheet:
    names = table.systems
    rows = tuple(
        (names[row.a], names[row.b], row.estimate, row.low, row.high, row.p, row.p_holm,
         row.low_all, row.high_all, row.alone.estimate, row.alone.low, row.alone.high, row.alone.p,
         row.se, row.freedom, int(row.paired), row.judged, row.topics, row.saved, int(row.thin),
         row.needed, row.needed_alone)
        for row in table.estimate.differences
    )  # fmt: skip
    columns = headings(
        "a", "b", Heading("estimate", "a - b"), "low", "high", Heading("p", digits=4, is_p=True),
        Heading("p_holm", "Holm p", 4, True), "low_all", "high_all", "alone",
        Heading("alone_low", "low"), Heading("alone_high", "high"),
        Heading("alone_p", "p", 4, True), "se", Heading("df", digits=1), "paired", "judged",
        "topics", Heading("saved", digits=2), "thin", "needed", "needed_alone",
    )  # fmt: skip
    title = heading_of(f"Differences by {table.dimension}", table.protocol)
    return Sheet("differences", title, columns, rows, tuple(_sentences(table, settings)))


def _sentences(table: EstimateTable, settings: EstimateSettings) -> Iterator[str]:
    """Whether a system is better than the next in the ranking, for the first ones."""
    order = [mean.system for mean in table.best_first() if mean.is_estimated]
    pairs = {frozenset((row.a, row.b)): row for row in table.estimate.differences}
    for first, second in list(pairwise(order))[:_MOST_SENTENCES]:
        row = pairs[frozenset((first, second))]
        # A pair has a weight of its own: the one with the higher mean may be behind.
        is_turned = row.estimate < 0 or (row.estimate == 0 and row.a == second)
        ahead, behind = (row.b, row.a) if is_turned else (row.a, row.b)
        ends = (0.0 - row.high, 0.0 - row.low) if is_turned else (row.low, row.high)
        low, high = (number(end, 3) for end in ends)
        significant = is_significant(row.p_holm, settings.alpha)
        several = len(pairs) > 1
        # An interval without 0 beside a difference that is not significant would puzzle a reader.
        is_puzzling = ends[0] * ends[1] > 0 and not significant
        before = " before correction" if is_puzzling else ""
        corrected = "corrected " if several else ""
        sizes = (
            f"by {number(abs(row.estimate), 3)} ({low} to {high}{before}, "
            f"{corrected}p {printed_p(row.p_holm, settings.alpha)})"
        )
        thin = "; thin" if row.thin else ""
        both = table.systems[ahead], table.systems[behind]
        if significant:
            yield f"{both[0]} is better than {both[1]} {sizes}{thin}"
        elif row.estimate:
            yield f"{both[0]} is ahead of {both[1]} {sizes}: not significant{thin}"
        else:
            yield f"{both[0]} and {both[1]} differ {sizes}: not significant{thin}"


def _matrices(table: EstimateTable, settings: EstimateSettings, width: int) -> Iterator[Sheet]:
    """The differences of all pairs as the upper half of a square, in pieces for lines."""
    order = [mean.system for mean in table.best_first() if mean.is_estimated]
    cells = {}
    for row in table.estimate.differences:
        mark = "*" if is_significant(row.p_holm, settings.alpha) else ""
        marks = mark + ("?" if row.thin else "")
        cells[row.a, row.b] = number(row.estimate, 3) + marks
        cells[row.b, row.a] = number(0.0 - row.estimate, 3) + marks
    names = [table.systems[system] for system in order]
    longest = max(map(cell_len, ["system", *names]))
    at_once = max((width - longest - 6) // _WIDE, 1)
    title = heading_of(f"Row minus column by {table.dimension}", table.protocol)
    for start in range(1, len(order), at_once):
        columns = range(start, min(start + at_once, len(order)))
        is_last = columns[-1] == len(order) - 1
        yield Sheet(
            f"matrix_{start}",
            title if start == 1 else f"{title} (continued)",
            headings(Heading("rank", "#"), "system", *(Heading(str(k + 1)) for k in columns)),
            tuple(
                (k + 1, names[k], *(cells[order[k], order[c]] if c > k else "" for c in columns))
                for k in range(columns[-1])
            ),
            tuple(_sentences(table, settings)) if is_last else (),
        )


def _further(table: EstimateTable, settings: EstimateSettings) -> list[Sheet]:
    return [
        _saved(table),
        _weights(table),
        *([_needed(table, settings)] if settings.detect else []),
    ]


def _saved(table: EstimateTable) -> Sheet:
    rows = tuple((one.name, one.means, one.differences) for one in table.saved)
    columns = headings(
        "metric", Heading("means", "for means", 2), Heading("differences", "for differences", 2)
    )
    title = heading_of(f"Judgments saved on {table.dimension}", table.protocol)
    return Sheet("saved", title, columns, rows)


def _weights(table: EstimateTable) -> Sheet:
    names = table.proxy_names
    rows = tuple(
        (table.systems[mean.system], *mean.proxy_means,
         *(mean.weights if mean.is_estimated else [math.nan] * len(names)))
        for mean in table.best_first()
    )  # fmt: skip
    columns = headings(
        "system",
        *(Heading(f"mean_{name}", f"mean {name}") for name in names),
        *(Heading(f"weight_{name}", f"weight of {name}") for name in names),
    )
    title = heading_of("Weights of the metric", table.dimension, table.protocol)
    return Sheet("weights", title, columns, rows)


def _needed(table: EstimateTable, settings: EstimateSettings) -> Sheet:
    """How many topics to judge, for the pair in the middle and for all pairs."""
    now, systems = table.judged_topics, len(table.estimate.ranks)
    both = zip(
        table.estimate.topics_needed(), table.estimate.topics_needed(alone=True), strict=True
    )
    rows: list[tuple[Cell, ...]] = []
    smallest = table.estimate.smallest_seen()
    names = ("median pair", "every pair")
    for name, (needed, alone), seen in zip(names, both, smallest, strict=True):
        more = None if needed is None else max(needed - now, 0)
        more_alone = None if alone is None else max(alone - now, 0)
        judgments = None if more is None else more * systems
        rows.append((name, needed, more, judgments, alone, more_alone, seen))
    share = f"{100 * settings.power:g} %"
    title = f"Topics to judge to see a difference of {settings.detect:g} in {share} of cases"
    columns = headings(
        "pair", "topics", "more", Heading("more_judgments", "more judgments"),
        Heading("alone", "topics without the metric"), Heading("more_alone", "more"),
        Heading("smallest", "seen if all are judged"),
    )  # fmt: skip
    if not table.estimate.differences:
        rows = []
    return Sheet("needed", heading_of(title, table.dimension, table.protocol), columns,
                 tuple(rows), tuple(_notes_on_needed(table)) if rows else ())  # fmt: skip


def _notes_on_needed(table: EstimateTable) -> Iterator[str]:
    """Where all topics are too few, what they show, and that there are no more."""
    topics = max(mean.topics for mean in table.estimate.means)
    needed, alone = table.estimate.topics_needed(), table.estimate.topics_needed(alone=True)
    if None in needed:
        median, largest = (number(size, 2) for size in table.estimate.smallest_seen())
        is_one = len(table.estimate.differences) == 1
        every = "" if is_one else f" in the median pair, and of about {largest} in every pair"
        yield (
            f"-: not even if all topics are judged; with all {topics:,} topics judged, a "
            f"difference of about {median} can be seen{every}"
        )
    if any(count is None or count > topics for count in alone):
        yield f"there are only {counted(topics, 'topic')}: without the metric they are too few"


def _with_notes(report: EstimateReport, sheets: Sequence[Sheet]) -> list[Sheet]:
    """The sheets, and below the last what is to be known of all, each once."""
    own = [note for table in report.tables for note in table.notes]
    notes = dict.fromkeys([*sheets[-1].notes, *_legend(report), *own, *report.notes])
    return [*sheets[:-1], replace(sheets[-1], notes=tuple(notes))]


def _legend(report: EstimateReport) -> Iterator[str]:
    settings = report.settings
    share = f"{confidence(settings.alpha)} %"
    rows = [mean for table in report.tables for mean in table.estimate.means]
    pairs = [row for table in report.tables for row in table.estimate.differences]
    which = _POPULATIONS[settings.population]
    yield f"estimate: the mean judgment over {which}; low, high: its {share} interval"
    yield (
        "alone: what the judgments say without the metric; saved: the share of the judgments that "
        "the metric saves, 1 - (width / width alone)^2; below 0 it costs some"
    )
    if pairs:
        several = "all its pairs" if len(report.tables) > 1 else f"all {len(pairs):,} pairs"
        holm = f" after Holm's correction for {several}" if len(pairs) > 1 else ""
        yield (
            f"*: significant, p <= {settings.alpha:g}{holm}; "
            f"ranks: those that a system may have; all of them hold together with {share}"
        )
        yield (
            "every mean and every difference has its own weight of the metric, so differences of "
            "the estimates are not exactly those of the pairs"
        )
    if any(mean.thin for mean in rows) or any(row.thin for row in pairs):
        yield (
            f"thin, ?: too few different judgments (fewer than 5 differ from the commonest): the "
            f"{share} is not promised"
        )
    nulls = [one.name for one in report.tables[0].saved if one.is_null]
    yield (
        f"{', '.join(nulls)}: know nothing of people; a metric that saves no more than these does "
        f"not help (random numbers: the mean of {settings.draws:,} draws, seed {settings.seed})"
    )
    yield "all of this holds if the judged topics were drawn at random"
