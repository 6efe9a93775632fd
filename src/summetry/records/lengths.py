"""How long a summary may be, and filling it from a ranking.

A length is a number of units, words, characters or bytes, a per cent of the words of the source,
or ``mean``: the mean number of words of the extracts that people made of the topic. The last two
can be of units, characters or bytes as well: ``30% of characters``.

What happens when the next unit of the ranking does not fit is the fit rule:

``stop``       nothing more is taken: no unit that is left out ranks above one that is in.
``skip``       it is left out and the next one is tried.
``overshoot``  units are taken while the length is below the limit, so the last may exceed it.
``cut``        as much of it is taken as fits, and nothing more.

Limits are integers and fractions throughout: for floats 0.1 * 3 <= 0.3 is false.

Source: Hassel and Dalianis (2005), section 4, for ``mean`` and a per cent of the text; the fit
rules are ours, since the paper does not say what happens at the limit.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import Literal, NamedTuple, TypeAlias, get_args

from summetry.arguments import check_choice, kind_of
from summetry.errors import SummetryError

Counted = Literal["units", "words", "characters", "bytes"]
Kind = Literal["units", "words", "characters", "bytes", "percent", "mean"]
Fit = Literal["stop", "skip", "overshoot", "cut"]
# A length, its spelling, or a number of sentences.
LengthLike: TypeAlias = "Length | str | int"
# The same for all topics, or a length by the id of each.
TopicLengthsLike: TypeAlias = "LengthLike | TopicLengths | Mapping[str, LengthLike]"

# Other words for a kind in the spelling of a length; a number alone is of sentences.
_KINDS: dict[str, Kind] = {
    "": "units", "sentence": "units", "sentences": "units", "unit": "units",
    "word": "words", "character": "characters", "byte": "bytes", "%": "percent",
    "per cent": "percent",
}  # fmt: skip
_EXPECTED = "3 sentences, 100 words, 600 characters, 665 bytes, 30% or mean"
# That of the largest float.
_LARGEST_EXPONENT = 308
_SPELLING = re.compile(
    r"\s*(?:(?P<sentences>\d+)"
    r"|(?P<amount>[\d./]+)?\s*(?P<kind>\D+?)(?:\s+of\s+(?:the\s+)?(?P<of>[a-z]+))?)\s*",
    re.I,
)


@dataclass(frozen=True)
class Length:
    """The length that a summary may have: ``Length("words", 100)``, ``Length("mean")``.

    >>> Length.parse("12.5%").limit([4, 4, 8]), Length.parse(3)
    (Fraction(2, 1), Length(kind='units', amount=Fraction(3, 1), of='words'))
    """

    kind: Kind
    amount: Fraction | int | float = 0
    # What a per cent and a mean are of.
    of: Counted = "words"

    def __post_init__(self) -> None:
        object.__setattr__(self, "amount", exact(self.amount))
        if self.kind not in get_args(Kind):
            raise SummetryError(f"a length is one such as {_EXPECTED}, got {self.kind!r}")
        if self.kind == "mean":
            if self.amount:
                raise SummetryError(f"the mean length has no number, got {self.amount}")
        elif self.amount < 0 or (self.amount == 0 and self.kind != "percent"):
            raise SummetryError(f"a length must be above 0, got {self}")
        elif self.kind == "percent" and self.amount > 100:
            raise SummetryError(f"a length is at most 100% of the source, got {self}")
        elif self.kind != "percent" and Fraction(self.amount).denominator != 1:
            raise SummetryError(f"a length of {self.kind} must be a whole number, got {self}")
        if self.of not in get_args(Counted):
            known = ", ".join(get_args(Counted))
            raise SummetryError(f"a length is a per cent or the mean of {known}, got {self.of!r}")
        if self.of != "words" and self.kind not in ("percent", "mean"):
            found = f"{self} of {self.of}"
            raise SummetryError(f"only a per cent and the mean are of something, got {found}")

    @classmethod
    def parse(cls, text: LengthLike) -> Length:
        """Read ``100 words``, ``3 sentences``, ``3``, ``665 bytes``, ``12.5%`` or ``mean``.

        A number alone, also one that is no string, is of sentences.
        """
        if isinstance(text, cls):
            return text
        if isinstance(text, Integral) and not isinstance(text, bool):
            return cls("units", int(text))
        if not isinstance(text, str):
            raise SummetryError(
                f"length must be a number of sentences or as {_EXPECTED}, got {kind_of(text)}"
            )
        match = _SPELLING.fullmatch(text)
        if match is None:
            raise SummetryError(f"cannot read the length {text!r}: write {_EXPECTED}")
        amount = match["sentences"] or match["amount"]
        kind, of = ((match[part] or "").lower() for part in ("kind", "of"))
        kind, of = _KINDS.get(kind, kind), _KINDS.get(of, of) if of else "words"
        if kind not in get_args(Kind) or (kind == "mean") != (not amount):
            raise SummetryError(f"cannot read the length {text!r}: write {_EXPECTED}")
        return cls(kind, exact(amount or "0"), of)  # type: ignore[arg-type]

    def __str__(self) -> str:
        of = "" if self.of == "words" else f" of {self.of}"
        if self.kind == "mean":
            return f"mean{of}"
        decimal = f"{float(self.amount):.3f}".rstrip("0").rstrip(".")
        # A decimal where it says all, a fraction where it does not.
        amount = decimal if Fraction(decimal) == self.amount else str(self.amount)
        if self.kind == "percent":
            return f"{amount}%{of}"
        return f"{amount} {self.kind.removesuffix('s') if amount == '1' else self.kind}"

    def of_topic(self, topic: str) -> Length:
        """The length of a topic, where others have their own (:class:`TopicLengths`): itself."""
        return self

    @property
    def counted(self) -> Counted:
        """What lengths are counted in; a per cent and the mean are of words by default."""
        return self.of if self.kind in ("percent", "mean") else self.kind  # type: ignore[return-value]

    def limit(
        self,
        lengths: Sequence[int],
        extracts: Sequence[Collection[int]] | None = None,
        gap: int = 0,
    ) -> Fraction:
        """The limit for a source whose units have these ``lengths``, in what is counted.

        ``extracts`` are the units that each informant chose; only ``mean`` asks for them.
        ``gap`` is what stands between two units, as in :func:`fill`.
        """
        if self.kind == "percent":
            return Fraction(self.amount) * joined_length(lengths, gap) / 100
        if self.kind == "mean":
            return mean_length(lengths, extracts or (), gap)
        return Fraction(self.amount)


@dataclass(frozen=True)
class TopicLengths:
    """A length for each topic by its id; ``name`` says where they come from."""

    by_topic: Mapping[str, Length]
    name: str = "length"

    def __str__(self) -> str:
        return "the topic's length"

    def of_topic(self, topic: str) -> Length:
        if topic not in self.by_topic:
            raise SummetryError(
                f"{self.name}: expected a length for topic {topic!r}, found none; it has "
                f"{len(self.by_topic)} others"
            )
        return self.by_topic[topic]


def parse_length(given: TopicLengthsLike) -> Length | TopicLengths:
    """A length for all topics, or one for each where ``given`` is a mapping.

    >>> parse_length({"t1": "37%", "t2": 3}).of_topic("t2")
    Length(kind='units', amount=Fraction(3, 1), of='words')
    """
    if isinstance(given, TopicLengths):
        return given
    if isinstance(given, Mapping):
        return TopicLengths({topic: Length.parse(length) for topic, length in given.items()})
    return Length.parse(given)


def lengths_of(units: Sequence[str], words: Sequence[int], counted: Counted) -> list[int]:
    """The length of each unit in what a length counts; ``words`` are the numbers of words."""
    if counted == "units":
        return [1] * len(units)
    if counted == "words":
        return list(words)
    return [len(unit) if counted == "characters" else len(unit.encode()) for unit in units]


def gap_between(counted: Counted, is_spaced: bool) -> int:
    """What stands between two units of a running text: a blank, where there are blanks."""
    return int(counted in ("characters", "bytes") and is_spaced)


def share_of_words(units: Collection[int], words: Sequence[int]) -> float:
    """The length of an extract in per cent of the words; NaN where there are no words.

    >>> share_of_words([0, 0, 2], [10, 20, 20])
    60.0
    """
    total = sum(words)
    return 100 * sum(words[unit] for unit in set(units)) / total if total else math.nan


def is_reachable(words: Sequence[int], shortest: float, longest: float) -> bool:
    """Whether some choice of whole units has a length between two per cents of the words.

    A text without words has no length that could be wrong.

    >>> is_reachable([10, 20, 20], 30, 50), is_reachable([50], 5, 60)
    (True, False)
    """
    total = sum(words)
    if not total:
        return True
    sums = range(total + 1)
    low = bisect_left(sums, shortest, key=lambda n: 100 * n / total)
    high = bisect_right(sums, longest, key=lambda n: 100 * n / total)
    # The bits are the lengths that choices of the units so far have.
    below, reached = (1 << high) - 1, 1
    for length in words:
        if reached >> low:
            break
        reached |= reached << length & below
    return bool(reached >> low)


def joined_length(lengths: Collection[int], gap: int = 0) -> int:
    """The length of units that stand behind one another."""
    return sum(lengths) + gap * max(len(lengths) - 1, 0)


def mean_length(
    lengths: Sequence[int], extracts: Sequence[Collection[int]], gap: int = 0
) -> Fraction:
    """The mean length of the extracts; a unit named twice counts once.

    >>> mean_length([3, 5, 4], [{0, 1}, {2}, {2, 0}])
    Fraction(19, 3)
    """
    if not extracts:
        raise SummetryError(
            "the mean length needs extracts, found none; extracts.jsonl would give them"
        )
    total = sum(joined_length([lengths[unit] for unit in set(e)], gap) for e in extracts)
    return Fraction(total, len(extracts))


class Filling(NamedTuple):
    """Units in the order in which they were taken, and the one of which a part was taken."""

    units: tuple[int, ...]
    cut: int | None = None
    kept: int = 0


def fill(
    order: Sequence[int],
    lengths: Sequence[int],
    limit: Fraction | int,
    fit: Fit = "stop",
    gap: int = 0,
) -> Filling:
    """The units that go into a summary of length ``limit``, taken in ``order``.

    ``gap`` is what stands between two units: one for the blank where characters are counted.

    >>> fill([2, 0, 1], [4, 3, 5], 9), fill([2, 0, 1], [4, 3, 5], 8, "skip")
    (Filling(units=(2, 0), cut=None, kept=0), Filling(units=(2, 1), cut=None, kept=0))
    """
    check_fit(fit)
    taken: list[int] = []
    total = 0
    for unit in order:
        length = lengths[unit] + (gap if taken else 0)
        if fit == "overshoot":
            if total >= limit:
                break
        elif total + length > limit:
            if fit == "skip":
                continue
            room = math.floor(limit) - total - (gap if taken else 0)
            if fit == "cut" and room > 0:
                return Filling(tuple(taken), unit, room)
            break
        taken.append(unit)
        total += length
    return Filling(tuple(taken))


def check_fit(fit: str) -> None:
    """Refuse a fit rule that does not exist."""
    check_choice("fit", fit, get_args(Fit))


def exact(number: int | float | str | Fraction) -> Fraction:
    """``number`` as it is written: 0.1 is a tenth, not the float next to it.

    >>> exact(0.1), exact("12.5")
    (Fraction(1, 10), Fraction(25, 2))
    """
    _, _, exponent = str(number).lower().partition("e")
    try:
        # Whole numbers of many thousand digits would be computed, which takes all the memory.
        if exponent and abs(int(exponent)) > _LARGEST_EXPONENT:
            raise ValueError
        return Fraction(str(number))
    except (ValueError, ZeroDivisionError):
        raise SummetryError(f"expected a number, found {str(number)!r}") from None
