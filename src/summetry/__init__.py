"""Summetry measures summaries: ``score``, ``load``, ``evaluate``, ``summarize`` are the way in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["__version__", "alt_test", "audit", "compare", "correlate", "estimate", "evaluate"]
__all__ += ["explain", "judge", "load", "report", "score", "summarize", "worst"]

if TYPE_CHECKING:
    from summetry.api import alt_test, audit, compare, correlate, estimate, explain, report, worst
    from summetry.engine import evaluate
    from summetry.engine.pairs import score
    from summetry.formats import load
    from summetry.judges import judge
    from summetry.summarizers import summarize

_HOME = {
    "alt_test": "summetry.api",
    "audit": "summetry.api",
    "compare": "summetry.api",
    "correlate": "summetry.api",
    "estimate": "summetry.api",
    "evaluate": "summetry.engine",
    "explain": "summetry.api",
    "judge": "summetry.judges",
    "load": "summetry.formats",
    "report": "summetry.api",
    "score": "summetry.engine.pairs",
    "summarize": "summetry.summarizers",
    "worst": "summetry.api",
}


def __getattr__(name: str) -> Any:
    # Imported on first use, so that `import summetry` costs next to nothing.
    if name not in _HOME:
        raise AttributeError(f"module 'summetry' has no attribute {name!r}")
    from importlib import import_module

    # Kept, so that a small call need not look for it again.
    value = globals()[name] = getattr(import_module(_HOME[name]), name)
    return value


def __dir__() -> list[str]:
    return __all__
