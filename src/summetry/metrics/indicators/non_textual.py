"""Non-textual items: the share of the characters of a summary that are no text.

    value = characters of non-textual items / characters

White space does not count as a character. Items are, the first that fits winning:

    a line without any letter     of a text of several lines: "-----", "12  34", "* * *"
    an address                    URLs, and e-mail addresses
    remains of a table            |, and runs of three or more of - _ = + * ~ #, or of four dots
    markup                        tags <...>, entities &amp;, {{...}}, [[ and ]], ** and ` signs
    what cannot be shown          control characters, U+FFFD, U+FEFF, characters of private use

A summary without any character has 1, the worst: nothing of it is text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import regex

from summetry.metrics.base import METRICS, Better, Counts
from summetry.metrics.explanations import Match
from summetry.metrics.formulas import TotalsMetric
from summetry.metrics.indicators._base import Indicator
from summetry.records.batches import Batch, Comparison
from summetry.text.tokens import Span

# What Python takes for white space: four of the control characters, too.
_BLANK = r"\s\x1c-\x1f"
_LINE = rf"(?P<line>^[{_BLANK}--\n]*+[^{_BLANK}\p{{L}}][^\p{{L}}\n]*+$)"
_KINDS = {
    # A full stop or a bracket after an address belongs to the sentence around it.
    "address": r"(?:(?:https?|ftp)://|www\.)[^\s<>]*[^\s<>.,;:!?)\]}'\"»”’]"
    r"|(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+",
    "table": r"\|+|[-_=+*~\#]{3,}|\.{4,}",
    "markup": r"</?[A-Za-z][^<>\n]*>|<!--.*?-->"
    r"|&(?:[A-Za-z][A-Za-z0-9]+|\#[0-9]+|\#x[0-9A-Fa-f]+);|\{\{[^{}\n]*\}\}|\[\[|\]\]|\*\*|`+",
    "unprintable": rf"[\p{{Cc}}\p{{Co}}\p{{Cs}}\uFFFD\uFEFF--[{_BLANK}]]+",
}
_ITEMS = "|".join(f"(?P<{name}>{pattern})" for name, pattern in _KINDS.items())
_IN_A_LINE = regex.compile(_ITEMS, regex.VERSION1)
_WHOLE_LINES = regex.compile(_LINE, regex.VERSION1 | regex.MULTILINE)
_IN_LINES = regex.compile(f"{_LINE}|{_ITEMS}", regex.VERSION1 | regex.MULTILINE)
# One of these is in every item but a line; most summaries have none, and that is quickly seen.
_SIGNS = re.compile(
    r"[|_=+*~#<&{[\]`@/\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\uf8ff\ufeff\ufffd\U000f0000-\U0010ffff]"
)
_RUNS = ("---", "....", "www.")


class Item(NamedTuple):
    """Something that is no text: its kind, where it is, and its characters but white space."""

    kind: str
    span: Span
    characters: int


def non_textual_items(text: str) -> list[Item]:
    """What of a text is no text, in order.

    >>> non_textual_items("See www.ferry.example.")
    [Item(kind='address', span=(4, 21), characters=17)]
    """
    several = sum(bool(line.strip()) for line in text.splitlines()) > 1
    has_lines = several and _WHOLE_LINES.search(text)
    if not (has_lines or _SIGNS.search(text) or any(run in text for run in _RUNS)):
        return []
    pattern = _IN_LINES if has_lines else _IN_A_LINE
    return [
        Item(found.lastgroup or "", found.span(), _characters(found.group()))
        for found in pattern.finditer(text)
    ]


@METRICS.register
@dataclass(frozen=True)
class NonTextual(Indicator, TotalsMetric):
    """Share of the characters that are no text: addresses, markup, remains of tables."""

    name: ClassVar[str] = "non_textual"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    better: ClassVar[Better] = {"value": "lower"}
    totals: ClassVar[tuple[str, ...]] = ("found", "characters")
    defined_by: ClassVar[str] = ""
    formulas: ClassVar[dict[str, str]] = {"value": "found / characters if characters else 1"}
    terms: ClassVar[dict[str, str]] = {
        "found": "characters of non-textual items",
        "characters": "characters of the summary, without white space",
    }

    def count(self, batch: Batch) -> Counts:
        # Each distinct summary is looked at once.
        rows, places = np.unique(batch.candidates, return_inverse=True)
        texts = [batch.strings[row] for row in rows.tolist()]
        found = [sum(item.characters for item in non_textual_items(text)) for text in texts]
        counts = np.array([found, [_characters(text) for text in texts]], np.float64)
        return counts.T[places]

    def matches(self, comparison: Comparison) -> list[Match]:
        text = comparison.candidate.text
        return [
            Match(f"{kind} {text[slice(*span)].strip()!r}", float(characters), (span,))
            for kind, span, characters in non_textual_items(text)
        ]


def _characters(text: str) -> int:
    return len("".join(text.split()))
