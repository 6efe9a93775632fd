"""What to compute, and where: ``evaluate`` a corpus, locally or in processes."""

from summetry.engine.run import Run, evaluate

__all__ = ["Run", "evaluate"]
