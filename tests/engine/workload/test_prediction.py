"""Multi-token prediction: what the modules of DeepSeek-V3 hold and multiply, and none at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.engine.workload.flops import flop_counts
from app.engine.workload.prediction import PredictionModules, module_layer, prediction_modules
from app.engine.workload.transformer import parameter_counts
from tests.engine.performance import cases
from tests.support import llama_3_1_405b, number


def _modules(count: float, architecture: cases.Architecture | None = None) -> PredictionModules:
    m = architecture or cases.deepseek_v3()
    counts = parameter_counts(architecture=m)
    return prediction_modules(
        architecture=m,
        counts=counts,
        flops=flop_counts(architecture=m, counts=counts, sequence_length=number(4096)),
        modules=number(count),
        sequence_length=number(4096),
    )


def test_deepseek_v3_as_published() -> None:
    """11.5B parameters of their own, 0.9B of embedding and of head shared: DeepSeek-V3, README_WEIGHTS."""
    found = _modules(1)
    assert found.parameters[0] == pytest.approx(11.5e9, rel=0.02)
    assert found.dense + found.routed == found.parameters


def test_a_dense_module_by_hand() -> None:
    """Llama 405B: attention 16384 x (128 + 16 + 128) x 128, feed-forward 3 x 16384 x 53248, projection 2 x 16384^2."""
    layer, projection = 16384 * 272 * 128 + 3 * 16384 * 53248, 2 * 16384**2
    found = _modules(2, llama_3_1_405b())
    assert found.parameters[0] == 2 * (layer + projection)
    assert found.routed[0] == 0
    attention = 2 * 128 * (128 + 128) * 2048
    by_hand = 2 * (layer + projection + 128256 * 16384) + attention
    assert found.forward_flop_per_token[0] == pytest.approx(2 * by_hand, rel=1e-14)


def test_modules_add_up() -> None:
    one, three = _modules(1), _modules(3)
    for name in ("parameters", "dense", "routed", "forward_flop_per_token", "weight_layers"):
        assert getattr(three, name)[0] == pytest.approx(3 * getattr(one, name)[0])
        assert getattr(_modules(0), name)[0] == 0


def test_a_module_weighs_its_flops_in_layers() -> None:
    """DeepSeek-V3: 2 (585 + 103 + 927) M + 168 M over 2 x 585 M + 168 M of a mean layer, 2.5: three layers."""
    assert _modules(1).weight_layers[0] == 3
    # A layer of Llama 405B is larger than its head and projection together.
    assert _modules(1, llama_3_1_405b()).weight_layers[0] == 2


def test_the_layer_of_a_module_is_one_of_the_model() -> None:
    layer = module_layer(cases.deepseek_v3())
    assert (layer.layers[0], layer.attention_layers[0], layer.expert_layers[0]) == (1, 1, 1)
    dense = module_layer(cases.gpt(24, 2048, 16))
    assert dense.expert_layers[0] == 0
    windows = replace(cases.gpt(24, 2048, 16), window_layers=number(12), window_tokens=number(512))
    assert module_layer(windows).window_layers[0] == 0
    assert module_layer(replace(windows, window_layers=number(24))).window_layers[0] == 1
