"""What a sequence keeps: published bytes per token, cutting over ranks, windows, states, shared prefixes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.kv_cache import prefix_bytes, request_bytes, sequence_held_bytes
from app.engine.specs import Architecture
from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving import memory_cases as cases
from tests.support import llama_3_1_405b, number


def held(model: Architecture, tokens: float, *, shared: float = 0, kv: float = 2, **layout: float) -> float:
    return float(
        sequence_held_bytes(
            architecture=model,
            layout=cases.layout(**layout),
            parts=cases.parts(kv=kv),
            sequence_tokens=number(tokens),
            shared_tokens=number(shared),
            assumptions=cases.assumed(),
        )[0]
    )


@pytest.mark.parametrize(
    ("model", "per_token"),
    [(llama_3_1_405b(), 516_096), (cases.llama_70b(), 327_680), (deepseek_v3(), 70_272)],
)
def test_bytes_per_token_as_published(model: Architecture, per_token: float) -> None:
    """16 bit; 2 x 126 x 8 x 128 x 2, 2 x 80 x 8 x 128 x 2 and 61 x (512 + 64) x 2."""
    assert held(model, 1600) == 1600 * per_token


def test_heads_are_cut_and_latents_are_not() -> None:
    assert held(cases.llama_70b(), 1600, tp=8) == 1600 * 327_680 / 8
    assert held(cases.llama_70b(), 1600, tp=16) == 1600 * 327_680 / 8  # no more parts than heads
    assert held(deepseek_v3(), 1600, tp=8) == 1600 * 70_272
    assert held(deepseek_v3(), 1600, kv=1) == 1600 * 35_136


def test_blocks_are_whole() -> None:
    assert held(deepseek_v3(), 1) == held(deepseek_v3(), 16) == 16 * 70_272
    assert held(deepseek_v3(), 17) == 32 * 70_272
    assert held(deepseek_v3(), 0) == 0


def test_window_layers_hold_their_window() -> None:
    """gpt-oss: 18 of 36 layers see 128 tokens; 2 x 8 x 64 elements of 2 bytes a layer and token."""
    assert held(cases.gpt_oss(), 16_000) == (18 * 16_000 + 18 * 128) * 2048
    assert held(cases.gpt_oss(), 64) == 36 * 64 * 2048


def test_states_do_not_grow() -> None:
    """Qwen3.5: 45 states of 64 x 128 x 128 elements, and 15 layers of keys and values."""
    state = 45 * 1_048_576 * 4
    assert held(cases.hybrid(), 1600) == state + 15 * 1600 * 2 * 2 * 256 * 2
    assert held(cases.hybrid(), 0) == state
    assert held(cases.hybrid(), 0, tp=8) == state / 8


def test_index_keys_are_beside_the_latent() -> None:
    sparse = replace(deepseek_v3(), sparse_tokens=number(2048), index_elements=number(128))
    assert held(sparse, 1600, kv=1, tp=4) == 1600 * (35_136 + 61 * 132)


def test_stages_hold_their_layers() -> None:
    """61 layers on 4 stages: the fullest has 16."""
    assert held(deepseek_v3(), 1600, pp=4) == pytest.approx(1600 * 70_272 * 16 / 61)


def test_shared_prefix_is_held_once() -> None:
    """100 tokens fill 6 blocks of 16."""
    model = cases.gpt_oss()
    once = prefix_bytes(
        architecture=model,
        layout=cases.layout(),
        parts=cases.parts(),
        shared_tokens=number(100),
        assumptions=cases.assumed(),
    )[0]
    assert once == 18 * 96 * 2048
    assert held(model, 1600, shared=100) + once == held(model, 1600)
    assert held(model, 16, shared=100) == 18 * 16 * 2048  # of the layers with a window only


def test_request_is_counted_once_whatever_the_layout() -> None:
    arguments = {"parts": cases.parts(kv=1), "sequence_tokens": number(1600), "assumptions": cases.assumed()}
    assert request_bytes(architecture=deepseek_v3(), **arguments)[0] == 1600 * 35_136
    assert request_bytes(architecture=cases.hybrid(), **arguments)[0] == held(cases.hybrid(), 1600, kv=1)


@pytest.mark.slow
@given(
    tokens=st.integers(0, 1_000_000), more=st.integers(0, 10_000), tensor=st.sampled_from([1, 2, 4, 8, 16])
)
def test_longer_sequences_keep_no_less(tokens: int, more: int, tensor: int) -> None:
    for model in (deepseek_v3(), cases.gpt_oss(), cases.hybrid()):
        assert held(model, tokens + more, tp=tensor) >= held(model, tokens, tp=tensor)
        assert held(model, tokens, tp=2 * tensor) <= held(model, tokens, tp=tensor)


def test_unknown_stays_unknown() -> None:
    assert np.isnan(held(deepseek_v3(), np.nan))
