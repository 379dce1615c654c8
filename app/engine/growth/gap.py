"""The gap: how much faster arithmetic grew than the node's bus and the network between two devices."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.quantities import quantity
from app.engine.trace import Array

PRECISIONS = ("bf16", "fp8", "fp4")
"""Of matrix arithmetic, widest first: BF16 and FP16 count as one."""


@quantity(unit="1", source="definition")
def growth_factor(*, first: Array, last: Array) -> Array:
    """Ratio of the later to the earlier device."""
    return last / first


@quantity(unit="1/year", source="definition")
def factor_per_year(*, growth_factor: Array, years: Array) -> Array:
    """Growth per year between two devices."""
    return growth_factor ** (1 / years)


@quantity(unit="1", source="definition: root mean square of the logarithms")
def distance_from_claim(*, growth_factors: Array, claimed: Array) -> Array:
    """Distance of factors from the claimed ones, along the last axis: 0.1 is about 10 %."""
    distance: Array = np.sqrt(np.mean(np.log(growth_factors / claimed) ** 2, axis=-1))
    return distance


def usable(flop_per_s: Array) -> Array:
    """What a device does at each precision or a wider one; precisions on the last axis, widest first.

    A device without FP8 does the work of FP8 in 16 bits.
    """
    return np.fmax.accumulate(flop_per_s, axis=-1)


def compute_factors(first: Array, last: Array) -> Array:
    """Growth of arithmetic by precision, shape (..., precisions): unknown where the later device has none."""
    return growth_factor(first=usable(first), last=last)


def best_factor(first: Array, last: Array) -> Array:
    """Growth of arithmetic, each device at the precision it is fastest in."""
    return growth_factor(first=usable(first)[..., -1], last=usable(last)[..., -1])


def closest(distances: Array, most: int) -> tuple[NDArray[np.intp], ...]:
    """Places of the least distances in an array of any shape, the least first; unknown ones never."""
    known = int(np.isfinite(distances).sum())
    order = np.argsort(np.where(np.isfinite(distances), distances, np.inf), axis=None, kind="stable")
    return np.unravel_index(order[: min(most, known)], distances.shape)
