"""MEAD's XML: clusters, extracts, sentence judgments."""
