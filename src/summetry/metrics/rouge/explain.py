"""Explanations of ROUGE: which units hit, and the formulas on what was counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from summetry.metrics.base import explained
from summetry.metrics.explanations import Explanation, Match, Part, left_out
from summetry.metrics.rouge.lcs_marks import mark_pair
from summetry.metrics.rouge.views import (
    Limit,
    limit_like_rouge155,
    limit_plainly,
    limit_sentences_like_rouge155,
)
from summetry.records.batches import Batch, Comparison, Side
from summetry.text.tokens import Span

if TYPE_CHECKING:
    from summetry.metrics.rouge.base import Rouge

Token = tuple[str, tuple[Span, ...]]


class Located(NamedTuple):
    """A text as ROUGE sees it: its tokens, and its tokens by sentence, with their places.

    Places are left out where a limit cut the text.
    """

    tokens: list[Token]
    sentences: list[list[Token]]


def explain_rouge(metric: Rouge, comparison: Comparison) -> Explanation:
    """One part for each reference that counts, or one for all that are pooled."""
    parts = [_part(metric, comparison, side) for side in comparison.references]
    if not metric.quirks:
        parts = [part for part in parts if part.facts["reference"] > 0]
    if metric.references == "pool":
        parts = [_pooled(metric, parts)]
    elif metric.references == "best" and parts:
        best = metric.count(Batch([comparison]))[0].tolist()
        wanted = ("reference", "candidate", "matched")
        parts = [next(p for p in parts if [p.facts[name] for name in wanted] == best)]
    return explained(metric, comparison, parts)


def locate(metric: Rouge, side: Side, language: str, is_candidate: bool) -> Located:
    """The tokens of one side after its limit."""
    pipeline = metric.text
    sentences = side.sentences
    if sentences is None:
        sentences = tuple(pipeline.sentences(side.text, language))
    limit = metric.limit if is_candidate or metric.quirks else Limit()
    if not limit:
        places: Iterator[Token] = iter(
            [(token, (span,)) for token, span in pipeline.locate(side.text, language)]
        )
        cut = [[next(places) for _ in pipeline.locate(s, language)] for s in sentences]
        return Located([token for sentence in cut for token in sentence], cut)
    if metric.quirks:
        text = limit_like_rouge155(sentences, limit)
        sentences = tuple(limit_sentences_like_rouge155(sentences, limit))
    else:
        text = limit_plainly(sentences, limit)
        sentences = tuple(text)
    bare = [[(token, ()) for token, _ in pipeline.locate(s, language)] for s in text]
    views = [[(token, ()) for token, _ in pipeline.locate(s, language)] for s in sentences]
    return Located([token for sentence in bare for token in sentence], list(views))  # type: ignore[arg-type]


def shared_units(mine: list[Token], theirs: list[Token]) -> list[Match]:
    """Units of two multisets, each as often as both have it."""
    left, right = Counter(unit for unit, _ in mine), Counter(unit for unit, _ in theirs)
    here, there = _places(mine), _places(theirs)
    return [
        Match(unit, float(min(left[unit], right[unit])), here[unit], there[unit])
        for unit in sorted(left.keys() & right.keys())
    ]


def ngram_units(tokens: list[Token], n: int) -> list[Token]:
    return [_joined(tokens[i : i + n], " ") for i in range(len(tokens) - n + 1)]


def skip_units(tokens: list[Token], gap: int, unigrams: str) -> list[Token]:
    reach = len(tokens) if gap < 0 else gap + 2
    units = [
        _joined([a, b], " … ") for i, a in enumerate(tokens) for b in tokens[i + 1 : i + reach]
    ]
    if unigrams != "none":
        units += tokens[:-1] if unigrams == "not last" else tokens
    return units


def marked_tokens(mine: Located, theirs: Located) -> list[Match]:
    """Tokens of the reference in the united subsequences, as far as both texts have them."""
    left, right = Counter(t for t, _ in mine.tokens), Counter(t for t, _ in theirs.tokens)
    here = _places(mine.tokens)
    found = []
    for sentence in theirs.sentences:
        words = [token for token, _ in sentence]
        others = [mark_pair(words, [t for t, _ in other]) for other in mine.sentences]
        marks = [any(column) for column in zip(*others, strict=True)] if others else []
        for (token, place), marked in zip(sentence, marks, strict=False):
            if marked and left[token] > 0 and right[token] > 0:
                left[token] -= 1
                right[token] -= 1
                found.append(Match(token, 1.0, here[token], place))
    return found


def _part(metric: Rouge, comparison: Comparison, side: Side) -> Part:
    alone = Comparison(comparison.material, comparison.candidate, (side,))
    pairs = metric.count_pairs(Batch([alone]))
    language = comparison.material.language
    mine = locate(metric, comparison.candidate, language, True)
    theirs = locate(metric, side, language, False)
    facts = {"matched": float(pairs.hits[0]), "reference": float(pairs.reference[0])}
    facts |= {"candidate": float(pairs.candidate[0]), "alpha": metric.alpha, "root": metric.root}
    return Part(side.author, facts, _formulas(metric), tuple(metric.matches(mine, theirs)))


def _pooled(metric: Rouge, parts: Sequence[Part]) -> Part:
    names = ("matched", "reference", "candidate")
    facts = {name: sum(part.facts[name] for part in parts) for name in names}
    facts |= {"alpha": metric.alpha, "root": metric.root}
    who = ", ".join(part.against for part in parts) or "no reference with anything to match"
    formulas = _formulas(metric) if parts else left_out(metric.values)
    return Part(who, facts, formulas, tuple(match for part in parts for match in part.matches))


def _formulas(metric: Rouge) -> dict[str, str]:
    power = "" if metric.root == 1 else "**root"
    recall = f"(matched / reference){power} if reference else 0"
    precision = f"(matched / candidate){power} if candidate else 0"
    if metric.quirks:
        r, p = f"round({recall}, 5)", f"round({precision}, 5)"
        f = f"round({p} * {r} / ((1 - alpha) * {p} + alpha * {r}) if {p} * {r} else 0, 5)"
        return {"recall": r, "precision": p, "f": f}
    if metric.root == 1:
        f = "matched / (reference + alpha * (candidate - reference)) if matched else 0"
    else:
        r, p = f"({recall})", f"({precision})"
        f = f"{p} * {r} / ((1 - alpha) * {p} + alpha * {r}) if matched else 0"
    return {"recall": recall, "precision": precision, "f": f}


def _places(tokens: list[Token]) -> dict[str, tuple[Span, ...]]:
    found: defaultdict[str, list[Span]] = defaultdict(list)
    for token, places in tokens:
        found[token] += places
    return {token: tuple(places) for token, places in found.items()}


def _joined(parts: list[Token], between: str) -> Token:
    unit = between.join(token for token, _ in parts)
    return unit, tuple(span for _, places in parts for span in places)
