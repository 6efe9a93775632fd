"""Summaries made worse by rule: the perturbations, and the texts that they make of a corpus."""
