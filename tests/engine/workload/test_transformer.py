"""Parameter counts against published models and against counting by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.specs import Architecture
from app.engine.workload.transformer import parameter_counts, parameters
from tests.support import build, llama_3_1_405b

NONE = dict.fromkeys(
    (
        "experts", "experts_per_token", "shared_experts", "expert_hidden", "expert_layers",
        "latent_query_rank", "latent_kv_rank", "latent_nope_dim", "latent_rope_dim", "latent_value_dim",
        "window_layers", "window_tokens", "published_parameters",
    ),
    0,
)  # fmt: skip
DEEPSEEK_LATENT = {
    "attention": "mla", "kv_heads": 1, "head_dim": 192, "latent_query_rank": 1536, "latent_kv_rank": 512,
    "latent_nope_dim": 128, "latent_rope_dim": 64, "latent_value_dim": 128,
}  # fmt: skip


def model(layers: int, hidden: int, heads: int, inner: int, vocabulary: int, **other: object) -> Architecture:
    values: dict[str, object] = NONE | {
        "key": "", "name": "", "attention": "gqa", "layers": layers, "attention_layers": layers,
        "hidden": hidden, "heads": heads, "kv_heads": heads, "head_dim": hidden / heads,
        "vocabulary": vocabulary, "tied_embedding": 0, "feed_forward_hidden": inner, "mlp_matrices": 3,
    }  # fmt: skip
    return build(Architecture, **(values | other))


def experts(count: int, per_token: int, inner: int, layers: int, shared: int = 0) -> dict[str, object]:
    return {
        "experts": count, "experts_per_token": per_token, "expert_hidden": inner, "expert_layers": layers,
        "shared_experts": shared,
    }  # fmt: skip


PUBLISHED = {
    "GPT-2 XL": (model(48, 1600, 25, 6400, 50257, tied_embedding=1, mlp_matrices=2), 1.558e9, None),
    "GPT-3 175B": (model(96, 12288, 96, 49152, 50257, tied_embedding=1, mlp_matrices=2), 174.6e9, None),
    "PaLM 540B": (
        model(118, 18432, 48, 73728, 256000, tied_embedding=1, kv_heads=1, head_dim=256), 540.35e9, None,
    ),
    "Llama 3.1 8B": (model(32, 4096, 32, 14336, 128256, kv_heads=8), 8.03e9, None),
    "Llama 3.1 70B": (model(80, 8192, 64, 28672, 128256, kv_heads=8), 70.55e9, None),
    "Gemma 3 27B": (
        model(62, 5376, 32, 21504, 262144, tied_embedding=1, kv_heads=16, head_dim=128), 27.0e9, None,
    ),
    "Mixtral 8x7B": (
        model(32, 4096, 32, 14336, 32000, kv_heads=8, **experts(8, 2, 14336, 32)), 46.7e9, 12.9e9,
    ),
    "gpt-oss-120b": (
        model(36, 2880, 64, 2880, 201088, kv_heads=8, head_dim=64, **experts(128, 4, 2880, 36)),
        116.83e9, 5.71e9,
    ),
    "Llama 4 Maverick": (
        model(48, 5120, 40, 16384, 202048, kv_heads=8, **experts(128, 1, 8192, 24, 1)), 400e9, 17e9,
    ),
    "Qwen3 235B-A22B": (
        model(94, 4096, 64, 12288, 151936, kv_heads=4, head_dim=128, **experts(128, 8, 1536, 94)),
        235e9, 22e9,
    ),
    "DeepSeek-V2": (
        model(60, 5120, 128, 12288, 102400, **DEEPSEEK_LATENT, **experts(160, 6, 1536, 59, 2)), 236e9, 21e9,
    ),
    "DeepSeek-V3": (
        model(61, 7168, 128, 18432, 129280, **DEEPSEEK_LATENT, **experts(256, 8, 2048, 58, 1)), 671e9, 37e9,
    ),
    "Kimi K2": (
        model(61, 7168, 64, 18432, 163840, **DEEPSEEK_LATENT, **experts(384, 8, 2048, 60, 1)),
        1.04e12, 32e9,
    ),
    "Chinchilla": (
        model(80, 8192, 64, 32768, 32000, tied_embedding=1, mlp_matrices=2, attention="mha_relative"),
        70e9, None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_models(name: str) -> None:
    architecture, total, active = PUBLISHED[name]
    counts = parameter_counts(architecture=architecture)
    assert counts.total[0] == pytest.approx(total, rel=0.015)
    if active:
        assert counts.active[0] == pytest.approx(active, rel=0.03)
    else:
        assert counts.active[0] == counts.total[0]


def test_llama_405b_by_hand() -> None:
    """16384 x (128 + 16) x 128 + 128 x 128 x 16384, 3 x 16384 x 53248, 2 x 128256 x 16384."""
    counts = parameter_counts(architecture=llama_3_1_405b())
    assert counts.attention[0] == 570_425_344
    assert counts.feed_forward[0] == 2_617_245_696
    assert counts.total[0] == 126 * (570_425_344 + 2_617_245_696) + 2 * 128256 * 16384
    assert parameters(architecture=llama_3_1_405b())[0] == counts.total[0]


def test_parts_of_a_layer_sum_to_the_model() -> None:
    """DeepSeek-V3: three dense layers, 58 with experts."""
    architecture = PUBLISHED["DeepSeek-V3"][0]
    counts = parameter_counts(architecture=architecture)
    layers = 3 * counts.dense_layer + 58 * counts.expert_layer
    assert (layers + 2 * counts.embedding)[0] == pytest.approx(counts.total[0], rel=1e-12)
    active = 3 * counts.dense_layer + 58 * counts.active_expert_layer
    assert (active + 2 * counts.embedding)[0] == pytest.approx(counts.active[0], rel=1e-12)


def test_latent_attention_without_query_rank() -> None:
    """DeepSeek-V2-Lite has rank 0: the query comes straight from the residual stream."""
    ranked = DEEPSEEK_LATENT | {"latent_query_rank": 0}
    counts = parameter_counts(architecture=model(1, 2048, 16, 10944, 102400, **ranked))
    expected = 2048 * 16 * 192 + 2048 * 576 + 512 * 16 * 256 + 16 * 128 * 2048
    assert counts.attention[0] == expected


@given(kv_heads=st.sampled_from([1, 2, 4, 8, 16, 32]))
def test_fewer_key_value_heads_never_add_parameters(kv_heads: int) -> None:
    full = parameters(architecture=model(4, 4096, 32, 16384, 32000))
    assert parameters(architecture=model(4, 4096, 32, 16384, 32000, kv_heads=kv_heads))[0] <= full[0]


def test_arrays_of_models() -> None:
    """Shapes pass through: three depths at once."""
    architecture = model(1, 4096, 32, 16384, 32000)
    deep = build(
        Architecture,
        **{
            name: getattr(architecture, name)
            for name in Architecture.__dataclass_fields__
            if name != "layers"
        },
        layers=np.array([[1.0], [2.0], [3.0]]),
    )
    assert parameter_counts(architecture=deep).total.shape == (3, 1)


def test_recurrent_layers_count_beside_attention() -> None:
    """Nemotron-3-Nano: 23 Mamba-2, 23 expert and 6 attention layers come to 31.6 thousand million."""
    recurrence = 2688 * 10304 + 4 * 6144 + 4096 * 2688
    hybrid = model(
        52, 2688, 32, 0, 131072, attention="gqa+mamba2", attention_layers=6, kv_heads=2, head_dim=128, mlp_matrices=2,
        linear_layers=23, linear_layer_parameters=recurrence, **experts(128, 6, 1856, 23, 2),
    )  # fmt: skip
    assert parameters(architecture=hybrid)[0] == pytest.approx(31.578e9, rel=1e-4)
    without = replace(hybrid, linear_layers=np.zeros(1))
    lacking = parameters(architecture=hybrid)[0] - parameters(architecture=without)[0]
    assert lacking == pytest.approx(23 * recurrence)


def test_a_model_has_no_recurrent_layers_unless_it_says_so() -> None:
    assert model(4, 64, 8, 256, 1000).linear_layers[0] == 0
