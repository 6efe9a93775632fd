"""The words of reports for names that programs use: each is written here and nowhere else."""

from __future__ import annotations

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
    "global": "global level",
    "per_system": "per system",
}
# A heading names a protocol only where it is not the usual one.
PROTOCOLS = {"no_models": "", "all_peers": "All Peers"}
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
# A coefficient of fewer systems than this says little, whatever it is.
FEW_SYSTEMS = 10
CORRECTIONS = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini and Hochberg"}


def heading_of(*words: str) -> str:
    """Words with commas between them, a protocol in its own words; empty ones are left out.

    >>> heading_of("content", "", "all_peers", LEVELS["system"])
    'content, All Peers, system level'
    >>> heading_of("content", "no_models", LEVELS["summary"])
    'content, summary level'
    """
    return ", ".join(filter(None, (PROTOCOLS.get(word, word) for word in words)))


def confidence(alpha: float) -> str:
    """The share that an interval covers, in per cent.

    >>> confidence(0.05)
    '95'
    """
    return f"{100 * (1 - alpha):g}"
