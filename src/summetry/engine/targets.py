"""One target from many extracts: the extract on which most informants agree.

It is the reference by majority vote at the mean length of the informants' extracts, in words:
units by votes, of equal votes the earlier first, taken while the words so far are fewer than the
mean. That is what Hassel and Dalianis (2005) compare systems with, and what ``summetry reference``
writes with ``--length mean --fit overshoot``.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from summetry.metrics import Metric
from summetry.records.batches import Comparison, Material
from summetry.text.pipeline import LanguagePipeline


def with_majority(
    comparisons: Sequence[Comparison], metrics: Sequence[Metric]
) -> Sequence[Comparison]:
    """The comparisons with the majority's extract in their material, if some metric reads it."""
    if not any(metric.reads_majority for metric in metrics):
        return comparisons
    # Comparisons of one topic share their material, and go on sharing it.
    decided: dict[int, Material] = {}
    with_it = []
    for comparison in comparisons:
        material = comparison.material
        if id(material) not in decided:
            majority = majority_of(material)
            decided[id(material)] = msgspec.structs.replace(material, majority=majority)
        with_it.append(msgspec.structs.replace(comparison, material=decided[id(material)]))
    return with_it


def majority_of(material: Material) -> tuple[int, ...] | None:
    """The units on which most informants agree, or None where nobody made an extract.

    >>> from summetry.records.summaries import Extract
    >>> extracts = Extract("t", "ann", (0, 1)), Extract("t", "bob", (2, 1))
    >>> majority_of(Material("t", units=("One.", "Two.", "Three."), extracts=extracts))
    (0, 1)
    """
    from summetry.references.voting import majority_reference

    if not material.extracts:
        return None
    languages = [material.language] * len(material.units)
    words = LanguagePipeline().encode(material.units, languages).lengths.tolist()
    extracts = [extract.units for extract in material.extracts]
    return majority_reference(words, extracts, "mean", "overshoot").units
