"""Explanations in words: the formulas with their numbers, both texts with what matched in them,
and what was missed.

The reference stands beside the summary where the line is wide enough, and above it elsewhere. What
matched is coloured on a terminal, and in brackets where there are no colours.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from msgspec.structs import replace
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from summetry.errors import counted
from summetry.metrics import Explanation, Match, Part
from summetry.records.batches import Comparison, Side
from summetry.reports.formulas import figure, filled, term, values_of
from summetry.reports.tables import as_text, empty_table
from summetry.text.tokens import Span

# What is shown unless everything is asked for: words of a list, rows of a table, lines of a text.
MOST_WORDS = 60
MOST_ROWS = 12
MOST_LINES = 60
# Two texts stand beside each other where each has this many columns, and three blanks between.
LEAST_COLUMN = 34
_BETWEEN = 3
# What is longer than this has a row of its own.
LONGEST_WORD = 30
_MARKED = "bold green"
# What stands around a match where there are no colours: the first pair that the texts do not have.
_BRACKETS = ("[]", "{}", "⟦⟧")


@dataclass(frozen=True, repr=False)
class ExplanationReport:
    """One comparison explained, under the name that a user gave the metric."""

    name: str
    explained: Explanation
    comparison: Comparison
    legend: str = ""
    full: bool = False

    def __repr__(self) -> str:
        return as_text(lambda out: out.print(self)).rstrip("\n")

    def _repr_html_(self) -> str:
        from summetry.reports.lit.html import standalone_html
        from summetry.reports.lit.payload import LitTopic

        topic = LitTopic()
        item = topic.add(self.name, self.explained, self.comparison, self.legend)
        return standalone_html(topic.data(), [item])

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        explained = self.explained
        yield Text(f"{self.name}  id {explained.topic}  system {explained.author}", style="bold")
        if self.legend:
            yield Text(self.legend)
        if explained.note or not explained.parts:
            yield Text()
            width = max(map(len, explained.values))
            for name, value in explained.values.items():
                yield Text(f"{name.ljust(width)} = {figure(value)}")
            nothing = "(this metric explains nothing beyond its values)"
            yield Text(f"note: {explained.note}" if explained.note else nothing)
            return
        if len(explained.parts) > 1:
            yield Text()
            yield from over_parts(explained)
        for part in explained.parts:
            yield Text()
            yield from self._part(part, console, options.max_width)

    def _part(self, part: Part, console: Console, width: int) -> Iterator[RenderableType]:
        yield Text(self._against(part), style="bold")
        if part.facts:
            yield self._facts(part)
        yield from (Text(line) for line in filled(part.formulas, part.facts, width))
        if part.note:
            yield Text(f"note: {part.note}")
        for sheet in part.tables:
            yield Text()
            yield Text(sheet.heading, style="bold")
            yield from self._rows(sheet.columns, sheet.rows)
        yield from self._texts(part, console, width)
        if part.kind == "edges":
            yield from self._edges(part)
        else:
            pooled = part.kind == "words" and len(self._others(part)) > 1
            matches = _added_up(part.matches) if pooled else part.matches
            yield from self._listed("matched" if part.against else "found", matches)
        missed = _added_up(part.missed)
        only = [match for match in missed if not match.candidate]
        yield from self._listed(f"not matched, only in {self._where(part)}", only)
        also = [match for match in missed if match.candidate]
        yield from self._listed("not matched, though the candidate has it too", also)

    def _against(self, part: Part) -> str:
        if not part.against:
            return "the summary alone"
        references = len(self.comparison.references)
        one = self.explained.over == "best" and len(self.explained.parts) == 1 < references
        return f"against {part.against}{f', the best of {references} references' * one}"

    def _where(self, part: Part) -> str:
        others = self._others(part)
        return "the references" if len(others) > 1 else part.against

    def _facts(self, part: Part) -> Table:
        """What the formulas speak of: name, number, meaning."""
        table = empty_table(["", "", ""])
        table.show_header = False
        table.columns[0].no_wrap = table.columns[1].no_wrap = True
        table.columns[1].justify = "right"
        said = {""}
        for name, value in part.facts.items():
            meaning = self.explained.terms.get(name, "")
            # What goes for several facts is said once.
            table.add_row(name, figure(value), "" if meaning in said else meaning)
            said.add(meaning)
        return table

    def _others(self, part: Part) -> list[Side]:
        """The texts that a part compares with; none where it compares with units or a network."""
        names = {part.against}
        names |= {name for match in (*part.matches, *part.missed) for name in match.texts}
        references = self.comparison.references
        sides = [side for side in references if side.author in names]
        if part.kind == "edges" and not sides and part.against != "source":
            return list(references)  # Merged, with nothing in common.
        source = self.comparison.material.source
        if part.against == "source" and source is not None and (part.matches or part.missed):
            return [Side("source", source)]
        return sides

    def _texts(self, part: Part, console: Console, width: int) -> Iterator[RenderableType]:
        """The candidate with each text that the part compares it with, or alone."""
        mine, others = self.comparison.candidate, self._others(part)
        has_places = any(match.candidate or match.reference for match in part.matches)
        if not others and not has_places and part is not self.explained.parts[0]:
            return  # Nothing new beside the first part.
        coloured = console.is_terminal and console.color_system and not console.no_color
        letters = {*mine.text, *(letter for side in others for letter in side.text)}
        pair = next((pair for pair in _BRACKETS if not {*pair} & letters), _BRACKETS[0])

        def column(name: str, role: str, text: str, spans: Iterable[Span]) -> tuple[str, Text]:
            heading = name if name.startswith((role, "source")) else f"{name} ({role})"
            shown = marked(text, spans, "" if coloured else pair, part.kind == "words")
            return heading, shown

        yield Text()
        if has_places:
            where = ("green", _MARKED) if coloured else f"in {pair[0]}brackets{pair[1]}"
            yield Text.assemble(f"what {'matched' if part.against else 'was found'} is ", where)
        if not others:
            spans = [span for match in part.matches for span in match.candidate]
            alone = column(mine.author, "candidate", mine.text, spans)
            yield from self._beside([alone], console, width)
        for number, other in enumerate(others):
            if number:
                yield Text()
            here, there = _places(part.matches, other.author)
            columns = [
                column(other.author, "reference", other.text, there),
                column(mine.author, "candidate", mine.text, here),
            ]
            yield from self._beside(columns, console, width)

    def _beside(
        self, columns: Sequence[tuple[str, Text]], console: Console, width: int
    ) -> Iterator[RenderableType]:
        """Two texts, one beside the other where there is room, else one above the other."""
        room = (width - _BETWEEN) // 2
        is_wide = len(columns) == 2 and room >= LEAST_COLUMN
        cut = [self._cut(text, console, room if is_wide else width) for _, text in columns]
        headings = [Text(heading, style="bold") for heading, _ in columns]
        if is_wide:
            table = Table.grid(padding=(0, _BETWEEN, 0, 0))
            for cells in (headings, cut):
                table.add_row(*cells)
            for each in table.columns:
                each.width, each.overflow = room, "fold"
            yield table
            return
        for number, (heading, text) in enumerate(zip(headings, cut, strict=True)):
            if number:
                yield Text()
            yield heading
            yield text

    def _cut(self, text: Text, console: Console, width: int) -> Text:
        lines = text.wrap(console, width)
        most = len(lines) if self.full else MOST_LINES
        shown = Text("\n").join(lines[:most])
        if len(lines) > most:
            shown.append(f"\n... {counted(len(lines) - most, 'more line')} (--full shows all)")
        return shown

    def _listed(self, heading: str, matches: Sequence[Match]) -> Iterator[RenderableType]:
        """Words one after the other, or in rows where they are long."""
        if not matches:
            return
        ordered = sorted(matches, key=lambda match: -match.weight)
        if ordered[0].weight != ordered[-1].weight:
            heading += ", strongest first"
        yield Text()
        if any(len(match.what) > LONGEST_WORD for match in ordered):
            yield Text(heading, style="bold")
            yield from self._rows(("weight", "what"), [(m.weight, m.what) for m in ordered])
            return
        most = len(ordered) if self.full else MOST_WORDS
        words = _with_weights(ordered)[:most]
        if len(ordered) > most:
            words.append(f"and {_more(len(ordered) - most)}")
        yield Text.assemble((f"{heading}:", "bold"), f" {', '.join(words)}")

    def _edges(self, part: Part) -> Iterator[RenderableType]:
        """Edges by weight, each with the first of its places in both texts."""
        texts = {side.author: side.text for side in self._others(part)}
        rows: list[tuple[str | float, ...]] = []
        for match in part.matches:
            name = match.texts[0] if match.texts else part.against
            here = _first(self.comparison.candidate.text, match.candidate)
            there = _first(texts.get(name, ""), match.reference, name if match.texts else "")
            rows.append((match.weight, match.what, here, there))
        if rows:
            yield Text()
            yield Text("shared edges, heaviest first, and where they are", style="bold")
            yield from self._rows(("weight", "edge", "candidate", "reference"), rows)

    def _rows(
        self, columns: Sequence[str], rows: Sequence[tuple[str | float, ...]]
    ) -> Iterator[RenderableType]:
        most = len(rows) if self.full else MOST_ROWS
        table = empty_table(columns)
        for row in rows[:most]:
            table.add_row(*(cell if isinstance(cell, str) else figure(cell) for cell in row))
        yield table
        if len(rows) > most:
            yield Text(f"... and {_more(len(rows) - most)}")


def over_parts(explained: Explanation) -> Iterator[Text]:
    """How the values against several others make one."""
    names = [part.against for part in explained.parts]
    yield Text(f"{explained.over} of {', '.join(names)}", style="bold")
    width = max(map(len, explained.values))
    values = [values_of(part.formulas, part.facts) for part in explained.parts]
    for name, value in explained.values.items():
        each = {
            against: here[name]
            for against, here in zip(names, values, strict=True)
            if not math.isnan(here.get(name, math.nan))
        }
        shown = figure(value)
        if each and explained.over == "best":
            best = min(each, key=lambda against: abs(each[against] - value))
            shown = f"{figure(value)}, that of {best}"
        elif each:
            shown = f"({' + '.join(map(term, each.values()))}) / {len(each)} = {shown}"
        yield Text(f"{name.ljust(width)} = {shown}")


def marked(text: str, spans: Iterable[Span], brackets: str = "", words: bool = True) -> Text:
    """A text with some of its parts in colour, or in brackets where these are given.

    Parts with nothing but blanks between them are marked as one, ``words`` also those with nothing
    but punctuation between them.

    >>> marked("a b, c d e", [(0, 1), (2, 3), (5, 6), (9, 10)], "[]").plain
    '[a b, c] d [e]'
    """
    shown, last = Text(), 0
    opened, closed = tuple(brackets) or ("", "")
    for start, end in joined(text, trimmed(text, spans), words):
        shown.append(text[last:start])
        shown.append(f"{opened}{text[start:end]}{closed}", style="" if brackets else _MARKED)
        last = end
    return shown.append(text[last:].rstrip())


def trimmed(text: str, spans: Iterable[Span]) -> list[Span]:
    """Spans without the blanks at their ends, which are not worth a mark."""
    kept = []
    for start, end in spans:
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        end -= len(piece) - len(piece.rstrip())
        kept += [(start, end)] if start < end else []
    return kept


def joined(text: str, spans: Iterable[Span], words: bool = True) -> list[Span]:
    """Spans of which those with no letter or digit between them are one; not ``words``: with
    nothing but blanks between them."""
    runs: list[list[int]] = []
    for start, end in sorted(spans):
        between = text[runs[-1][1] : start] if runs else ""
        if runs and not (any(map(str.isalnum, between)) if words else between.strip()):
            runs[-1][1] = max(runs[-1][1], end)
        else:
            runs.append([start, end])
    return [(start, end) for start, end in runs]


def _places(matches: Iterable[Match], name: str) -> tuple[list[Span], list[Span]]:
    """The places of the matches with one reference: in the candidate, and in it."""
    here: list[Span] = []
    there: list[Span] = []
    for match in matches:
        if not match.texts or name in match.texts:
            here += match.candidate
            names = match.texts or (name,) * len(match.reference)
            there += [s for s, text in zip(match.reference, names, strict=True) if text == name]
    return here, there


def _added_up(matches: Iterable[Match]) -> list[Match]:
    """What several references have, once."""
    by_word: dict[str, Match] = {}
    for match in matches:
        known = by_word.get(match.what)
        by_word[match.what] = replace(match, weight=match.weight + known.weight) if known else match
    return list(by_word.values())


def _with_weights(matches: Sequence[Match]) -> list[str]:
    """Words with their weights in parentheses; where these are whole numbers, a 1 goes unsaid."""
    counts = all(float(match.weight).is_integer() for match in matches)
    return [
        match.what if counts and match.weight == 1 else f"{match.what} ({figure(match.weight)})"
        for match in matches
    ]


def _first(text: str, spans: Sequence[Span], name: str = "") -> str:
    """What stands in the first place, where that is, and how many more places there are."""
    if not spans:
        return ""
    start, end = spans[0]
    where = f"at {start} of {name}" if name else f"at {start}"
    return f"{text[start:end]!r} {where}{f' (+{len(spans) - 1})' * (len(spans) > 1)}"


def _more(count: int) -> str:
    return f"{count:,} more (--full shows all)"
