"""How large a clean plant is when it is to generate so much of a year's load."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", source="definition")
def capacity_factor(*, yield_by_hour: Array) -> Array:
    """Mean power of a plant over its rated power."""
    mean: Array = np.mean(yield_by_hour, keepdims=True)
    return mean


@quantity(unit="W", source="definition")
def generation_by_hour_w(*, yield_by_hour: Array, mean_load_w: Array, share: Array) -> Array:
    """Generation in each hour of a plant that generates a share of a year's load.

    The hours are those of `yield_by_hour`, the amount is asked for; nothing where nothing is asked for.
    """
    return np.where(share == 0, 0.0, yield_by_hour / np.mean(yield_by_hour) * mean_load_w * share)


@quantity(unit="W", source="definition")
def rated_generation_w(*, mean_load_w: Array, share: Array, capacity_factor: Array) -> Array:
    """Rated power of a plant that generates a share of a year's load."""
    return np.where(share == 0, 0.0, mean_load_w * share / capacity_factor)
