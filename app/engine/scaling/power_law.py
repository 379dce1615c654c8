"""A loss that falls as a power of one quantity while the others do not limit it."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", source="[1] Kaplan et al. 2020, arXiv 2001.08361, equations 1.1 to 1.3")
def loss_after_growth(*, growth: Array, exponent: Array) -> Array:
    """Loss after growth over the loss before.

    g^-alpha, for g times the parameters, tokens or compute alone.
    """
    return growth**-exponent
