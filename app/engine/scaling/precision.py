"""What fewer bits cost: as if the model had fewer parameters."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", source="[1] Kumar et al. 2024, arXiv 2411.04330, equation 3; constants recalled")
def parameters_kept(*, bits: Array, g_w: Array, g_a: Array, g_kv: Array) -> Array:
    """Share of the parameters that count at a precision.

    (1 - exp(-P/g_w)) (1 - exp(-P/g_a)) (1 - exp(-P/g_kv)).

    Parameters
    ----------
    bits : P, of weights, activations and key-value cache alike
    g_w, g_a, g_kv : sensitivity of each [bits]
    """
    weights: Array = 1 - np.exp(-bits / g_w)
    others: Array = (1 - np.exp(-bits / g_a)) * (1 - np.exp(-bits / g_kv))
    return weights * others
