"""Systems compared by one value, for tests that look at one ranking."""

import summetry


def compare(scores, metric=(), **how):
    """The first ranking that ``summetry.compare`` gives."""
    return next(iter(summetry.compare(scores, metric, **how).values()))
