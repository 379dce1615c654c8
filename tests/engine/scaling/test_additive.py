"""The additive form: by hand, at its limits, and as published."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.scaling.additive import (
    Coefficients,
    loss,
    optimal_parameters,
    parameters_exponent,
    training_flop,
)
from tests.engine.scaling.laws import array, curve, solved

SIMPLE = Coefficients(cap_a=8.0, alpha=1.0, cap_b=2.0, beta=1.0, irreducible=1.0)


def test_by_hand() -> None:
    """8/4 + 2/2 + 1; with equal exponents the best of K = N D is N = sqrt(4 K)."""
    assert loss(parameters=array(4.0), tokens=array(2.0), coefficients=SIMPLE) == 4.0
    assert training_flop(parameters=array(4.0), tokens=array(2.0)) == 48.0
    assert optimal_parameters(flops=array(48.0), coefficients=SIMPLE) == pytest.approx(np.sqrt(32))
    assert parameters_exponent(coefficients=SIMPLE) == 0.5


def test_without_end_only_the_irreducible_term_is_left() -> None:
    infinite = array(np.inf)
    assert loss(parameters=infinite, tokens=infinite, coefficients=SIMPLE) == 1.0
    assert loss(parameters=infinite, tokens=array(2.0), coefficients=SIMPLE) == 2.0


def test_the_refit_takes_18_4_tokens_a_parameter_at_the_compute_of_chinchilla() -> None:
    """Besiroglu et al. 2024; the paper's own approach 3 took 59 with the exponents of its source."""
    refit, biased = (solved(key, flops=5.76e23) for key in ("epoch_refit", "chinchilla_3"))
    assert refit.tokens / refit.parameters == pytest.approx(18.4, abs=0.05)
    assert biased.tokens / biased.parameters == pytest.approx(58.9, abs=0.1)


def test_the_refit_shares_compute_nearly_evenly() -> None:
    """a = 0.513, Besiroglu et al. 2024."""
    assert parameters_exponent(coefficients=curve("epoch_refit").coefficients) == pytest.approx(
        0.513, abs=1e-3
    )


@pytest.mark.parametrize(
    ("parameters", "tokens", "expected"),
    [(7e10, 1.4e12, 1.974), (2.8e11, 3e11, 2.000), (1.75e11, 3e11, 2.009), (4.05e11, 1.56e13, 1.893)],
)
def test_losses_of_known_models(parameters: float, tokens: float, expected: float) -> None:
    """Chinchilla, Gopher, GPT-3 and Llama 3.1 405B by the refit."""
    assert solved("epoch_refit", parameters=parameters, tokens=tokens).loss == pytest.approx(
        expected, abs=6e-4
    )


def test_kaplan() -> None:
    """Twice the parameters leave 0.95 of the loss; 1e9 of them 2.376 nats with tokens without end."""
    kaplan, infinite = curve("kaplan"), array(np.inf)
    one, two = (kaplan.loss(array(size), infinite) for size in (1e9, 2e9))
    assert one == pytest.approx(2.376, abs=5e-4)
    assert two / one == pytest.approx(0.95, abs=2e-3)
    assert kaplan.optimal_parameters(array(8.64e19)) == pytest.approx(1.3e9)
    assert kaplan.loss(infinite, array(5.4e13)) == pytest.approx(1.0)
