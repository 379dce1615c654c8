"""How much of a difference each of several changes brings, whatever the order they are made in.

Going from A to B one change at a time, what a change brings depends on those made before it. Its Shapley value is
the mean over all orders; the values of all changes add up to the whole difference.

[1] Shapley, A Value for n-Person Games (1953); [2] Shorrocks, Decomposition procedures for distributional analysis
(2013), which uses it to take a change apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import factorial

import numpy as np
from numpy.typing import NDArray

from app.engine.quantities import quantity
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


def of_the_figure(breakdown: Mapping[str, Array], figure: Array) -> dict[str, Array]:
    """The parts of a figure that goes by the same shares as a breakdown.

    The cost of an hour or of a run is the total cost over the hours, so each category has the same share of it.
    """
    total = np.sum([np.ravel(part) for part in breakdown.values()], axis=0)
    return {name: np.ravel(part) / total * np.ravel(figure) for name, part in breakdown.items()}


def brought_by_category(first: Mapping[str, Array], second: Mapping[str, Array]) -> dict[str, Array]:
    """Contribution of each category from one figure to another; one that a side lacks is nothing there."""
    names = dict.fromkeys((*first, *second))
    nothing = np.zeros(1)
    return {name: second.get(name, nothing) - first.get(name, nothing) for name in names}


_LMDI = "[1] Ang, The LMDI approach to decomposition analysis, Energy Policy 33 (2005)"


@quantity(unit="1", source=_LMDI, leaf=True)
def logarithmic_mean(*, first: Array, second: Array) -> Array:
    """Logarithmic mean of two positive values: their difference over that of their logarithms."""
    low, high = np.minimum(first, second), np.maximum(first, second)
    with np.errstate(invalid="ignore", divide="ignore"):
        # over the lower one: exact where both are nearly alike, and where one is next to nothing
        mean = (high - low) / np.log1p((high - low) / low)
    return np.where(low == high, low, mean)


@quantity(unit="1", source=_LMDI, leaf=True)
def brought_by_factor(*, first_product: Array, second_product: Array, ratio: Array) -> Array:
    """Contribution of one factor to the difference of two products.

    Their logarithmic mean times the logarithm of the factor's ratio: no order, nothing left over. In the unit
    of the products.
    """
    return logarithmic_mean(first=first_product, second=second_product) * np.log(ratio)
