"""What an audit scores, and by which metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from summetry.engine.able import able_metrics
from summetry.engine.plan import CorpusPlan, Plan
from summetry.metrics import Needs

# Metrics that take minutes where the others take seconds: an audit scores very many texts.
_SLOW = ("hpg",)
_REMEDIES = dict.fromkeys(
    (Needs.UNITS, Needs.UTILITIES, Needs.PYRAMID),
    "nothing, since a text that was changed is a text alone",
)


@dataclass(frozen=True)
class AuditPlan(CorpusPlan):
    """The texts of an audit, which have neither units nor marks of people."""

    remedies: Mapping[Needs, str] = field(default_factory=lambda: _REMEDIES)

    @property
    def name(self) -> str:
        return f"an audit of {super().name}"


def audited_metrics(plan: Plan) -> tuple[list[str], list[str]]:
    """The metrics of an audit where none is named: all that can run, and the indicators; and
    notes on those that are left out."""
    able, notes = able_metrics(plan, ["indicators"])
    slow = [name for name in able if name in _SLOW]
    if slow:
        names = ", ".join(slow)
        notes.append(f"left out {names}, which is slow; -m {names} --limit 100 computes it")
    return [name for name in able if name not in slow], notes
