"""Where more load stops paying: the knee of throughput against latency."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_POWER = (
    "[1] Kleinrock 1979, Power and deterministic rules of thumb for probabilistic problems in computer "
    "communications, ICC 1979, 43.1 (power: throughput over response time)"
)


@quantity(unit="1", source=_POWER, leaf=True)
def load_power(*, requests_per_s: Array, end_to_end_s: Array) -> Array:
    """Power of a load: throughput over response time, over that of the best load of the row.

    Its greatest value, 1, is at the knee. Loads along the last axis.
    """
    power = requests_per_s / end_to_end_s
    best: Array = np.nanmax(power, axis=-1, keepdims=True)
    return power / best
