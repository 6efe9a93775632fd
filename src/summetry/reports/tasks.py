"""The results of tasks as sheets: for a terminal, and with every number for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from summetry.errors import counted, first_names
from summetry.reports.sheets import Cell, Heading, Sheet, headings, sheet_records, without_columns
from summetry.reports.words import COEFFICIENTS
from summetry.tasks.categorization import FULL_TEXT, Categorization, Categorized
from summetry.tasks.category_scores import AVERAGES
from summetry.tasks.questions import Answers
from summetry.tasks.retrieval import Retrieval

_AVERAGED = {
    "documents": "mean over texts",
    "categories": "mean over categories",
    "micro": "of all counts added",
}
_INTERVAL = "low, high: 95 % interval, {draws:,} resamples of {things}, seed {seed}"


def _with_ends(name: str, title: str = "", digits: int = 3) -> tuple[Heading, ...]:
    """A value and both ends of its interval; the ends are named with it, and headed alike."""
    ends = (Heading(f"{name}_{end}", end, digits) for end in ("low", "high"))
    return (Heading(name, title, digits), *ends)


def categorization_sheets(result: Categorization) -> list[Sheet]:
    """The classifier, people, all averages, and each category."""
    sheets = [_categorized(result, by) for by in ("classifier", "people")]
    return [sheet for sheet in (*sheets, _averages(result), _categories(result)) if sheet.rows]


def printed_categorization(result: Categorization) -> list[Sheet]:
    """What a terminal shows: without categories, and without columns that say nothing."""
    shown = [s for s in categorization_sheets(result) if s.name != "categories"]
    # All averages fit a line without the roles, which stand above.
    return [_without_dull(sheet, has_roles=sheet.name != "averages") for sheet in shown]


def _categorized(result: Categorization, by: str) -> Sheet:
    rows = [row for row in result.rows if row.by == by]
    settings, topics = result.settings, max((row.topics for row in rows), default=0)
    lower = settings.lower if by == "people" and settings.lower else "random"
    words = {"classifier": "by a classifier", "people": "chosen by people"}[by]
    known = len({name for row in rows for name in row.categories})
    sizes = f"{counted(topics, 'topic')}, {counted(known, 'category', 'categories')}"
    names: tuple[str | Heading, ...] = (
        "system", "role", "topics", "texts", *_with_ends("f", "F"),
        Heading("lower", lower), Heading("upper", "full text"), *_with_ends("kept"),
    )  # fmt: skip
    cells = tuple(
        (
            row.system or FULL_TEXT, row.role, row.topics, row.texts, *row.f, row.lower, row.upper,
            *row.kept,
        )
        for row in rows
    )  # fmt: skip
    notes = [
        f"F: {_AVERAGED[settings.average]}; "
        + _INTERVAL.format(draws=settings.draws, things="topics", seed=settings.seed)
    ]
    kept = f"kept: (F - {lower}) / (full text - {lower})"
    if by == "classifier":
        notes += [
            f"random: {settings.extracts} random extracts for each summary, with as many words; "
            f"{kept}",
            f"linear support vector machine on tf.idf of words ({settings.text}), learnt from "
            f"{result.learnt_from}",
            *_by_chance(result),
        ]
    else:
        notes.append("texts: choices of people; full text: what they chose for the full texts")
        if settings.lower:
            notes.append(f"{lower}: what they chose for the summaries by {lower}; {kept}")
    notes += _without_gap(rows, "random extracts" if by == "classifier" else lower)
    return Sheet(by, f"Categories {words}: {sizes}", headings(*names), cells, tuple(notes))


def _by_chance(result: Categorization) -> list[str]:
    chance, settings = result.chance, result.settings
    if chance is None or chance.is_beaten:
        return []
    return [
        f"full texts are not clearly categorized better than by chance, so these numbers say "
        f"little: mean F over texts {chance.f:.3f}, and {chance.expected:.3f} if they are given "
        f"the same categories in any order; p {chance.p:.4f}, one-sided, {settings.draws:,} "
        f"permutations"
    ]


def _without_gap(rows: Sequence[Categorized], lower: str) -> list[str]:
    without = [row.system for row in rows if row.upper <= row.lower]
    if not without:
        return []
    where = f"where full texts do no better than {lower}"
    return [f"no share is kept {where}: {first_names(without)}"]


def _averages(result: Categorization) -> Sheet:
    columns = [
        Heading(f"{average}_{part}", f"{average} {letter}" if letter == "P" else letter)
        for average in AVERAGES
        for part, letter in (("precision", "P"), ("recall", "R"), ("f", "F"))
    ]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            row.by,
            row.system or FULL_TEXT,
            row.role,
            *(value for average in AVERAGES for value in row.scores[average]),
        )
        for row in result.rows
    )
    notes = (
        "documents: mean over texts; categories: mean over categories; micro: all counts added",
    )
    names = headings("by", "system", "role", *columns)
    return Sheet("averages", "Precision, recall and F, averaged in three ways", names, rows, notes)


def _categories(result: Categorization) -> Sheet:
    rows = tuple(
        (row.by, row.system or FULL_TEXT, row.role, name, *scores)
        for row in result.rows
        for name, scores in row.categories.items()
    )
    names = headings("by", "system", "role", "category", "precision", "recall", "f")
    return Sheet("categories", "Each category", names, rows)


def retrieval_sheets(result: Retrieval) -> list[Sheet]:
    """The correlations, the loss in average precision where there are qrels, and each query."""
    settings = result.settings
    asked = f"{counted(result.queries, 'query', 'queries')} ({result.queries_from})"
    topics = counted(max(row.topics for row in result.rows), "topic")
    columns = [
        heading
        for name in ("pearson", "spearman", "tau_b")
        for heading in _with_ends(name, COEFFICIENTS[name])
    ]
    rows = tuple(
        (r.system, r.role, r.topics, r.queries, *r.pearson, *r.spearman, *r.tau_b)
        for r in result.rows
    )
    interval = _INTERVAL.format(draws=settings.draws, things="queries", seed=settings.seed)
    notes = (
        "scores of full texts and of summaries, over all topics, mean over queries; queries: those "
        "that have a value",
        interval,
        f"BM25 (k1 {settings.k1:g}, b {settings.b:g}) on words ({settings.text})",
    )
    sheets = [
        Sheet(
            "relevance",
            f"Relevance correlation: {topics}, {asked}",
            headings("system", "role", "topics", "queries", *columns),
            rows,
            notes,
        )
    ]
    if result.judged:
        sheets.append(_loss(result, interval))
    return [*sheets, _by_query(result)]


def printed_retrieval(result: Retrieval) -> list[Sheet]:
    """What a terminal shows: without single queries, and with the interval of Pearson alone."""
    ends = [f"{name}_{end}" for name in ("spearman", "tau_b") for end in ("low", "high")]
    return [_without_dull(sheet, ends) for sheet in retrieval_sheets(result)[:-1]]


def _loss(result: Retrieval, interval: str) -> Sheet:
    rows = tuple(
        (row.system, row.role, row.precision_full, row.precision, *row.loss) for row in result.rows
    )
    names = headings(
        "system", "role", Heading("precision_full", "full text"), Heading("precision", "summary"),
        *_with_ends("loss"),
    )  # fmt: skip
    judged = counted(result.judged, "query", "queries")
    title = f"Average precision: {judged} with relevant topics"
    return Sheet("loss", title, names, rows, ("loss: full text minus summary", interval))


def _by_query(result: Retrieval) -> Sheet:
    names = ("query", "pearson", "spearman", "tau_b", "precision_full", "precision")
    rows = tuple((row.system, row.role, *query) for row in result.rows for query in row.by_query)
    return Sheet("queries", "Each query", headings("system", "role", *names), rows)


def question_sheets(result: Answers) -> list[Sheet]:
    """The conditions, and every pair of them."""
    names: tuple[str | Heading, ...] = (
        "condition", "system", "answers", "people", "questions", *_with_ends("right"),
        *_with_ends("kept"), *_with_ends("seconds", digits=1),
    )  # fmt: skip
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            row.condition, row.author, row.answers, row.people, row.questions, *row.right,
            *row.kept, *row.seconds,
        )
        for row in result.rows
    )  # fmt: skip
    notes = (
        "right: share of right answers; kept: (right - nothing) / (source - nothing)",
        _INTERVAL.format(draws=result.draws, things="questions", seed=result.seed),
    )
    sheets = [Sheet("conditions", "Right answers after reading", headings(*names), rows, notes)]
    if not result.differences:
        return sheets
    pairs: tuple[str | Heading, ...] = (
        "first", "second", Heading("paired", "paired by"), Heading("number", "n"), "difference",
        "low", "high", Heading("p", "uncorrected p", 4, True), Heading("corrected_p", "p", 4, True),
        Heading("seconds", "", 1),
    )  # fmt: skip
    tested = (
        "n: questions or people that are in both, or all answers where nothing is paired",
        "difference: of right answers, first minus second; seconds: likewise",
        "p: paired permutation test, corrected by Holm; Fisher's exact test of all answers where "
        "fewer than two questions and two people are in both",
    )
    cells: tuple[tuple[Cell, ...], ...] = tuple((*one,) for one in result.differences)
    return [*sheets, Sheet("pairs", "Differences", headings(*pairs), cells, tested)]


def printed_questions(result: Answers) -> list[Sheet]:
    """What a terminal shows: without columns that say nothing."""
    return [
        _without_dull(sheet, ("p", "people", "questions", "seconds_low", "seconds_high"))
        for sheet in question_sheets(result)
    ]


def _without_dull(sheet: Sheet, never: Sequence[str] = (), has_roles: bool = True) -> Sheet:
    """A sheet without columns that say nothing; who is a reference is said behind the name."""
    names = [heading.name for heading in sheet.headings]
    if has_roles and "role" in names:
        role, system = names.index("role"), names.index("system")
        rows = tuple(_with_role(row, system, row[role] == "reference") for row in sheet.rows)
        sheet = replace(sheet, rows=rows)
    records = sheet_records(sheet)
    empty = [name for name in names if all(record[name] in (None, "") for record in records)]
    same = [n for n in ("by", "topics") if len({record.get(n) for record in records}) == 1]
    if all(record.get("texts") == record.get("topics") for record in records):
        same.append("texts")
    return without_columns(sheet, ("role", *never, *empty, *same), ())


def _with_role(row: tuple[Cell, ...], system: int, is_reference: bool) -> tuple[Cell, ...]:
    if not is_reference:
        return row
    return (*row[:system], f"{row[system]} (reference)", *row[system + 1 :])
