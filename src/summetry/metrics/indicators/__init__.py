"""Indicators of text quality: what people can check in a summary, without any reference."""
