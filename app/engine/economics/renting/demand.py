"""How demand lies over time: the load-duration curve, and what of it an owned share can do.

The curve is P (1 - t)^(k - 1): demand exceeded for a share t of the time, with a peak P and a peak over mean k.
With k = 1 demand is constant, with k = 2 it falls in a straight line from its peak to nothing.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_SCREENING = "[1] Stoft, Power System Economics (2002), chapter 2-2: load-duration and screening curves"


@quantity(unit="1", source="definition")
def peak_share(*, utilisation: Array, peak_over_mean: Array) -> Array:
    """Accelerators in use at the busiest time over all of the pod.

    u k, and the whole pod at most.
    """
    return np.minimum(utilisation * peak_over_mean, 1)


@quantity(unit="1", source=_SCREENING)
def demand_share(*, time_share: Array, utilisation: Array, peak_share: Array) -> Array:
    """Demand that is exceeded for a share of the time, over the pod."""
    return peak_share * (1 - time_share) ** (peak_share / utilisation - 1)


@quantity(unit="1", source=_SCREENING)
def time_above_share(*, owned_share: Array, utilisation: Array, peak_share: Array) -> Array:
    """Share of the time in which demand exceeds an owned share of the pod.

    1 - (s / P)^(1 / (k - 1)); demand that is constant exceeds all the time what is below it.
    """
    swing = peak_share / utilisation - 1
    below = np.minimum(owned_share / peak_share, 1)
    constant = np.where(below < 1, 1.0, 0.0)
    swinging = 1 - below ** (1 / np.where(swing > 1e-9, swing, 1.0))
    return np.where(swing > 1e-9, swinging, constant)


@quantity(unit="1", source=_SCREENING)
def served_share(*, owned_share: Array, utilisation: Array, peak_share: Array) -> Array:
    """Mean demand that an owned share of the pod does, over the pod.

    The area below both the load-duration curve and the owned share:
    s (1 - y (k - 1) / k) with y = (s / P)^(1 / (k - 1)), the mean u from the peak on.
    """
    above = time_above_share(owned_share=owned_share, utilisation=utilisation, peak_share=peak_share)
    partly = owned_share * (1 - (1 - above) * (1 - utilisation / peak_share))
    return np.where(owned_share >= peak_share, utilisation, partly)
