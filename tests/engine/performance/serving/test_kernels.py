"""Kernels of a pass by kind of layer, and how engines of later dates start them."""

from __future__ import annotations

import dataclasses

import pytest

from app.engine.performance.serving.kernels import kernels_of, speedup_of
from app.engine.performance.serving.served_model import served_model
from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving import memory_cases as cases
from tests.engine.performance.serving.speed_cases import YEAR, roofline
from tests.support import number


def test_dense_layers() -> None:
    """Llama 70B: 80 layers of 6 kernels of attention and 4 of a feed-forward block."""
    assert kernels_of(served_model(cases.llama_70b()), roofline())[0] == 800


def test_latent_attention_and_experts() -> None:
    """DeepSeek-V3: 61 x 13 of latent attention, 3 dense layers of 4, 58 of experts with 10 and 4 for the shared."""
    assert kernels_of(served_model(deepseek_v3()), roofline())[0] == 61 * 13 + 3 * 4 + 58 * 14


def test_recurrent_layers() -> None:
    assert kernels_of(served_model(cases.hybrid()), roofline())[0] == 15 * 6 + 45 * 16 + 60 * 14


@pytest.mark.parametrize(("norm", "more"), [(0, 0), (1, 1), (2, 6)])
def test_norms_of_queries_and_keys(norm: float, more: float) -> None:
    model = dataclasses.replace(cases.llama_70b(), query_key_norm=number(norm))
    assert kernels_of(served_model(model), roofline())[0] == 800 + 80 * more


def test_sparse_attention_chooses_first() -> None:
    model = dataclasses.replace(deepseek_v3(), sparse_tokens=number(2048))
    dense = kernels_of(served_model(deepseek_v3()), roofline())[0]
    assert kernels_of(served_model(model), roofline())[0] == dense + 61 * 6


def test_quantisation_adds_kernels_to_every_layer() -> None:
    model = served_model(cases.llama_70b())
    assert kernels_of(model, roofline(quantise_kernels=2))[0] == 800 + 160


@pytest.mark.parametrize(
    ("year", "expected"),
    [
        (YEAR, 1),
        (YEAR + 0.5, 0.8187308),
        (YEAR + 9, 0.7866279),
        (YEAR - 0.1, 1.0408108),
        (YEAR - 9, 1.1274969),
    ],
)
def test_later_engines_are_faster_between_the_dates_that_were_measured(year: float, expected: float) -> None:
    """e^(-0.4 x 0.5); beyond 0.6 years nothing more is gained, and 0.3 years before nothing is worse."""
    assert speedup_of(roofline(kernel_gain_per_year=0.4), number(year))[0] == pytest.approx(expected)
