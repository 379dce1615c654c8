"""A difference of two products as a sum over their factors."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_LMDI = "[1] Ang, The LMDI approach to decomposition analysis, Energy Policy 33 (2005)"


@quantity(unit="1", source=_LMDI, leaf=True)
def logarithmic_mean(*, first: Array, second: Array) -> Array:
    """Logarithmic mean of two positive values: their difference over that of their logarithms."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (second - first) / (np.log(second) - np.log(first))
    return np.where(np.isclose(first, second, rtol=1e-12, atol=0), first, mean)


@quantity(unit="1", source=_LMDI, leaf=True)
def brought_by_factor(*, first_product: Array, second_product: Array, ratio: Array) -> Array:
    """What one factor brings to the difference of two products.

    Their logarithmic mean times the logarithm of the factor's ratio: no order, nothing left over. In the unit
    of the products.
    """
    return logarithmic_mean(first=first_product, second=second_product) * np.log(ratio)
