"""Measures that need a whole corpus: they take one and give a table."""

from summetry.tasks.categorization import categorize
from summetry.tasks.questions import compare_answers
from summetry.tasks.retrieval import retrieve

__all__ = ["categorize", "compare_answers", "retrieve"]
