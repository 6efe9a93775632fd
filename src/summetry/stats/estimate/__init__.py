"""Means, differences and ranks of systems from a few judgments and proxies of all summaries."""

from summetry.stats.estimate.estimates import (
    FEWEST,
    POPULATIONS,
    Alone,
    Difference,
    Estimate,
    Mean,
    Population,
    Rank,
    check_estimate,
    estimate,
)

__all__ = [
    "FEWEST",
    "POPULATIONS",
    "Alone",
    "Difference",
    "Estimate",
    "Mean",
    "Population",
    "Rank",
    "check_estimate",
    "estimate",
]
