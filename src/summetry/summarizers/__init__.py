"""Summarizers and sentence rankers that are judged; ``SUMMARIZERS`` finds them by name."""

from summetry.summarizers.base import SUMMARIZERS, Learning, Ranking, Source, Summarizer, rank_by
from summetry.summarizers.run import summarize

__all__ = ["SUMMARIZERS", "Learning", "Ranking", "Source", "Summarizer", "rank_by", "summarize"]
