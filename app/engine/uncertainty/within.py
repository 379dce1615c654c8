"""Probability that a figure keeps a limit, from its value and the ends that 80 % of comparable ones lie
between."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from app.engine.quantities import quantity
from app.engine.trace import Array

P90_SCORE = 1.2815515655446004
"""Standard normal score of the 90th percentile."""


@quantity(
    unit="1",
    source="[1] two-piece lognormal: Wallis 2014, The two-piece normal distribution, Stat. Sci. 29(1)",
)
def probability_within(*, value: Array, low: Array, high: Array, limit: Array) -> Array:
    """Probability that a positive figure is at most a limit.

    Lognormal on either side of its median, the value, with the 10th percentile at `low` and the 90th at
    `high`: Phi(1.2816 ln(limit / value) / ln(high / value)) above the value, with ln(value / low) below it.
    Without ends it is certain or impossible.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        apart = np.log(limit / value)
        width = np.where(apart >= 0, np.log(high / value), np.log(value / low))
        spread = np.where(np.isnan(width), 0.0, np.maximum(width, 0.0))
        score = np.where(spread > 0, P90_SCORE * apart / spread, np.where(apart >= 0, np.inf, -np.inf))
    found: Array = np.where(np.isnan(apart), np.nan, ndtr(score))
    return found


@quantity(
    unit="1",
    source="[1] two-piece lognormal: Wallis 2014, The two-piece normal distribution, Stat. Sci. 29(1)",
)
def factor_at(*, probability: Array, low_ratio: Array, high_ratio: Array) -> Array:
    """Quantile of a figure over its median: the inverse of `probability_within`."""
    score = ndtri(probability) / P90_SCORE
    width = np.where(score >= 0, np.log(high_ratio), -np.log(low_ratio))
    return np.exp(score * np.where(np.isnan(width), 0.0, np.maximum(width, 0.0)))
