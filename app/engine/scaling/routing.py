"""Mixtures of experts: what experts are worth, by the routed law of Clark and by the joint law."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

_CLARK = "[1] Clark et al. 2022, arXiv 2202.01169, equations 1 and 2"
_JOINT = "[2] Ludziejewski et al. 2025, arXiv 2502.05172, equation 6 and table 3"


@quantity(unit="1", source=_CLARK)
def saturating_experts(*, experts: Array, e_start: Array, e_max: Array) -> Array:
    """Experts as they count, which level off.

    1/E^ = 1/(E - 1 + 1/(1/E_start - 1/E_max)) + 1/E_max.
    """
    return 1 / (1 / (experts - 1 + 1 / (1 / e_start - 1 / e_max)) + 1 / e_max)


@quantity(unit="nats/token", source=_CLARK)
def routed_loss(
    *, parameters: Array, saturating_experts: Array, a: Array, b: Array, c: Array, d: Array
) -> Array:
    """Loss of a routed model after the tokens of the study.

    log L = a log N + b log E^ + c log N log E^ + d, logarithms to base ten.

    Parameters
    ----------
    parameters : N of the dense model that experts are added to
    """
    size, experts = np.log10(parameters), np.log10(saturating_experts)
    return 10 ** (a * size + b * experts + c * size * experts + d)


@quantity(unit="1", source=_CLARK)
def effective_dense_parameters(
    *, parameters: Array, saturating_experts: Array, e_start: Array, a: Array, b: Array, c: Array
) -> Array:
    """Parameters of the dense model with the loss of a routed one.

    log N' = (a log N + (b + c log N) log E^ - b log E_start) / (a + c log E_start).
    """
    size, experts, one = np.log10(parameters), np.log10(saturating_experts), np.log10(e_start)
    return 10 ** ((a * size + (b + c * size) * experts - b * one) / (a + c * one))


@quantity(unit="1", source=_JOINT)
def joint_prefactor(*, saturating_experts: Array, prefactor: Array, experts_exponent: Array) -> Array:
    """Prefactor of a term of the joint law.

    m = a E^^delta of the parameters, n = b E^^omega of the tokens.
    """
    return prefactor * saturating_experts**experts_exponent


@quantity(unit="1", source=_JOINT)
def joint_exponent(*, saturating_experts: Array, exponent: Array, interaction: Array) -> Array:
    """Exponent of a term of the joint law.

    mu = alpha + gamma ln E^ of the parameters, nu = beta + zeta ln E^ of the tokens.
    """
    return exponent + interaction * np.log(saturating_experts)


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
