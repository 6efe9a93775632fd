"""The units of a text that ``explain`` shows as hits, with their places."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import NamedTuple

from summetry.arrays.ngrams import windows
from summetry.arrays.sequences import lcs_alignment
from summetry.metrics._pairs import PlacedToken, spans_by_token
from summetry.metrics.explanations import Match
from summetry.metrics.rouge.plain import mark_pair, united_marks
from summetry.text.tokens import Span

# Two texts of more units are not aligned, which takes the product of both numbers.
_MOST_ALIGNED = 5000


class Located(NamedTuple):
    """A text as ROUGE sees it: its tokens, and its tokens by sentence, with their places.

    Places are left out where a limit cut the text.
    """

    tokens: list[PlacedToken]
    sentences: list[list[PlacedToken]]

    @classmethod
    def of(cls, sentences: list[list[PlacedToken]]) -> Located:
        return cls([token for sentence in sentences for token in sentence], sentences)

    @property
    def words(self) -> list[str]:
        return [token for token, _ in self.tokens]

    @property
    def words_by_sentence(self) -> list[list[str]]:
        return [[token for token, _ in sentence] for sentence in self.sentences]


def shared_units(mine: list[PlacedToken], theirs: list[PlacedToken]) -> list[Match]:
    """Units of two multisets, each as often as both have it, in the order of the first.

    Where a text has a unit more often than that, the times that follow one another in both texts
    count before the others.
    """
    words = [unit for unit, _ in mine], [unit for unit, _ in theirs]
    both = Counter(words[0]) & Counter(words[1])
    aligned = lcs_alignment(*words) if max(map(len, words)) <= _MOST_ALIGNED else []
    here = _counted_times(mine, both, {i for i, _ in aligned})
    there = _counted_times(theirs, both, {j for _, j in aligned})
    return [Match(unit, float(both[unit]), here[unit], there[unit]) for unit in here]


def _counted_times(
    units: list[PlacedToken], often: Counter[str], first: set[int]
) -> dict[str, tuple[Span, ...]]:
    """The places of units, no more of each than ``often``; those that are ``first`` at any rate."""
    left = often - Counter(units[place][0] for place in first)
    counted = []
    for place, (unit, spans) in enumerate(units):
        if place not in first:
            if not left[unit]:
                continue
            left[unit] -= 1
        counted.append((unit, spans))
    return spans_by_token(counted)


class Occurrences:
    """The tokens of a text one after the other: each is given out once."""

    def __init__(self, tokens: list[PlacedToken]) -> None:
        self._places: defaultdict[str, list[tuple[Span, ...]]] = defaultdict(list)
        for token, places in reversed(tokens):
            self._places[token].append(places)

    def next(self, token: str) -> tuple[Span, ...]:
        places = self._places[token]
        return places.pop() if places else ()


def ngram_units(tokens: list[PlacedToken], n: int) -> list[PlacedToken]:
    return [_joined(gram, " ") for gram in windows(tokens, n)]


def skip_units(tokens: list[PlacedToken], gap: int, unigrams: str) -> list[PlacedToken]:
    reach = len(tokens) if gap < 0 else gap + 2
    units = [
        _joined([a, b], " … ") for i, a in enumerate(tokens) for b in tokens[i + 1 : i + reach]
    ]
    if unigrams != "none":
        units += tokens[:-1] if unigrams == "not last" else tokens
    return units


def marked_tokens(mine: Located, theirs: Located) -> list[Match]:
    """Tokens of the reference in the united subsequences, as far as both texts have them."""
    left = Counter(mine.words) & Counter(theirs.words)
    here = Occurrences(mine.tokens)
    matches = []
    marks_of = united_marks(mine.words_by_sentence, theirs.words_by_sentence, mark_pair)
    for sentence, marks in zip(theirs.sentences, marks_of, strict=True):
        for (token, place), marked in zip(sentence, marks, strict=True):
            if marked and left[token] > 0:
                left[token] -= 1
                matches.append(Match(token, 1.0, here.next(token), place))
    return matches


def _joined(parts: list[PlacedToken], between: str) -> PlacedToken:
    unit = between.join(token for token, _ in parts)
    return unit, tuple(span for _, places in parts for span in places)
