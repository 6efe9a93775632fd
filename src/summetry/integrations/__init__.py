"""Summetry's metrics in programs that evaluate language models: ``inspect``, ``lm_eval``."""
