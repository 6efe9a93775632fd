"""How much of a reference a summary covers, as assessors say with SEE.

For each unit of the reference an assessor says how many per cent of its meaning the summary
expresses; the coverage of the summary is the mean over all units (Lin and Hovy 2002, "Manual and
automatic evaluation of summaries", section 3; DUC 2001 to 2004).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean


def mean_coverage(percents: Sequence[float]) -> float:
    """The mean of percentages, one for each unit of a reference, as a share; NaN without any.

    >>> mean_coverage([100, 40, 0, 20])
    0.4
    """
    return fmean(percents) / 100 if percents else math.nan
