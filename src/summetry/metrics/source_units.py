"""Units of the source in explanations: their text, their place, and who would have which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from summetry.errors import counted
from summetry.metrics.explanations import Match, Votes
from summetry.records.batches import Comparison, Material
from summetry.text.finding import spans_in_order
from summetry.text.tokens import Span


def unit_text(comparison: Comparison, unit: int) -> str:
    """A unit's number and text, for an explanation."""
    units = comparison.material.units
    return f"unit {unit}: {units[unit]}" if unit < len(units) else f"unit {unit}"


def unit_spans(material: Material) -> list[Span]:
    """Where the units stand in the source, which is made of them; none if they are not in it.

    >>> unit_spans(Material("t", source="One. Two.", units=("One.", "Two.")))
    [(0, 4), (5, 9)]
    """
    spans = [span for span in spans_in_order(material.source or "", material.units) if span]
    return spans if len(spans) == len(material.units) else []


def unit_places(comparison: Comparison, units: Sequence[int]) -> tuple[tuple[str, Span], ...]:
    """The places of units in the source, where they are known."""
    spans = unit_spans(comparison.material)
    return tuple(("source", spans[unit]) for unit in units if 0 <= unit < len(spans))


def unit_match(comparison: Comparison, unit: int, weight: float = 1.0, before: str = "") -> Match:
    """A unit that is shared or missed, with its place in the source."""
    what = f"{before}{unit_text(comparison, unit)}"
    return Match(what, weight, also=unit_places(comparison, [unit]))


def votes_of(
    comparison: Comparison, choices: Sequence[tuple[str, Sequence[int]]], who: str
) -> Votes | None:
    """How many of these extracts have each unit of the source; None where it is not known."""
    votes = Counter(unit for _, units in choices for unit in set(units))
    each = [float(votes[unit]) for unit in range(len(comparison.material.units))]
    return _votes(comparison, f"votes of {counted(len(choices), who)}", each)


def votes_of_informants(comparison: Comparison) -> Votes | None:
    """How many informants chose each unit of the source."""
    choices = [(extract.informant, extract.units) for extract in comparison.material.extracts]
    return votes_of(comparison, choices, "informant")


def votes_of_judges(comparison: Comparison) -> Votes | None:
    """The utilities of each unit of the source, added up over the judges."""
    judged = comparison.material.utilities
    each = [float(sum(values)) for values in zip(*(u.values for u in judged), strict=False)]
    return _votes(comparison, f"utility given by {counted(len(judged), 'judge')}", each)


def _votes(comparison: Comparison, of: str, each: Sequence[float]) -> Votes | None:
    if not each or len(each) != len(comparison.material.units):
        return None
    return Votes(of, tuple(each), tuple(dict.fromkeys(comparison.candidate.units or ())))
