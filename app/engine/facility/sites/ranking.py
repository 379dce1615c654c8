"""Sites against each other: ranks by each figure, sites that another beats in every figure, and one weighted
ranking.

Less is better throughout. A figure that is not known is NaN: it has no place, and a site that lacks one of the
figures which are compared is neither on the front nor in the weighed order.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.trace import Array

Flags = NDArray[np.bool_]


def places(figures: Array) -> Array:
    """The place of each site by one figure, from 1; equal ones share a place, unknown ones have none (NaN).

    >>> places(np.array([3.0, 1.0, np.nan, 1.0])).tolist()
    [3.0, 1.0, nan, 1.0]
    """
    better = (figures[None, :] < figures[:, None]).sum(axis=1)
    return np.where(np.isnan(figures), np.nan, better + 1.0)


def on_the_front(figures: Array) -> Flags:
    """Which sites no other one beats: at least as good in every figure and better in one.

    Parameters
    ----------
    figures : of shape (sites, figures); a site with an unknown one is on no front
    """
    known = np.asarray(~np.any(np.isnan(figures), axis=1))
    as_good = np.all(figures[:, None, :] <= figures[None, :, :], axis=2)  # (other, site)
    better = np.any(figures[:, None, :] < figures[None, :, :], axis=2)
    beaten = np.any(as_good & better & known[:, None], axis=0)
    front: Flags = np.asarray(known & ~beaten)
    return front


def weighed(figures: Array, weights: Array) -> Array:
    """The weighted mean of the figures, each from 0 at the best site to 1 at the worst.

    A figure that is the same everywhere, or has no weight, decides nothing. NaN where a figure with a weight is
    not known.

    Parameters
    ----------
    figures : of shape (sites, figures)
    weights : of shape (figures,), not negative
    """
    counted = weights > 0
    if not counted.any() or not figures.size:
        return np.full(figures.shape[0], np.nan)
    chosen, shares = figures[:, counted], weights[counted] / weights[counted].sum()
    known = np.where(np.isnan(chosen), np.inf, chosen)
    best = known.min(axis=0)
    worst = np.where(np.isnan(chosen), -np.inf, chosen).max(axis=0)
    span = np.where(worst > best, worst - best, 1.0)
    with np.errstate(invalid="ignore"):
        score: Array = ((chosen - best) / span) @ shares
    return score
