"""What a judge said as sheets: systems with what is missing, biases, and what a run will cost."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from summetry.errors import counted
from summetry.formats.judge_tables import JudgeTables
from summetry.judges.answers import FAILURES, Kind
from summetry.judges.costs import Forecast
from summetry.judges.judged import Judged, Reason, Spent
from summetry.judges.results import SystemRow
from summetry.reports.sheets import (
    Cell,
    Heading,
    Sheet,
    headings,
    sheets_as_json,
    without_columns,
)
from summetry.reports.tables import number

_TITLES = {
    "points": "Marks by {model}",
    "pairs": "Win rates by {model}, each pair in both orders",
    "units": "Content units that {model} finds in the summaries",
}
_VALUES = {"points": "mean", "pairs": "wins", "units": "share"}
_KINDS: dict[Kind, str] = {
    "parse_failure": "parse failures",
    "refusal": "refusals",
    "no_answer": "no answer",
    "not_asked": "not asked",
}
_MEANINGS = {
    "first wins": "first wins: share of verdicts, equal ones aside, for the summary shown first",
    "called equal": "called equal: share of verdicts for neither",
    "flips": "flips: share of pairs whose verdict changes with the order",
    "longer wins": "longer wins: share of verdicts, equal ones aside, for the longer summary",
    "mark and length": "mark and length: Spearman of mark and number of words within a topic, mean "
    "over topics",
    "equal marks of two trials": "two trials: of one question, all pairs of trials",
}


def judged_sheets(judged: Judged) -> list[Sheet]:
    """The systems by mode, the biases, and the reasons that the judge gave."""
    sheets = []
    for mode in _TITLES:
        rows = [row for row in judged.rows if row.mode == mode]
        if rows:
            sheets.append(_systems(judged, mode, rows))
    if judged.biases:
        sheets.append(_biases(judged))
    if reasons := judged.reasons():
        title = f"Reasons of {judged.model}"
        sheets.append(Sheet("reasons", title, headings(*Reason._fields), tuple(reasons)))
    return sheets


def printed_judged(judged: Judged) -> list[Sheet]:
    """What a terminal shows: without columns that say nothing, and without the many reasons."""
    every = [sheet for sheet in judged_sheets(judged) if sheet.name != "reasons"]
    empty = [kind for kind in FAILURES if not judged.counts[kind]]
    single = ("dimension",) if len({row.dimension for row in judged.rows}) == 1 else ()
    # Both bounds are the mean where nothing is missing.
    bounds = () if len(empty) < len(FAILURES) else ("worst", "best")
    never = (*empty, *single, *bounds)
    dull = [("topics",) if len(sheet.rows) > 1 else () for sheet in every]
    return [without_columns(s, never, topics) for s, topics in zip(every, dull, strict=True)]


def judge_tables(judged: Judged) -> JudgeTables:
    """The same as a file of the tables would be read."""
    about = {"model": judged.model, "requests": judged.counts}
    return msgspec.convert(sheets_as_json(judged_sheets(judged), about), JudgeTables)


def answered_words(tables: JudgeTables) -> str:
    """How many judgments a model gave, and why it gave no others, in one line."""
    rows = (*tables.points.rows, *tables.pairs.rows, *tables.units.rows)
    dimensions = ", ".join(dict.fromkeys(row.dimension for row in rows))
    total, answered = sum(tables.requests.values()), tables.requests.get("mark", 0)
    failed = [
        f"{title}:\N{NO-BREAK SPACE}{tables.requests[kind]:,}"
        for kind, title in _KINDS.items()
        if tables.requests.get(kind)
    ]
    many = f"{answered:,} of {counted(total, 'judgment')} answered"
    return "; ".join([f"{tables.model} on {dimensions}: {many}", *failed])


def _systems(judged: Judged, mode: str, rows: Sequence[SystemRow]) -> Sheet:
    order = {name: place for place, name in enumerate(dict.fromkeys(r.dimension for r in rows))}
    # Those without a mean come last.
    rows = sorted(
        rows, key=lambda row: (order[row.dimension], math.isnan(row.mean.value), -row.mean.value)
    )
    cells: tuple[tuple[Cell, ...], ...] = tuple(
        (
            row.dimension, row.system, row.topics, row.asked,
            *(row.counts[kind] for kind in ("mark", *_KINDS)),
            *row.mean, row.worst, row.best,
        )
        for row in rows
    )  # fmt: skip
    interval = f"low, high: 95 % interval, {judged.draws:,} resamples of topics, seed {judged.seed}"
    ends = {
        "points": "the lowest and the highest mark of the scale",
        "pairs": "a loss and a win",
        "units": "a no and a yes",
    }[mode]
    of_mode = [outcome for ask, outcome in judged.said if ask.asked.mode == mode]
    missing = sum(outcome.kind != "mark" for outcome in of_mode)
    notes = [interval]
    if missing:
        many = f"{missing:,} of {counted(len(of_mode), 'judgment')}"
        notes.append(f"worst, best: with {ends} in place of what is missing, {many}")
    title = _TITLES[mode].format(model=judged.model)
    single = {row.dimension for row in rows}
    title += f": {single.pop()}" if len(single) == 1 else ""
    return Sheet(mode, title, system_headings(mode), cells, tuple(notes))


def system_headings(mode: str) -> tuple[Heading, ...]:
    """The columns of the systems of a mode."""
    return headings(
        "dimension", "system", "topics", "asked", Heading("mark", "answered"),
        *(Heading(kind, title) for kind, title in _KINDS.items()),
        Heading("mean", _VALUES[mode]), "low", "high", "worst", "best",
    )  # fmt: skip


def _biases(judged: Judged) -> Sheet:
    rows = tuple((b.dimension, b.bias, *b.estimate, b.number) for b in judged.biases)
    names = headings("dimension", "bias", "value", "low", "high", Heading("number", "n"))
    shown = {bias.bias for bias in judged.biases}
    notes = [words for bias, words in _MEANINGS.items() if bias in shown]
    notes.append("0.5 is fair for first wins; length is a bias only as far as it is no merit")
    return Sheet("biases", f"Position, length and repetition: {judged.model}", names, rows,
                 tuple(notes if {"first wins", "longer wins"} & shown else notes[:-1]))  # fmt: skip


def forecast_sheet(rows: Sequence[tuple[str, str, Forecast]], has_price: bool) -> Sheet:
    """What each rubric, and all of them, have to ask, and what that takes."""
    names: tuple[str | Heading, ...] = (
        "dimension", "mode", "requests", Heading("in_log", "in the log"), "to_ask",
        "prompt_tokens", "answer_tokens", Heading("cost", "", 4), Heading("seconds", "", 0),
    )  # fmt: skip
    cells: tuple[tuple[Cell, ...], ...] = tuple(
        (
            dimension, mode, one.requests, one.in_log, one.to_ask, round(one.prompt_tokens),
            _whole(one.answer_tokens), one.cost, one.seconds,
        )
        for dimension, mode, one in rows
    )  # fmt: skip
    whole = rows[-1][2]
    notes = (
        "tokens per byte, tokens and seconds per answer: as of the answers in the log"
        if whole.is_measured
        else "prompt tokens: one for every four bytes; answer tokens: at most, by max_tokens",
    )
    sheet = Sheet("forecast", "To be asked", headings(*names), cells, notes)
    is_timed = not math.isnan(whole.seconds)
    never = (*(() if has_price else ("cost",)), *(() if is_timed else ("seconds",)))
    return without_columns(sheet, never, ())


def forecast_words(one: Forecast) -> str:
    """What is to be asked, in one line."""
    words = [
        f"{counted(one.to_ask, 'request')} to ask ({one.in_log:,} of {one.requests:,} are in the "
        f"log)",
        f"about {one.prompt_tokens:,.0f} prompt tokens",
    ]
    most = "about" if one.is_measured else "at most"
    if not math.isinf(one.answer_tokens):
        words.append(f"{most} {one.answer_tokens:,.0f} answer tokens")
    if not math.isnan(one.cost):
        words.append(f"{most} {number(one.cost, 4)} in cost")
    if not math.isnan(one.seconds):
        words.append(f"about {one.seconds:,.0f} s")
    return ", ".join(words)


def spent_words(judged: Judged) -> str:
    """What was sent now and what it took, and what came from the log, in one line."""
    sent, words = judged.sent, [f"{counted(judged.sent.requests, 'request')} sent"]
    if sent.requests:
        words.append(_tokens(sent))
    if judged.from_log:
        words.append(f"{counted(judged.from_log, 'answer')} from the log")
    whole = f" (all answers: {_tokens(judged.spent)})" if judged.from_log else ""
    return ", ".join(words) + whole


def _tokens(spent: Spent) -> str:
    words = f"{spent.prompt_tokens:,.0f} prompt tokens, {spent.answer_tokens:,.0f} answer tokens"
    return words + ("" if math.isnan(spent.cost) else f", cost {number(spent.cost, 4)}")


def failure_notes(judged: Judged) -> list[str]:
    """How many judgments have no mark, by kind, and of each kind the first with its reason."""
    notes = []
    for kind, title in _KINDS.items():
        if count := judged.counts[kind]:
            ask, outcome = next((a, o) for a, o in judged.said if o.kind == kind)
            where = f"{' and '.join(ask.systems)} on {ask.topic}"
            why = f": {' '.join(outcome.why.split())[:160]}" if outcome.why else ""
            notes.append(f"{title}: {count:,} of {len(judged.said):,}, first {where}{why}")
    return notes


def _whole(tokens: float) -> Cell:
    return None if math.isinf(tokens) else round(tokens)
