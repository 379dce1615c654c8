"""Tokens seen again, and parameters beyond what the tokens feed: worth less and less."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_MUENNIGHOFF = "[1] Muennighoff et al. 2023, arXiv 2305.16264, equations 5 and 6"


@quantity(unit="1", source=_MUENNIGHOFF)
def effective_amount(*, total: Array, unique: Array, decay: Array) -> Array:
    """Fresh amount that a repeated one is worth.

    U + U R* (1 - exp(-R/R*)), R = total/U - 1: a repetition is worth 1/e less after R* of them.

    Parameters
    ----------
    total : tokens seen, or parameters
    unique : U of them: unique tokens, or the parameters that unique tokens feed
    decay : R*
    """
    fresh = np.minimum(total, unique)
    repetitions = total / fresh - 1
    kept: Array = 1 - np.exp(-repetitions / decay)
    return fresh + fresh * decay * kept
