"""Measures that need a whole corpus: they take one and give a table."""
