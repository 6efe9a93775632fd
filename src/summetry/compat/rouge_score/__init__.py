"""The package rouge-score 0.1.2 with the same names in the same places, and the same numbers.

from summetry.compat.rouge_score import rouge_scorer, scoring    # was: from rouge_score import
"""
