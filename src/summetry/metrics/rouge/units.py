"""The units of a text that ``explain`` shows as hits, with their places."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

from summetry.arrays.ngrams import windows
from summetry.metrics.explanations import Match
from summetry.metrics.rouge.lcs_union import mark_pair
from summetry.text.tokens import Span

Token = tuple[str, tuple[Span, ...]]


class Located(NamedTuple):
    """A text as ROUGE sees it: its tokens, and its tokens by sentence, with their places.

    Places are left out where a limit cut the text.
    """

    tokens: list[Token]
    sentences: list[list[Token]]

    @classmethod
    def of(cls, sentences: list[list[Token]]) -> Located:
        return cls([token for sentence in sentences for token in sentence], sentences)


def shared_units(mine: list[Token], theirs: list[Token]) -> list[Match]:
    """Units of two multisets, each as often as both have it."""
    left, right = Counter(unit for unit, _ in mine), Counter(unit for unit, _ in theirs)
    here, there = _places(mine), _places(theirs)
    return [
        Match(unit, float(min(left[unit], right[unit])), here[unit], there[unit])
        for unit in sorted(left.keys() & right.keys())
    ]


def ngram_units(tokens: list[Token], n: int) -> list[Token]:
    return [_joined(gram, " ") for gram in windows(tokens, n)]


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


def _places(tokens: list[Token]) -> dict[str, tuple[Span, ...]]:
    found: defaultdict[str, list[Span]] = defaultdict(list)
    for token, places in tokens:
        found[token] += places
    return {token: tuple(places) for token, places in found.items()}


def _joined(parts: list[Token], between: str) -> Token:
    unit = between.join(token for token, _ in parts)
    return unit, tuple(span for _, places in parts for span in places)
