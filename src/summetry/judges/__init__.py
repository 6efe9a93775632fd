"""Judges that are language models: rubrics, prompts, an endpoint, a log that replays, results."""

from summetry.judges.run import judge

__all__ = ["judge"]
