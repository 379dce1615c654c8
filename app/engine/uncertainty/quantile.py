"""Quantiles of weighted values."""

from __future__ import annotations

import numpy as np

from app.engine.trace import Array


def weighted_quantile(values: Array, weights: Array, share: float) -> Array:
    """The value below which a share of the weight lies, between neighbours in proportion.

    Parameters
    ----------
    values : (n,)
    weights : (..., n), not negative; each row is a weighting of its own
    share : 0 to 1

    Returns
    -------
    (...): one value a weighting

    >>> weighted_quantile(np.array([3.0, 1.0, 2.0]), np.ones(3), 0.5)
    array(2.)
    """
    order = np.argsort(values)
    in_order, weight = values[order], weights[..., order]
    upto = np.cumsum(weight, axis=-1)
    middle = upto - weight / 2
    wanted = share * upto[..., -1:]
    # The neighbours of what is wanted: the last value with its middle below, and the one after.
    after = np.clip(np.sum(middle < wanted, axis=-1), 0, len(values) - 1)
    before = np.maximum(after - 1, 0)
    low, high = (np.take_along_axis(middle, np.expand_dims(index, -1), -1) for index in (before, after))
    span = np.where(high > low, high - low, 1.0)
    between = np.clip((wanted - low) / span, 0.0, 1.0)[..., 0]
    below, above = in_order[before], in_order[after]
    # As a step from one neighbour towards the other, held between them, rounding never makes a higher share lower.
    return np.asarray(np.minimum(below + between * (above - below), above))
