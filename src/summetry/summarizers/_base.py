"""What every summarizer offers: an order of the units, best first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

from summetry.model.topics import Topic
from summetry.registry import Registry


class Summarizer(Protocol):
    """A frozen dataclass: its fields are its options, its spelling comes from them."""

    name: ClassVar[str]

    def rank(self, topic: Topic) -> Sequence[int]:
        """The numbers of the topic's units, the one to take first first."""
        ...


SUMMARIZERS: Registry[Summarizer] = Registry("summarizer", "summetry.summarizers")
