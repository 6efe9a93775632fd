"""Pyramids: scores by content units, and the recall and precision of their weights."""
