"""Scoring texts that are already in memory: ``summetry.score``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from summetry import spec
from summetry.arguments import as_list, check_string, is_missing, kind_of
from summetry.engine.chunks import Requested, Requests, build_metrics
from summetry.engine.fingerprints import fingerprint_of_sum, sum_of_texts
from summetry.engine.languages import with_language
from summetry.engine.plan import (
    CHUNK_ITEMS,
    Facts,
    Item,
    Plan,
    TextChunk,
    check_needs,
    offered_by,
    span,
)
from summetry.engine.run import MetricLike, Run
from summetry.engine.single import Single
from summetry.errors import SummetryError, counted, for_python, warn
from summetry.metrics import DEFAULT_METRICS, Explanation, Needs
from summetry.records.batches import Alone, Comparison, TextColumns
from summetry.records.scores import Column, Row
from summetry.records.text_scores import TextScores, Values
from summetry.text.languages import language_code

if TYPE_CHECKING:
    from summetry.formats.frames import Frame

# So many pairs are scored one after the other in less time than arrays take to be made.
_FEW = 5
# What gives a metric what it needs, in a call from Python.
ARGUMENTS = {Needs.REFERENCES: "the argument references", Needs.SOURCE: "the argument sources"}


@for_python
def score(
    candidates: str | Sequence[str] | Any,
    references: str | Sequence[str] | Sequence[Sequence[str]] = (),
    metrics: MetricLike | Sequence[MetricLike] = DEFAULT_METRICS,
    *,
    sources: str | Sequence[str] | None = None,
    language: str = "",
    columns: Mapping[str, str] | None = None,
) -> TextScores:
    """Values by metric, each under the name that the caller used.

    One candidate goes with one reference or a list of references, and every value is a number. A
    list of candidates goes with a list of references, one text (or a list of texts) for each, and
    every value is an array. Columns of pandas, polars, Arrow and datasets are lists, too. A whole
    frame has the references beside the candidates; ``columns`` says which is which, or it is
    guessed and said.

    >>> score("a b c", "b c d", "rouge1")["rouge1"].f
    0.6666666666666666
    >>> score(["a b", "c d"], ["a b", "c e"], "rouge1").mean()["rouge1"].f
    0.75
    """
    asked = build_metrics(metrics)
    check_string("language", language)
    single = isinstance(candidates, str)
    code = language_code(language)
    systems: Sequence[str] = ()
    if frame := _frame(candidates):
        texts, systems = _in_frame(frame, references, sources, columns or {}, code)
    elif columns:
        raise SummetryError("columns are those of a frame; give it as the first argument")
    else:
        texts = (one_text if single else many_texts)(candidates, references, sources, code)
    if not texts.candidates:
        return TextScores({r.name: Values(dict.fromkeys(r.values, np.zeros(0))) for r in asked})
    if single and (scored := score_single(asked, texts)):
        return _as_scores(*scored, asked, lambda: Run(PairPlan(texts), asked).columns)
    index = candidates.index if hasattr(candidates, "iloc") else None
    if few := _one_by_one(asked, texts):
        return _as_scores(
            few, (), asked, lambda: Run(PairPlan(texts), asked).columns, index, systems
        )
    run = Run(PairPlan(texts, remedies=ARGUMENTS), asked)
    numbers = run.numbers()
    values: dict[str, dict[str, Any]] = {}
    for request in run.requested:
        spelling = spec.show(request.metric)
        for name in request.values:
            column = numbers[spelling, name]
            values.setdefault(request.name, {})[name] = float(column[0]) if single else column
    return _as_scores(values, run.notes, run.requested, lambda: run.columns, index, systems)


def score_single(asked: Requests, texts: TextColumns) -> Single | None:
    """The scores of the only candidate; None where it takes the road of all others."""
    (candidate,), (references,), _, language = texts
    return asked.single.score(candidate, references, language) if asked.single else None


def _one_by_one(asked: Requests, texts: TextColumns) -> dict[str, dict[str, Any]] | None:
    """The values of a few candidates; None where they take the road of many, which is quicker for
    more of them, and where something is to be said."""
    if len(texts.candidates) > _FEW:
        return None
    each = []
    for row in range(len(texts.candidates)):
        scored = score_single(asked, texts.part(slice(row, row + 1)))
        if scored is None or scored[1]:
            return None
        each.append(scored[0])
    return {
        name: {value: np.array([one[name][value] for one in each]) for value in values}
        for name, values in each[0].items()
    }


def _as_scores(
    values: Mapping[str, dict[str, Any]],
    notes: Iterable[str],
    requested: Sequence[Requested],
    columns: Callable[[], Sequence[Column]],
    index: Any = None,
    systems: Sequence[str] = (),
) -> TextScores:
    for note in notes:
        warn(note)

    def bounds() -> dict[str, tuple[float, float]]:
        return {request.name: request.metric.bounds for request in requested}

    by_metric = {name: Values(v) for name, v in values.items()}
    return TextScores(by_metric, columns, index, bounds, systems)


class ExplainedTexts(NamedTuple):
    """One metric of one text: the explanation, what it is about, and a note where there is one."""

    request: Requested
    explanation: Explanation
    comparison: Comparison
    note: str


def explain_texts(
    request: Requested,
    candidate: str,
    references: str | Sequence[str],
    source: str | None,
    language: str,
    remedies: Mapping[Needs, str],
) -> ExplainedTexts:
    """Why a text has its score; ``remedies`` say what would give a metric what it needs."""
    texts = one_text(candidate, references, source, language_code(language))
    plan = PairPlan(texts, remedies=remedies)
    (in_language,), note = with_language([request], plan)
    check_needs([in_language], plan)
    (item,) = plan.items()
    (comparison,) = item.comparisons
    return ExplainedTexts(in_language, in_language.metric.explain(comparison), comparison, note)


@dataclass(frozen=True)
class PairPlan(Plan):
    """Texts in columns, with their topics and authors where these are known.

    Otherwise the number of a row is its topic and its author is "candidate".
    """

    columns: TextColumns
    name: str = "the call"
    names: Sequence[tuple[str, str]] = ()
    remedies: Mapping[Needs, str] = field(default_factory=dict)

    @cached_property
    def facts(self) -> Facts:
        counts = list(map(len, self.columns.references))
        offered = Needs(int(np.bitwise_or.reduce(offered_by(self.columns))))
        return Facts(len(counts), offered, span(counts))

    @property
    def languages(self) -> tuple[str, ...]:
        return (self.columns.language,)

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint_of_sum(sum_of_texts(self.columns))

    def shown(self, number: int, row: Row) -> str:
        return super().shown(number, row) if self.names else f"candidates[{number}]"

    def items(self) -> Iterator[Item]:
        for chunk in self.chunks():
            yield from chunk.items()

    def chunks(self, size: int = CHUNK_ITEMS) -> Iterator[TextChunk]:
        return TextChunk(self.columns, 1, self.names).cut(size)


def one_text(candidate: Any, references: Any, source: Any, language: str) -> TextColumns:
    texts = [references]
    if not isinstance(references, str):
        texts = _texts(references, "for one candidate references", "a text or a list of texts")
    if source is not None and not isinstance(source, str):
        raise SummetryError(f"sources must be one text for one candidate, got {kind_of(source)}")
    return TextColumns([candidate], [texts], [source], language)


def _frame(candidates: Any) -> Frame | None:
    """A frame as a table that can be read; None where texts are given."""
    if isinstance(candidates, str):
        return None
    first = candidates[:1] if isinstance(candidates, list) else [{}]
    if not any(isinstance(row, Mapping) for row in first):
        return None  # As nearly all callers give them; the readers of tables need not be imported.
    from summetry.formats.frames import as_frame

    return as_frame(candidates)


def _in_frame(
    frame: Frame, references: Any, sources: Any, columns: Mapping[str, str], language: str
) -> tuple[TextColumns, list[str]]:
    """The texts of a frame, row by row, and their systems where there are several."""
    from summetry.formats.lines import stop
    from summetry.formats.table import read_rows

    if sources is not None or not isinstance(references, tuple) or references:
        raise SummetryError(
            "a frame has references and sources in its own columns: leave these arguments out, "
            "write columns={'reference': ...} to say which they are, and metrics=... for metrics"
        )
    rows = list(read_rows(frame, columns, stop))
    if len(rows) != len(frame.records):
        systems = dict.fromkeys(row.system for row in rows)
        raise SummetryError(
            f"expected one candidate per row of the frame, found {len(systems)} "
            f"({', '.join(systems)}); summetry.evaluate scores several systems, and "
            f"columns={{'candidate': {next(iter(systems))!r}}} picks one"
        )
    candidates, groups = [row.candidate for row in rows], [list(row.references) for row in rows]
    texts = TextColumns(candidates, groups, [row.source for row in rows], language)
    owners = [row.system for row in rows]
    return texts, owners if len(set(owners)) > 1 else []


def many_texts(candidates: Any, references: Any, sources: Any, language: str) -> TextColumns:
    """Lists or columns of texts, checked: one candidate per row."""
    texts = _texts(candidates, "candidates", "a text or a list of texts")
    per_candidate = "a text, or a list of texts, for each candidate"
    _check_index(candidates, references, "references")
    _check_index(candidates, sources, "sources")
    groups: Any = _matching(references, "references", per_candidate, texts)
    if not _all_of(str, groups) and all(isinstance(group, str) for group in groups):
        groups = list(map(str, groups))  # Those of numpy are a kind of their own.
    if _all_of(str, groups):
        groups = Alone(groups)
    # What nearly every caller gives; a closer look is taken only if it is not.
    elif not (_all_of(list, groups) and _all_of(str, chain.from_iterable(groups))):
        are_texts = any(isinstance(group, str) for group in groups)
        for number, group in enumerate(groups):
            if is_missing(group) or (are_texts and not isinstance(group, str | list | tuple)):
                raise _no_text(group, references, "references", number)
        groups = [_texts(g, f"references[{i}]", "a list of texts") for i, g in enumerate(groups)]
    origins: list[str | None] = [None] * len(texts)
    if sources is not None:
        listed = _matching(sources, "sources", "one text for each candidate", texts)
        origins = list(_texts(listed, "sources", "a list of texts"))
    return TextColumns(texts, groups or [[]] * len(texts), origins, language)


def _all_of(kind: type, items: Iterable[Any]) -> bool:
    return {kind}.issuperset(map(type, items))


def _matching(given: Any, name: str, expected: str, candidates: list[str]) -> list[Any]:
    """``given`` as a list, if it has one entry per candidate (or none at all)."""
    if isinstance(given, str):
        raise SummetryError(f"{name} must be {expected}, got a string")
    items = as_list(name, given, expected)
    if len(items) not in ((0, len(candidates)) if name == "references" else (len(candidates),)):
        candidate = counted(len(candidates), "candidate")
        advice = ""
        if name == "references" and len(candidates) == 1:
            # Both are common; to take one of them for the other would give wrong numbers.
            advice = (
                f"; if all are references of the one candidate, write references=[[...]]; if each "
                f"belongs to a candidate of its own, give {len(items)} candidates"
            )
        raise SummetryError(f"{name} must be {expected}, got {len(items)} for {candidate}{advice}")
    return items


def _texts(items: Any, name: str, expected: str) -> list[str]:
    if isinstance(items, str):
        advice = "write [text] for a single one"
        raise SummetryError(f"{name} must be {expected}, got a string; {advice}")
    texts = as_list(name, items, expected)
    for number, text in () if _all_of(str, texts) else enumerate(texts):
        if not isinstance(text, str):
            raise _no_text(text, items, name, number)
    return texts


def _check_index(candidates: Any, others: Any, name: str) -> None:
    """Refuse two columns of pandas whose rows are not the same: they go together by place."""
    if not (hasattr(candidates, "iloc") and hasattr(others, "iloc")):
        return
    if len(candidates) == len(others) and not candidates.index.equals(others.index):
        raise SummetryError(
            f"candidates and {name} have different indexes, so their rows may not belong together; "
            f"write {name}.loc[candidates.index], or {name}.to_list() to go by place"
        )


def _no_text(found: Any, items: Any, name: str, number: int) -> SummetryError:
    """What is no text, with its row, and with the label of the row where pandas has one."""
    label = f" (index {items.index[number]})" if hasattr(items, "iloc") else ""
    advice = "; it is missing: leave out the row, or fill it in" if is_missing(found) else ""
    if isinstance(found, bytes):
        advice = "; .decode() makes a text of them"
    return SummetryError(f"{name}[{number}]{label} must be a text, got {kind_of(found)}{advice}")
