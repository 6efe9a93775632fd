"""The language of texts that do not say it, for metrics that need to know it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from summetry.engine.chunks import Requested
from summetry.engine.plan import Plan
from summetry.text.guessing import guess_language
from summetry.text.languages import language

# How many summaries the guess is made from.
_SUMMARIES = 50


def with_language(requested: Sequence[Requested], plan: Plan) -> tuple[list[Requested], str]:
    """What is asked for, its words in the language of the texts; and a note where it is guessed.

    The language becomes part of the spelling, so that the signature says it.
    """
    needing = [r for r in requested if r.metric.needs_language]
    if not needing or any(plan.languages):
        return list(requested), ""
    guess = language_guessed(plan)
    if not guess:
        return list(requested), ""
    built = [
        _in_language(request, guess) if request in needing else request for request in requested
    ]
    names = ", ".join(dict.fromkeys(request.name for request in needing))
    name = language(guess).name
    return built, f"{names}: the language is guessed to be {name}; --language names another"


def language_guessed(plan: Plan) -> str:
    """The code of the language that the first summaries of a plan are in, or nothing."""
    items = islice(plan.items(), _SUMMARIES)
    return guess_language("\n".join(item.comparisons[0].candidate.text for item in items))


def _in_language(request: Requested, code: str) -> Requested:
    metric: Any = request.metric
    return request._replace(metric=replace(metric, text=replace(metric.text, name=code)))
