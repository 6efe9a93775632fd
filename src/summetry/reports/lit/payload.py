"""Explanations of one topic as small plain data, from which a page lights up its texts.

The texts stand there once, and so does every string; an explanation (an *item*) points at them by
numbers. What a page and ``static/lit.js`` get of a topic is ``LitTopic.data()``::

    texts   name, role (candidate, reference, source), text, lang, dir, grid (its words as spans)
    words   strings: names, words and units that matched, meanings, formulas

and an item, one for each system and metric::

    metric, legend, values   its name as it was typed; [name, number] for each value
    of                       the number of the candidate's text
    over, note               how several parts make one value, in words; why there is nothing
    kind                     words, edges, units, path: how its matches are shown
    show                     the texts that stand beside the candidate, in their order
    parts                    one for each reference, or one in all
    others                   the texts in which nothing is lit up
    votes                    who chose the sentences of the source, where a metric reads that

A part has ``against``, ``facts`` ([name, number, meaning]), ``formulas`` ([name, formula, value];
the figures follow from the facts), ``note``, ``tables``, and ``matches`` and ``missed``. Both of
these have:

    lit      what is lit up, by text: [number of the text, spans]. In matches that count alike
             (``counted``) the candidate has one span for each; elsewhere neighbours are one span
    with     where one part pools several references: [number of the reference's text, how many
             matches are with it], and ``all`` of how many. Where words are lit up, the candidate
             has an entry in ``lit`` for each of these, in their order
    rest     texts of which all words that are not in ``matches`` are lit up
    what     the strongest matches; ``weight`` of each; ``more``: how many further ones there are,
             and their weight together
    places   of matches that have numbers in the texts (all but kind words): for each of ``what``
             a list like ``lit``; ``no``: their numbers, where these do not just follow

Spans are steps from one start to the next, and lengths, both in words of the text's grid; where a
span is none of whole words, both in characters (code points), and 1 stands behind the spans.

Numbers have nine digits, weights of words and edges six: enough to compute a value again as it
is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from msgspec.structs import replace

from summetry.metrics.explanations import Explanation, Match, Part, Sheet
from summetry.metrics.source_units import unit_spans
from summetry.records.batches import Comparison
from summetry.reports.explain import joined, over_parts, trimmed
from summetry.reports.formulas import shown_formulas
from summetry.text.languages import direction
from summetry.text.tokens import Span, find_words

Data: TypeAlias = dict[str, Any]

# How many of the strongest matches are listed, for all references together: edges of graphs by
# the thousand would light up every letter. How many places of an edge are shown.
MOST_MATCHES = 12
MOST_PLACES = 2
MOST_ROWS = 12


@dataclass
class LitTopic:
    """The texts of one topic, and what is lit up in them: each text and each string once.

    ``most`` is how many of the strongest words or edges are listed for an item, and
    ``most_rows`` how many rows of a small table. Units (SCUs, sentences) are all listed.
    """

    most: int = MOST_MATCHES
    most_rows: int = MOST_ROWS
    _texts: dict[tuple[str, str, str], Data] = field(default_factory=dict)
    _numbers: dict[tuple[str, str, str], int] = field(default_factory=dict)
    _grids: list[Grid] = field(default_factory=list)
    _words: dict[str, int] = field(default_factory=dict)

    def data(self) -> Data:
        """What all items of the topic point at."""
        return {"texts": list(self._texts.values()), "words": list(self._words)}

    def text(self, role: str, name: str, text: str, language: str) -> int:
        """The number of a text."""
        known = {"name": name, "role": role, "text": text, "lang": language}
        key = (role, name, text)
        if key not in self._texts:
            way = direction(language) if language else "auto"
            grid = find_words(text)
            self._texts[key] = known | {"dir": way, "grid": _relative(grid)}
            self._grids.append(Grid(text, grid))
            self._numbers[key] = len(self._numbers)
        return self._numbers[key]

    def add(
        self, name: str, explained: Explanation, comparison: Comparison, legend: str = ""
    ) -> Data:
        """The item of one system and one metric, under the name that a user gave the metric."""
        return _Item(self, explained, comparison).data(name, legend)

    def grid(self, text: int) -> Grid:
        """The words of a text by its number."""
        return self._grids[text]

    def word(self, text: str) -> int:
        return self._words.setdefault(text, len(self._words))


def number(value: float, digits: int = 9) -> Any:
    """A number for JSON: whole ones as such, others with ``digits``; None for an undefined one.

    >>> number(17.0), number(1 / 3), number(1 / 3, 6), number(math.nan), number(math.inf)
    (17, 0.333333333, 0.333333, None, 'inf')
    """
    if math.isnan(value):
        return None
    if math.isinf(value):
        return str(value)
    rounded = float(f"{value:.{digits}g}")
    # Large numbers keep their decimals; a sum of fractions may miss a whole number by a hair.
    rounded = value if abs(value) >= 10 ** (digits - 4) else rounded
    return int(rounded) if rounded == int(rounded) else rounded


class _Item:
    """One explanation on its way to plain data."""

    def __init__(self, topic: LitTopic, explained: Explanation, comparison: Comparison) -> None:
        self.topic, self.explained, self.comparison = topic, explained, comparison
        language = comparison.material.language
        mine = comparison.candidate
        self.of = topic.text("candidate", mine.author, mine.text, language)
        self.numbers: dict[str, int] = {}
        source = comparison.material.source
        if source is not None:
            self.numbers["source"] = topic.text("source", "source", source, language)
        for side in comparison.references:
            self.numbers[side.author] = topic.text("reference", side.author, side.text, language)

        self.kind = self._kind()

    def data(self, name: str, legend: str) -> Data:
        explained, word = self.explained, self.topic.word
        parts = explained.parts
        over = [str(line) for line in over_parts(explained)] if len(parts) > 1 else []
        item: Data = {
            "metric": word(name),
            "values": [[word(name), number(v)] for name, v in explained.values.items()],
            "of": self.of,
            "kind": self.kind,
            "show": self._shown(),
            "parts": [self._part(part) for part in parts],
        }
        item |= {"legend": word(legend)} if legend else {}
        item |= {"over": over} if over else {}
        item |= {"note": word(explained.note)} if explained.note else {}
        others = [text for text in self.numbers.values() if text not in item["show"]]
        item |= {"others": others} if others else {}
        votes = self._votes()
        return item | ({"votes": votes} if votes else {})

    def _kind(self) -> str:
        parts = self.explained.parts
        for kind in ("edges", "path"):
            if any(part.kind == kind for part in parts):
                return kind
        matches = [match for part in parts for match in (*part.matches, *part.missed)]
        has_places = any(match.candidate or match.reference for match in matches)
        return "words" if has_places and not any(m.also for m in matches) else "units"

    def _shown(self) -> list[int]:
        """The texts beside the candidate: those with something in them, or all references."""
        names = {part.against for part in self.explained.parts}
        for part in self.explained.parts:
            for match in (*part.matches, *part.missed):
                names |= {*match.texts, *(name for name, _ in match.also)}
        references = [side.author for side in self.comparison.references]
        beside = [name for name in references if name in names]
        has_source = "source" in names or self.explained.votes is not None
        if has_source and "source" in self.numbers and "source" not in references:
            beside.append("source")
        return [self.numbers[name] for name in beside or references]

    def _votes(self) -> Data | None:
        votes, source = self.explained.votes, self.numbers.get("source")
        if votes is None or source is None:
            return None
        spans = unit_spans(self.comparison.material)
        if len(spans) != len(votes.each):
            return None
        chosen = [0] * len(spans)
        for unit in votes.chosen:
            if unit < len(chosen):
                chosen[unit] = 1
        return {
            "of": self.topic.word(votes.of),
            "text": source,
            "units": self.topic.grid(source).entry(source, spans),
            "each": [number(value) for value in votes.each],
            "chosen": chosen,
        }

    def _part(self, part: Part) -> Data:
        word, terms = self.topic.word, self.explained.terms
        formulas = shown_formulas(part.formulas, part.facts)
        data: Data = {
            "against": word(part.against),
            "facts": [
                [word(name), number(value), word(terms.get(name, ""))]
                for name, value in part.facts.items()
            ],
            "formulas": [
                [word(name), word(shown), None if value is None else number(value)]
                for name, shown, value in formulas
            ],
        }
        data |= {"note": word(part.note)} if part.note else {}
        if part.tables:
            data["tables"] = [self._table(sheet) for sheet in part.tables]
        matches = self._matches(part)
        data |= {"matches": matches} if matches else {}
        missed = self._missed(part, matches)
        return data | ({"missed": missed} if missed else {})

    def _table(self, sheet: Sheet) -> Data:
        word = self.topic.word
        rows = sheet.rows[: self.topic.most_rows]
        return {
            "heading": word(sheet.heading),
            "columns": [word(column) for column in sheet.columns],
            # Words in a cell stand in a list, so that they are not taken for numbers.
            "rows": [
                [[word(cell)] if isinstance(cell, str) else number(cell, 6) for cell in row]
                for row in rows
            ],
            "more": len(sheet.rows) - len(rows),
        }

    def _matches(self, part: Part) -> Data:
        matches = part.matches
        if not matches:
            return {}
        if self.kind in ("units", "path"):
            return self._listed(part, matches, len(matches))
        most = max(3, self.topic.most // len(self.explained.parts))
        if self.kind == "edges":
            return self._listed(part, matches, most)
        counted = all(match.weight == len(match.candidate) for match in matches)
        by_text = self._by_text(part, matches)
        exact = self.of if counted else -1
        pooled = self._by_reference(matches)
        lit: Data = {"lit": []}
        if pooled:
            lit |= self._with({name: _amount(own) for name, own in pooled.items()})
            lit["all"] = number(_amount(matches))
            for own in pooled.values():
                mine = self._by_text(part, own).get(self.of, [])
                lit["lit"] += self._lit({self.of: mine}, exact)
            by_text.pop(self.of, None)
        lit["lit"] += self._lit(by_text, exact)
        if counted:
            return lit | {"counted": 1}
        strongest = sorted(matches, key=lambda match: -match.weight)
        return lit | self._listed(part, strongest, most, places=False)

    def _pools(self) -> bool:
        return len(self.explained.parts) == 1 and len(self.comparison.references) > 1

    def _by_reference(self, matches: Iterable[Match]) -> dict[str, list[Match]]:
        """The matches with each reference, where a part has several and each match is with one."""
        by_name: dict[str, list[Match]] = {}
        for match in matches:
            names = {*match.texts}
            if not self._pools() or len(names) != 1 or not names <= self.numbers.keys():
                return {}
            by_name.setdefault(match.texts[0], []).append(match)
        return by_name

    def _with(self, amounts: Mapping[str, float]) -> Data:
        return {"with": [[self.numbers[name], number(n)] for name, n in amounts.items()]}

    def _missed(self, part: Part, matches: Data) -> Data:
        if not part.missed:
            return {}
        if self.kind != "words":
            return self._listed(part, part.missed, len(part.missed))
        missed = [replace(match, candidate=()) for match in part.missed]
        lit = self._lit(self._by_text(part, missed))
        covered = {entry[0]: entry for entry in matches.get("lit", ())}
        rest = [entry[0] for entry in lit if self._is_rest(entry, covered.get(entry[0]))]
        lit = [entry for entry in lit if entry[0] not in rest]
        return ({"lit": lit} if lit else {}) | ({"rest": rest} if rest else {})

    def _is_rest(self, missed: list[Any], matched: list[Any] | None) -> bool:
        """Whether all words that did not match were missed, so that they need not be listed."""
        grid = self.topic.grid(missed[0])
        return grid.rest(grid.spans(matched) if matched else ()) == grid.spans(missed)

    def _listed(self, part: Part, matches: Sequence[Match], most: int, places: bool = True) -> Data:
        """The first of the matches with their weights, and their places where they are numbered."""
        listed, others = matches[:most], matches[most:]
        digits = 9 if self.kind == "units" else 6
        data: Data = {
            "what": [self.topic.word(match.what) for match in listed],
            "weight": [number(match.weight, digits) for match in listed],
        }
        if others:
            weight = math.fsum(match.weight for match in others)
            data["more"] = [len(others), number(weight)]
        # A chosen sentence is lit up by the votes.
        if places and not (self.kind == "units" and self.explained.votes):
            fewest = MOST_PLACES if self.kind == "edges" else None
            scus = [scu for one in self.comparison.material.pyramids for scu in one.scus]
            if self.kind == "units" and scus:
                # An SCU has the same number for every system.
                units = dict.fromkeys(f"SCU {scu.id}: {scu.label}" for scu in scus)
                order = {unit: i for i, unit in enumerate(units, 1)}
                data["no"] = [order.get(match.what, 0) for match in listed]
            data["places"] = [self._lit(self._by_text(part, [match], fewest)) for match in listed]
            if self._pools() and matches is part.matches and self.kind != "path":
                names = [{*match.texts, *(name for name, _ in match.also)} for match in matches]
                sides = [side.author for side in self.comparison.references]
                amounts = {name: sum(name in one for one in names) for name in sides}
                if any(amounts.values()):
                    data |= self._with(amounts) | {"all": len(matches)}
        return data

    def _by_text(
        self, part: Part, matches: Iterable[Match], most: int | None = None
    ) -> dict[int, list[Span]]:
        """All places of some matches by text, or the first few of each text."""
        by_text: dict[int, list[Span]] = {}
        for match in matches:
            for text, span in self._spans(part, match):
                by_text.setdefault(text, []).append(span)
        return {text: spans[:most] for text, spans in by_text.items()}

    def _lit(self, by_text: Mapping[int, list[Span]], exact: int = -1) -> list[list[Any]]:
        """Spans of each text; those of the text ``exact`` stay apart, of others neighbours join."""
        entries = []
        for text, spans in by_text.items():
            grid = self.topic.grid(text)
            kept = sorted(spans) if text == exact else grid.joined(trimmed(grid.text, spans))
            entries.append(grid.entry(text, kept))
        return entries

    def _spans(self, part: Part, match: Match) -> Iterable[tuple[int, Span]]:
        for span in match.candidate:
            yield self.of, span
        names = match.texts or (part.against,) * len(match.reference)
        for name, span in (*zip(names, match.reference, strict=True), *match.also):
            if name in self.numbers:
                yield self.numbers[name], span


def _amount(matches: Sequence[Match]) -> float:
    """How many matches: by their weights where these are counts."""
    weight = math.fsum(match.weight for match in matches)
    return weight if all(float(match.weight).is_integer() for match in matches) else len(matches)


def _relative(spans: Iterable[Span]) -> list[int]:
    """Spans as steps from one start to the next, and lengths.

    >>> _relative([(4, 9), (10, 12), (2, 3)])
    [4, 5, 6, 2, -8, 1]
    """
    flat, last = [], 0
    for start, end in spans:
        flat += [start - last, end - start]
        last = start
    return flat


def absolute(flat: Sequence[int]) -> list[Span]:
    """The spans that such steps and lengths stand for.

    >>> absolute([4, 5, 6, 2, -8, 1])
    [(4, 9), (10, 12), (2, 3)]
    """
    spans, start = [], 0
    for step, length in zip(flat[::2], flat[1::2], strict=True):
        start += step
        spans.append((start, start + length))
    return spans


class Grid:
    """The words of a text, by whose numbers spans are named where they are of whole words."""

    def __init__(self, text: str, words: Sequence[Span]) -> None:
        self.text, self.words = text, words
        self._starts = {start: place for place, (start, _) in enumerate(words)}
        self._ends = {end: place for place, (_, end) in enumerate(words)}

    @classmethod
    def of(cls, text: Mapping[str, Any]) -> Grid:
        """The grid of a text of a topic's data."""
        return cls(text["text"], absolute(text["grid"]))

    def entry(self, text: int, spans: Sequence[Span]) -> list[Any]:
        """A text's number, its spans in words, or in characters with a 1 behind them."""
        if all(start in self._starts and end in self._ends for start, end in spans):
            words = [(self._starts[start], self._ends[end] + 1) for start, end in spans]
            return [text, _relative(words)]
        return [text, _relative(spans), 1]

    def spans(self, entry: Sequence[Any]) -> list[Span]:
        """The spans of an entry in characters."""
        spans = absolute(entry[1])
        if len(entry) > 2:
            return spans
        return [(self.words[first][0], self.words[last - 1][1]) for first, last in spans]

    def rest(self, covered: Iterable[Span]) -> list[Span]:
        """The words that are in none of some spans, neighbours joined."""
        lit = {place for start, end in covered for place in range(start, end)}
        return self.joined([span for span in self.words if not lit & {*range(*span)}])

    def joined(self, spans: Iterable[Span]) -> list[Span]:
        """Spans of which those with no letter or digit between them are one."""
        return joined(self.text, spans)
