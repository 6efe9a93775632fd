"""Which metrics can run on data, where none is named."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from summetry.engine.languages import language_guessed
from summetry.engine.plan import Plan, check_items
from summetry.errors import SummetryError
from summetry.metrics import FAMILIES, METRICS

# What people call the metrics of a family that have names by their options.
_COMMON_NAMES = {
    "rouge_n": ("rouge-1", "rouge-2"),
    "rouge_l": ("rouge-l",),
    "rouge_w": ("rouge-w",),
    "rouge_s": ("rouge-s4",),
    "rouge_su": ("rouge-su4",),
}


def able_metrics(plan: Plan, families: Collection[str] = ()) -> tuple[list[str], list[str]]:
    """All metrics that the data can feed, in the order of the taxonomy, and notes on those that are
    left out.

    Metrics that are computed only if asked for are taken of ``families`` only.
    """
    check_items(plan)
    languages = plan.languages if any(plan.languages) else (language_guessed(plan),)
    able = [
        name
        for name in METRICS.names()
        if not METRICS.build(name).needs & ~plan.facts.offered
        and (METRICS.get(name).family in families or not METRICS.get(name).only_if_asked)
    ]
    notes = []
    for reason, names in _unreadable(able, languages).items():
        able = [name for name in able if name not in names]
        notes.append(f"left out {', '.join(names)}: {reason}")
    # A plug-in may have a family of its own: it comes after ours.
    order = {family: place for place, family in enumerate(FAMILIES)}
    common = list(_COMMON_NAMES)
    able.sort(key=lambda name: common.index(name) if name in common else -1)
    able.sort(key=lambda name: order.get(METRICS.get(name).family, len(order)))
    if not able:
        raise SummetryError(
            f"{plan.name} has nothing to compare a summary with: no reference, no source; "
            f"`summetry metrics` says what each metric needs, and indicators such as -m redundancy "
            f"need nothing else"
        )
    return [common for name in able for common in _COMMON_NAMES.get(name, (name,))], notes


def _unreadable(names: Sequence[str], languages: Sequence[str]) -> dict[str, list[str]]:
    """Metrics whose words cannot be had here, by reason: the language is not known, a package is
    missing, a language has no stop words or lemmas."""
    names_by_reason: dict[str, list[str]] = {}
    for name in names:
        pipeline = getattr(METRICS.build(name), "text", None)
        if pipeline is None:
            continue
        if pipeline.needs_language and not all(languages):
            reason = "the language of the texts is not known; --language says it"
            names_by_reason.setdefault(reason, []).append(name)
            continue
        try:
            pipeline.encode(["word"] * len(languages), languages)
        except SummetryError as error:
            names_by_reason.setdefault(str(error), []).append(name)
    return names_by_reason
