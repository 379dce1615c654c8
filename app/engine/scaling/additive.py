"""The form that most laws share: one term for too few parameters, one for too few tokens, and what remains.

L = E + (A N^-alpha + B D^-beta)^p, with p = 1 but for Kaplan [1], whose E is 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.scaling.law import FLOP_PER_PARAMETER_AND_TOKEN
from app.engine.trace import Array

_HOFFMANN = "[1] Kaplan et al. 2020, arXiv 2001.08361, equation 1.5; [2] Hoffmann et al. 2022, arXiv 2203.15556, equation 10"


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficients:
    """Constants of the form, as numbers or arrays of one shape."""

    cap_a: Array | float
    alpha: Array | float
    cap_b: Array | float
    beta: Array | float
    irreducible: Array | float
    power: float = 1.0


@quantity(unit="FLOP", source="[1] Kaplan et al. 2020, arXiv 2001.08361, table 1")
def training_flop(*, parameters: Array, tokens: Array) -> Array:
    """Compute of a training run.

    C = 6 N D, N the active parameters.
    """
    return FLOP_PER_PARAMETER_AND_TOKEN * parameters * tokens


@quantity(unit="nats/token", source=_HOFFMANN)
def loss(*, parameters: Array, tokens: Array, coefficients: Coefficients) -> Array:
    """Loss of a model.

    L = E + (A N^-alpha + B D^-beta)^p.

    Parameters
    ----------
    parameters : N, active
    tokens : D of the training run [tokens]
    """
    c = coefficients
    return c.irreducible + (c.cap_a * parameters**-c.alpha + c.cap_b * tokens**-c.beta) ** c.power


@quantity(unit="1", source="[2] Hoffmann et al. 2022, arXiv 2203.15556, equation 4")
def optimal_parameters(*, flops: Array, coefficients: Coefficients) -> Array:
    """Parameters of the lowest loss that compute buys.

    N = G (C/6)^(beta/(alpha + beta)), G = (alpha A / (beta B))^(1/(alpha + beta)).

    Parameters
    ----------
    flops : C of the training run [FLOP]
    """
    c = coefficients
    both = c.alpha + c.beta
    balance = (c.alpha * c.cap_a / (c.beta * c.cap_b)) ** (1 / both)
    return balance * (flops / FLOP_PER_PARAMETER_AND_TOKEN) ** (c.beta / both)


@quantity(unit="1", source="[2] Hoffmann et al. 2022, arXiv 2203.15556, equation 4")
def parameters_exponent(*, coefficients: Coefficients) -> Array:
    """Exponent of the best parameters in compute.

    a = beta / (alpha + beta).
    """
    both: Array = np.add(coefficients.alpha, coefficients.beta)
    return coefficients.beta / both
