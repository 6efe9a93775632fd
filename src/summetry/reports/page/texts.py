"""The texts of a report, topic by topic, packed: a page unpacks a topic when a reader asks for it.

A block is JSON, deflated, as base64: small enough for thousands of explanations in one file, and
text, so that it can stand in HTML.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from summetry.metrics import Explanation
from summetry.records.batches import Comparison
from summetry.records.scores import Row
from summetry.reports.lit.html import lit_html
from summetry.reports.lit.payload import LitTopic


class Explained(Protocol):
    """Why one summary has its score by one metric, which is named as a user named it."""

    @property
    def row(self) -> Row: ...
    @property
    def name(self) -> str: ...
    @property
    def explanation(self) -> Explanation: ...
    @property
    def comparison(self) -> Comparison: ...
    @property
    def legend(self) -> str: ...


@dataclass(frozen=True)
class TopicTexts:
    """What is lit up in one topic, by metric and system, packed."""

    topic: str
    packed: str
    # The metrics that have something to show.
    metrics: tuple[str, ...]
    # The systems that have a text here.
    systems: tuple[str, ...] = ()

    def unpacked(self) -> dict[str, Any]:
        return dict(unpack(self.packed))

    def candidates(self) -> dict[str, str]:
        """The summary of each system."""
        texts = self.unpacked()["topic"]["texts"]
        return {text["name"]: text["text"] for text in texts if text["role"] == "candidate"}

    def html(self, system: str, metric: str) -> str:
        """One summary as the page shows it."""
        data = self.unpacked()
        item = data["items"].get(metric, {}).get(system)
        return lit_html(data["topic"], [item]) if item else ""


def pack_topic(topic: str, explained: Iterable[Explained]) -> TopicTexts:
    """All explanations of one topic in one block.

    Those of one metric stand together: they are alike, and so they are packed closer.
    """
    lit = LitTopic()
    items: dict[str, dict[str, Any]] = {}
    for one in explained:
        item = lit.add(one.name, one.explanation, one.comparison, one.legend)
        items.setdefault(one.name, {})[one.row.author] = item
    packed = pack({"topic": lit.data(), "items": items})
    systems = dict.fromkeys(system for of_metric in items.values() for system in of_metric)
    return TopicTexts(topic, packed, tuple(items), tuple(systems))


def pack(data: Any) -> str:
    """Data as text that a browser unpacks.

    >>> unpack(pack({"a": [1, "é"]}))
    {'a': [1, 'é']}
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def unpack(packed: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(packed)))
