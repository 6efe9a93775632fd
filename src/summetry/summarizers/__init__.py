"""Summarizers and sentence rankers that are judged; ``SUMMARIZERS`` finds them by name."""

from summetry.summarizers._base import SUMMARIZERS, Summarizer

__all__ = ["SUMMARIZERS", "Summarizer"]
