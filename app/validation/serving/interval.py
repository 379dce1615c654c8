"""Between which bounds eight of ten measurements lie, from the errors that other families of models had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.validation.statistics import Prediction, weighted_quantile

Numbers = NDArray[np.float64]

SHARES = (0.1, 0.9)
"""Shares of the errors below the ends of an interval."""
FEWEST = 20
"""Measurements of other families that an interval needs."""


def bounds(ratio: Numbers, families: Sequence[str]) -> tuple[Numbers, Numbers]:
    """Least and most of measured over predicted for each row; not a number where few others were measured.

    Parameters
    ----------
    ratio : measured over predicted, each with its family left out of the fit where it was in it
    families : rows of a family do not vouch for each other; every other one has the same weight
    """
    names = np.array(families)
    low, high = np.full((2, len(names)), np.nan)
    for name in set(families):
        others = (names != name) & np.isfinite(ratio)
        if others.sum() < FEWEST:
            continue
        sizes = Counter(names[others].tolist())
        weights = np.array([1 / sizes[other] for other in names[others].tolist()])
        ends = [weighted_quantile(np.log(ratio[others]), weights, share) for share in SHARES]
        low[names == name], high[names == name] = np.exp(ends)
    return low, high


def coverage_of(predictions: Sequence[Prediction]) -> float | None:
    """Share of measurements within their intervals, every family with the same weight; None without any interval."""
    known = [one for one in predictions if one.low is not None and one.high is not None]
    if not known:
        return None
    sizes = Counter(one.family for one in known)
    inside = [one for one in known if (one.low or 0.0) <= one.measured <= (one.high or 0.0)]
    return sum(1 / sizes[one.family] for one in inside) / len(sizes)
