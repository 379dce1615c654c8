"""Inputs moved one at a time: what each does alone, the others as they are."""

from __future__ import annotations

import numpy as np

from app.engine.trace import Array


def low_and_high(*, typical: Array, low: Array, high: Array) -> Array:
    """One row with every input as it is, then each at its low end, then each at its high end: (2 k + 1, k).

    >>> low_and_high(typical=np.array([2.0, 5.0]), low=np.array([1.0, 4.0]), high=np.array([3.0, 6.0]))
    array([[2., 5.],
           [1., 5.],
           [2., 4.],
           [3., 5.],
           [2., 6.]])
    """
    return np.vstack([typical, _moved(typical, low), _moved(typical, high)])


def along_ranges(*, typical: Array, low: Array, high: Array, shares: Array) -> Array:
    """Each input at shares of its range, the others as they are: (inputs, shares, inputs)."""
    inputs = len(typical)
    rows = np.broadcast_to(typical, (inputs, len(shares), inputs)).copy()
    steps = low[:, None] + shares * (high - low)[:, None]
    place = np.arange(inputs)
    rows[place, :, place] = steps
    return rows


def swing(*, at_low: Array, at_high: Array, base: Array) -> Array:
    """How far a figure moves between the two ends, over what it is; unknown ones move nothing.

    Parameters
    ----------
    at_low, at_high : (figures, inputs)
    base : (figures,)
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        moved = np.abs(at_high - at_low) / np.abs(base)[:, None]
    return np.asarray(np.where(np.isfinite(moved), moved, 0.0))


def _moved(typical: Array, ends: Array) -> Array:
    rows = np.tile(typical, (len(typical), 1))
    np.fill_diagonal(rows, ends)
    return rows
