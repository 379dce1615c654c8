"""From the constants of a law, as its source prints them, to those that its curve is computed with."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.engine.scaling.additive import Coefficients
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
