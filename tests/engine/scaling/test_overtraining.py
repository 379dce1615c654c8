"""The penalty of a model that is not compute-optimal."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.scaling.overtraining import penalty
from app.engine.scaling.solve import optimal
from tests.engine.scaling.laws import array, curve, solved


def test_an_optimal_model_pays_nothing() -> None:
    law = curve("epoch_refit")
    found = penalty(law, optimal(law, array(1e23)))
    assert found.tokens_per_parameter_ratio == pytest.approx(1)
    assert found.loss_above_optimal == pytest.approx(0, abs=1e-12)
    assert found.extra_compute_share == pytest.approx(0, abs=1e-6)


def test_llama_3_8b_is_over_trained() -> None:
    """15e12 tokens for 8e9 parameters, a hundred times the tokens of the optimum."""
    law, model = curve("epoch_refit"), solved("epoch_refit", parameters=8e9, tokens=15e12)
    found = penalty(law, model)
    assert 80 < found.tokens_per_parameter_ratio[0] < 130
    assert found.loss_above_optimal == pytest.approx(model.loss - optimal(law, model.flops).loss)
    least = model.flops / (1 + found.extra_compute_share)
    assert optimal(law, least).loss == pytest.approx(model.loss)
    assert found.extra_compute_share > 1


def test_a_law_without_minimum_cannot_tell() -> None:
    for key in ("kaplan", "chinchilla_1"):
        found = penalty(curve(key), solved(key, parameters=1e9, tokens=1e12))
        assert np.isnan(found.loss_above_optimal)
        assert found.tokens_per_parameter_ratio > 1
