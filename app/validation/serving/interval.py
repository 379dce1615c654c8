"""Between which bounds eight of ten measurements lie, from the errors that other families of models had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.validation.statistics import weighted_quantile

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
