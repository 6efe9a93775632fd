"""The words of reports for names that programs use: each is written here and nowhere else."""

from __future__ import annotations

from summetry.records.scores import Column
from summetry.stats.weighted import Coefficient

COEFFICIENTS: dict[Coefficient, str] = {
    "pearson": "Pearson",
    "spearman": "Spearman",
    "tau_b": "Kendall tau-b",
    "tau_a": "Kendall tau-a",
}
LEVELS = {
    "system": "system level",
    "summary": "summary level",
    "global": "all summaries at once",
    "per_system": "system by system",
}
PROTOCOLS = {"no_models": "No Models", "all_peers": "All Peers"}
RESAMPLED = {
    "systems": "systems",
    "topics": "topics",
    "both": "systems and topics",
    "judges": "judges",
    "all": "systems, topics and judges",
}
PAIRED_TESTS = {
    "permutation": "paired permutation test",
    "t": "paired t-test",
    "wilcoxon": "Wilcoxon's signed-rank test",
    "bootstrap": "paired bootstrap",
}
CORRECTIONS = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini and Hochberg"}


def shown_name(column: Column) -> str:
    """The metric, with the name of its value where it has several.

    >>> shown_name(Column("cosine", "value")), shown_name(Column("lcs", "f"))
    ('cosine', 'lcs.f')
    """
    return column.metric if column.value == "value" else column.name


def heading_of(*words: str) -> str:
    """Words with commas between them, a protocol in its own words; empty ones are left out.

    >>> heading_of("content", "", "no_models", LEVELS["system"])
    'content, No Models, system level'
    """
    return ", ".join(PROTOCOLS.get(word, word) for word in words if word)


def confidence(alpha: float) -> str:
    """The share that an interval covers, in per cent.

    >>> confidence(0.05)
    '95'
    """
    return f"{100 * (1 - alpha):g}"
