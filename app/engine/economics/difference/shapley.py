"""How much of a difference each of several changes brings, whatever the order they are made in.

Going from A to B one change at a time, what a change brings depends on those made before it. Its Shapley value is
the mean over all orders; the values of all changes add up to the whole difference.

[1] Shapley, A Value for n-Person Games (1953); [2] Shorrocks, Decomposition procedures for distributional analysis
(2013), which uses it to take a change apart.
"""

from __future__ import annotations

from math import factorial

import numpy as np
from numpy.typing import NDArray

from app.engine.trace import Array

MOST_CHANGES = 12
"""Figures needed double with each change: 4,096 of twelve."""


def shapley_values(figures: Array) -> Array:
    """What each of n changes brings.

    Parameters
    ----------
    figures : of shape (2 ** n,): the figure with the changes that the bits of its place name. Place 0 is A,
        the last is B, place 5 has the first and the third change made

    Raises
    ------
    ValueError : there are not 2 ** n figures of 1 to 12 changes
    """
    changes = figures.size.bit_length() - 1
    if figures.shape != (1 << changes,) or not 1 <= changes <= MOST_CHANGES:
        raise ValueError(f"{figures.shape} figures are not those of 1 to {MOST_CHANGES} changes")
    places = np.arange(figures.size)
    made = (places[:, None] >> np.arange(changes)) & 1  # (figures, changes)
    weight = _weights(changes)[made.sum(axis=1)]  # of a figure to which one more change is made
    brought = figures[places[:, None] | (1 << np.arange(changes))] - figures[:, None]
    values: Array = np.where(made == 0, weight[:, None] * brought, 0.0).sum(axis=0)
    return values


def order_range(figures: Array) -> tuple[Array, Array]:
    """The least and the most that each change brings in any order: how far the order matters."""
    changes = figures.size.bit_length() - 1
    places = np.arange(figures.size)
    made = (places[:, None] >> np.arange(changes)) & 1
    brought = figures[places[:, None] | (1 << np.arange(changes))] - figures[:, None]
    low: Array = np.where(made == 0, brought, np.inf).min(axis=0)
    high: Array = np.where(made == 0, brought, -np.inf).max(axis=0)
    return low, high


def _weights(changes: int) -> NDArray[np.float64]:
    """The share of all orders in which just so many given changes come first, and then a given one."""
    before = [factorial(made) * factorial(changes - made - 1) for made in range(changes)]
    return np.array([*before, 0]) / factorial(changes)
