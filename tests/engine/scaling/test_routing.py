"""Experts: worth something, and less the more there are."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.scaling_laws import scaling_laws
from app.engine.scaling.coefficients import joint_coefficients
from app.engine.scaling.routing import effective_dense_parameters, routed_loss, saturating_experts
from tests.engine.scaling.laws import array


def constants(*names: str) -> dict[str, np.float64]:
    law = scaling_laws()["moe_routed"]
    return {name: np.float64(law.value(name)) for name in names}


def counted(experts: float) -> np.ndarray:
    return saturating_experts(experts=array(experts), **constants("e_start", "e_max"))


def test_one_expert_counts_as_the_start_and_many_as_the_most() -> None:
    assert counted(1) == pytest.approx(1.847)
    assert counted(1e12) == pytest.approx(314.478, rel=1e-6)


@pytest.mark.parametrize(
    ("parameters", "experts", "published"),
    [(1e7, 8, 2.388e7), (1e8, 64, 4.5933e8), (1e9, 8, 1.69e9), (7e10, 128, 1.1651e11), (2e11, 8, 2.2588e11)],
)
def test_dense_models_of_the_same_loss(parameters: float, experts: float, published: float) -> None:
    """Table of a public reproduction of Clark et al. 2022."""
    found = effective_dense_parameters(
        parameters=array(parameters),
        saturating_experts=counted(experts),
        **constants("e_start", "a", "b", "c"),
    )
    assert found == pytest.approx(published, rel=3e-3)
    losses = [
        routed_loss(parameters=size, saturating_experts=counted(number), **constants("a", "b", "c", "d"))
        for size, number in ((array(parameters), experts), (found, 1))
    ]
    assert losses[0] == pytest.approx(losses[1])


@pytest.mark.parametrize(
    ("experts", "m", "mu", "n", "nu"),
    [(1, 30.364, -0.1817, 53.9838, -0.1965), (8, 21.833, -0.1676, 119.9126, -0.2338), (16, 19.0159, -0.1617, 167.5073, -0.2494)],
)  # fmt: skip
def test_joint_law_as_printed(experts: float, m: float, mu: float, n: float, nu: float) -> None:
    """Ludziejewski et al. 2025, table 4, from the five digits of table 3."""
    found = joint_coefficients(scaling_laws()["moe_joint"], experts)
    assert (found.cap_a, -found.alpha, found.cap_b, -found.beta) == pytest.approx((m, mu, n, nu), rel=4e-3)
