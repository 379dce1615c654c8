"""From the constants of a law, as its source prints them, to those that its curve is computed with.

A dense transformer of a wanted size: how wide and how deep.

Loss hardly depends on the shape [1], so width over depth is a choice. GPT-3 175B has 12,288 over 96 layers,
128; Llama 3.1 405B 16,384 over 126, 130.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.engine.quantities import quantity
from app.engine.scaling.additive import Coefficients
from app.engine.scaling.curve import where_equal
from app.engine.scaling.frontier import table_exponent
from app.engine.scaling.law import ScalingLaw
from app.engine.scaling.routing import joint_exponent, joint_prefactor, saturating_experts
from app.engine.trace import Array


def additive_coefficients(law: ScalingLaw, laws: Mapping[str, ScalingLaw]) -> Coefficients:
    """Constants of L = E + A/N^alpha + B/D^beta, those of the base where a law takes them from there."""
    own = laws[law.base] if law.base else law
    return Coefficients(
        cap_a=own.value("cap_a"),
        alpha=own.value("alpha"),
        cap_b=own.value("cap_b"),
        beta=own.value("beta"),
        irreducible=own.value("cap_e"),
    )


def joint_coefficients(law: ScalingLaw, experts: float) -> Coefficients:
    """Constants of the joint law for so many experts: it is additive for each."""
    counted = counted_experts(law, experts)

    def term(prefactor: str, experts_exponent: str, exponent: str, interaction: str) -> tuple[float, float]:
        return (
            float(
                joint_prefactor(
                    saturating_experts=counted,
                    prefactor=np.array(law.value(prefactor)),
                    experts_exponent=np.array(law.value(experts_exponent)),
                )
            ),
            float(
                joint_exponent(
                    saturating_experts=counted,
                    exponent=np.array(law.value(exponent)),
                    interaction=np.array(law.value(interaction)),
                )
            ),
        )

    m, mu = term("a", "delta", "alpha", "gamma")
    n, nu = term("b", "omega", "beta", "zeta")
    return Coefficients(cap_a=m, alpha=-mu, cap_b=n, beta=-nu, irreducible=law.value("c"))


def repeated_coefficients(law: ScalingLaw) -> Coefficients:
    """Constants of the data-constrained law, which are fitted as logarithms."""
    cap_a, cap_b, cap_e = (float(np.exp(law.value(name))) for name in ("log_a", "log_b", "log_e"))
    alpha = law.value("alpha")
    return Coefficients(cap_a=cap_a, alpha=alpha, cap_b=cap_b, beta=alpha, irreducible=cap_e)


def slope(law: ScalingLaw) -> float:
    """Exponent of the printed frontier, from its first and last point."""
    first, last = law.points[0], law.points[-1]
    return float(
        table_exponent(
            first_parameters=np.array(first.parameters),
            first_flops=np.array(first.flops),
            last_parameters=np.array(last.parameters),
            last_flops=np.array(last.flops),
        )
    )


def counted_experts(law: ScalingLaw, experts: float) -> Array:
    """Experts as they count under a law, which level off."""
    found: Array = saturating_experts(
        experts=np.array(experts),
        e_start=np.array(law.value("e_start")),
        e_max=np.array(law.value("e_max")),
    )
    return found


_SHAPE = "[1] Kaplan et al. 2020, arXiv 2001.08361, sections 2.1 and 3.1"
WIDEST = 1e9  # of the search for the width
HEADS_TOGETHER = 8
"""Heads come in eights where there are as many, so that the accelerators of a server can share them."""


@quantity(unit="1", source=_SHAPE)
def shaped_parameters(*, hidden: Array, layers: Array, vocabulary: Array) -> Array:
    """Parameters of a dense transformer whose attention is as wide as its residual stream.

    N = 12 L h^2 + V h: 4 h^2 of attention and 8 h^2 of an MLP four times as wide in each layer, and an
    embedding that is the output head as well.

    Parameters
    ----------
    hidden : h, width of the residual stream
    layers : L
    vocabulary : V
    """
    return 12 * layers * hidden**2 + vocabulary * hidden


@quantity(unit="1", source=_SHAPE)
def layers_of_size(*, parameters: Array, hidden: Array, vocabulary: Array) -> Array:
    """Layers with which a width comes nearest to a size, one at least.

    L = (N - V h) / 12 h^2, rounded.
    """
    return np.maximum(np.round((parameters - vocabulary * hidden) / (12 * hidden**2)), 1)


def width_of_size(*, parameters: Array, aspect_ratio: Array, vocabulary: Array, head_dim: Array) -> Array:
    """Width of a model of a size whose width is so many times its layers, in whole heads or eights of them."""
    hidden = where_equal(
        lambda width: -shaped_parameters(hidden=width, layers=width / aspect_ratio, vocabulary=vocabulary),
        -np.asarray(parameters, dtype=float),
        low=1e-6,
        high=WIDEST,
    )
    step = np.where(hidden >= HEADS_TOGETHER * head_dim, HEADS_TOGETHER * head_dim, head_dim)
    found: Array = np.maximum(np.round(hidden / step), 1) * step
    return found
