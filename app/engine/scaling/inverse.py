"""Solving a law for what it does not state: by halving, as every curve is monotone in each quantity."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.trace import Array

LEAST, MOST = 1e-3, 1e45
"""Bounds of parameters, tokens and FLOPs that are looked through."""
HALVINGS = 70  # 110 e-folds become 1e-19 of one
GRID = 400


def where_equal(
    falling: Callable[[Array], Array], value: Array, low: Array | float = LEAST, high: Array | float = MOST
) -> Array:
    """The x at which a function that falls with x has a value; not a number where it is out of reach.

    Parameters
    ----------
    falling : of x as value is shaped
    value : (n,)
    low, high : bounds of x
    """
    value = np.asarray(value, dtype=float)
    below, above = (np.broadcast_to(np.log(end), value.shape).astype(float) for end in (low, high))
    reachable = (falling(np.exp(below)) >= value) & (falling(np.exp(above)) <= value)
    for _ in range(HALVINGS):
        middle = (below + above) / 2
        higher = falling(np.exp(middle)) >= value
        below, above = np.where(higher, middle, below), np.where(higher, above, middle)
    return np.where(reachable, np.exp((below + above) / 2), np.nan)


def where_least(valley: Callable[[Array], Array], low: Array, high: Array) -> Array:
    """The x between bounds at which a function with one valley is least: a grid, made finer about its least.

    Parameters
    ----------
    valley : of (n, grid)
    low, high : (n,)
    """
    below, above = np.log(np.asarray(low, dtype=float)), np.log(np.asarray(high, dtype=float))
    for _ in range(5):
        steps = np.linspace(below, above, GRID, axis=-1)
        values = valley(np.exp(steps))
        least = np.argmin(np.where(np.isfinite(values), values, np.inf), axis=-1)
        rows = np.arange(len(least))
        below, above = steps[rows, np.maximum(least - 1, 0)], steps[rows, np.minimum(least + 1, GRID - 1)]
    found: Array = np.exp((below + above) / 2)
    return found
