"""What a run costs: estimates before it, a limit while it runs.

Before anything was answered a prompt is taken to have a token for every four bytes, and an answer
to be as long as ``max_tokens`` allows. Where the log has answers of the same model, their counts of
tokens per byte and per answer, and their seconds, are taken instead.

A budget is for all requests of a command, those that are in the log already included, so that a run
that was interrupted and goes on does not spend it twice. A request is sent only if what was spent,
what is under way and what the request may cost stay within it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from summetry.errors import SummetryError
from summetry.judges.answers import usage_of
from summetry.judges.log import Entry
from summetry.judges.prompts import Ask

_BYTES_PER_TOKEN = 4.0
# What the frame of a message takes.
_FRAME = 8


class Price(NamedTuple):
    """What a million tokens cost, of prompts and of answers."""

    prompt: float
    answer: float

    def of(self, prompt: float, answer: float) -> float:
        return (prompt * self.prompt + answer * self.answer) / 1e6


@dataclass(frozen=True)
class Budget:
    """The most that may be spent."""

    most: float
    of: Literal["requests", "tokens", "money"]

    def __str__(self) -> str:
        return f"{self.most:,g}" + ("" if self.of == "money" else f" {self.of}")


def read_budget(text: str, price: Price | None) -> Budget:
    """``500 requests``, ``200000 tokens``, or an amount of the currency of the prices.

    >>> read_budget("1,000 requests", None)
    Budget(most=1000.0, of='requests')
    """
    match = re.fullmatch(r"([\d,_]*\.?\d+)\s*(requests?|tokens?)?", text.strip())
    if not match:
        raise SummetryError(
            f"--budget: write '500 requests', '200000 tokens' or an amount such as 2.50, got "
            f"{text!r}"
        )
    most = float(re.sub("[,_]", "", match[1]))
    if not match[2]:
        if price is None:
            raise SummetryError(
                "--budget in a currency needs --price IN OUT, per million tokens; or say "
                "'500 requests' or '200000 tokens'"
            )
        return Budget(most, "money")
    return Budget(most, "requests" if match[2].startswith("r") else "tokens")


class Estimate(NamedTuple):
    """What a request will take; the tokens of an answer are about so many, or at most."""

    prompt: float
    answer: float


@dataclass(frozen=True)
class Rates:
    """Tokens per byte, tokens and seconds of an answer, by what the log has."""

    per_byte: float = 1 / _BYTES_PER_TOKEN
    answer: float | None = None
    seconds: float = math.nan

    @classmethod
    def of(cls, asks: Sequence[Ask], entries: Mapping[str, Entry]) -> Rates:
        """The rates of those requests that have answers."""
        sizes, tokens, answers, seconds = 0, 0, [], []
        for ask in {ask.key: ask for ask in asks}.values():
            entry = entries.get(ask.key)
            if entry is None or entry.response is None:
                continue
            usage = usage_of(entry)
            if usage.prompt:
                sizes, tokens = sizes + _size(ask), tokens + usage.prompt
            if usage.answer is not None:
                answers.append(usage.answer)
            seconds.append(entry.seconds)
        return cls(
            tokens / sizes if sizes else 1 / _BYTES_PER_TOKEN,
            sum(answers) / len(answers) if answers else None,
            sum(seconds) / len(seconds) if seconds else math.nan,
        )

    def estimate(self, ask: Ask) -> Estimate:
        about = most_tokens(ask) if self.answer is None else self.answer
        return Estimate(_size(ask) * self.per_byte, about)


def most_tokens(ask: Ask) -> float:
    """How long an answer may be; infinite where no parameter says it."""
    given = [ask.parameters.get(name) for name in ("max_tokens", "max_completion_tokens")]
    return next((float(n) for n in given if isinstance(n, int | float)), math.inf)


def _size(ask: Ask) -> int:
    said = (message["content"].encode("utf-8", "replace") for message in ask.messages)
    return sum(len(content) + _FRAME for content in said)


@dataclass
class Meter:
    """What was spent, and whether there is room for more."""

    budget: Budget | None
    price: Price | None
    rates: Rates
    requests: int = 0
    prompt: float = 0.0
    answer: float = 0.0
    # The most tokens per byte that a prompt had; what the requests under way may take.
    _per_byte: float = 0.0
    _reserved: dict[str, Estimate] = field(default_factory=dict)

    def count(self, ask: Ask, entry: Entry) -> None:
        """Count a request that has its answer, or will have none."""
        self._reserved.pop(ask.key, None)
        self.requests += entry.attempts
        if entry.response is None:
            # What the server has counted is not known.
            return
        usage, about = usage_of(entry), self.rates.estimate(ask)
        if usage.prompt:
            self._per_byte = max(self._per_byte, usage.prompt / _size(ask))
        self.prompt += about.prompt if usage.prompt is None else usage.prompt
        self.answer += (0 if math.isinf(about.answer) else about.answer) if usage.answer is None \
            else usage.answer  # fmt: skip

    def has_room(self, ask: Ask) -> bool:
        """Whether a request may be sent; it is reserved then."""
        prompt = _size(ask) * max(self._per_byte, self.rates.per_byte)
        most = Estimate(prompt, most_tokens(ask))
        if self.budget is not None:
            every = [*self._reserved.values(), most]
            prompt = self.prompt + sum(one.prompt for one in every)
            answer = self.answer + sum(one.answer for one in every)
            if self._amount(self.requests + len(every), prompt, answer) > self.budget.most:
                return False
        self._reserved[ask.key] = most
        return True

    @property
    def is_busy(self) -> bool:
        """Whether requests are under way."""
        return bool(self._reserved)

    @property
    def cost(self) -> float:
        """The cost so far; NaN without prices."""
        return self.price.of(self.prompt, self.answer) if self.price else math.nan

    def _amount(self, requests: int, prompt: float, answer: float) -> float:
        assert self.budget is not None
        if self.budget.of == "requests":
            return requests
        if self.budget.of == "tokens":
            return prompt + answer
        assert self.price is not None
        return self.price.of(prompt, answer)


class Forecast(NamedTuple):
    """What a command has to ask, and what that takes; infinite tokens are those of no limit."""

    requests: int
    in_log: int
    to_ask: int
    prompt_tokens: float
    answer_tokens: float
    # Whether the tokens are those of answers in the log, or the most there can be.
    is_measured: bool
    cost: float
    seconds: float


def forecast(
    asks: Sequence[Ask], missing: Iterable[Ask], entries: Mapping[str, Entry], price: Price | None,
    concurrency: int,
) -> Forecast:  # fmt: skip
    """What the requests that are ``missing`` in the log will take."""
    rates = Rates.of(asks, entries)
    each = [rates.estimate(ask) for ask in missing]
    prompt, answer = sum(one.prompt for one in each), sum(one.answer for one in each)
    distinct = len({ask.key for ask in asks})
    cost = price.of(prompt, answer) if price else math.nan
    seconds = rates.seconds * math.ceil(len(each) / concurrency) if each else 0.0
    measured = rates.answer is not None
    counts = (distinct, distinct - len(each), len(each))
    return Forecast(*counts, prompt, answer, measured, cost, seconds)
