"""A difference of two products as a sum over their factors."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

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
    """What one factor brings to the difference of two products.

    Their logarithmic mean times the logarithm of the factor's ratio: no order, nothing left over. In the unit
    of the products.
    """
    return logarithmic_mean(first=first_product, second=second_product) * np.log(ratio)
