"""Explanations in words: the formula with its numbers, and what matched."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.text import Text

from summetry.metrics import Explanation, Part
from summetry.records.batches import Comparison
from summetry.reports.tables import number, plain_table
from summetry.text.tokens import Span

MOST_MATCHES = 12


def explanation(explained: Explanation, comparison: Comparison) -> Group:
    """One comparison explained, the matched parts of the candidate marked."""
    values = [[name, number(value, 6)] for name, value in explained.values.items()]
    heading = f"{explained.metric}  topic {explained.topic}  author {explained.author}"
    spans = {s for part in explained.parts for match in part.matches for s in match.candidate}
    lines: list[RenderableType] = [
        Text(heading, style="bold"),
        plain_table(["value", "score"], values),
        Text(),
        marked(comparison.candidate.text, sorted(spans)),
    ]
    for part in explained.parts:
        lines += [Text(), *_part(part)]
    if len(explained.parts) > 1:
        count = len(explained.parts)
        lines += [Text(), Text(f"the value is the {explained.over} over {count} references")]
    return Group(*lines)


def marked(text: str, spans: Iterable[Span]) -> Text:
    """A text with some of its parts underlined."""
    shown = Text(text)
    for start, end in spans:
        shown.stylize("underline bold", start, end)
    return shown


def _part(part: Part) -> list[RenderableType]:
    facts = ", ".join(f"{name} = {value:g}" for name, value in part.facts.items())
    lines: list[RenderableType] = [Text(f"against {part.against}", style="bold"), Text(facts)]
    lines += [Text(f"{name} = {formula}") for name, formula in part.formulas.items()]
    lines += [Text(f"note: {part.note}")] if part.note else []
    if part.matches:
        # The heaviest first; the sort is stable, so equal ones stay in their order.
        ordered = sorted(part.matches, key=lambda match: -match.weight)
        rows = [[m.what, f"{m.weight:g}"] for m in ordered[:MOST_MATCHES]]
        lines.append(plain_table(["matched", "weight"], rows))
        if len(ordered) > MOST_MATCHES:
            lines.append(Text(f"... and {len(ordered) - MOST_MATCHES} more (--json has all)"))
    return lines
