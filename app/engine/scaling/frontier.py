"""Laws that say how compute is best spent without saying what loss it buys: a power of compute."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_TABLE = "[1] Hoffmann et al. 2022, arXiv 2203.15556, section 3"


@quantity(unit="1", source=_TABLE)
def frontier_parameters(
    *, flops: Array, anchor_flops: Array, anchor_parameters: Array, exponent: Array
) -> Array:
    """Best parameters on a frontier.

    N = N1 (C/C1)^a, through the anchor (C1, N1).
    """
    return anchor_parameters * (flops / anchor_flops) ** exponent


@quantity(unit="1", source=_TABLE)
def table_exponent(
    *, first_parameters: Array, first_flops: Array, last_parameters: Array, last_flops: Array
) -> Array:
    """Slope of a printed frontier.

    a = ln(N2/N1) / ln(C2/C1): sharper than exponents rounded to two digits.
    """
    return np.log(last_parameters / first_parameters) / np.log(last_flops / first_flops)


@quantity(unit="1", source=_TABLE)
def tokens_growth(*, parameters_growth: Array, tokens_per_parameters_exponent: Array) -> Array:
    """Times the tokens that so many times the parameters ask for.

    g^x: x = (1 - a)/a on a compute-optimal frontier, 0.74 under Kaplan to keep overfitting away.
    """
    return parameters_growth**tokens_per_parameters_exponent
