"""Prefill of one prompt: by hand, in chunks, from the cache."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.performance.serving.attention_step import score_pairs
from app.engine.performance.serving.prefill import passes_shared, passes_together
from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving import memory_cases as cases
from tests.engine.performance.serving.speed_cases import prompt
from tests.support import number

DENSE = 70.553706496e9 - 2 * 128256 * 8192


def test_a_long_prompt_by_hand() -> None:
    """8,192 tokens of Llama 70B: 2 x 68.45e9 FLOP each at 1 PFLOP/s, and 80 layers of causal attention."""
    attention = 80 * 8192**2 / 2 * 4 * 64 * 128 / 2.5e15
    read = DENSE * 2 / 8e12
    found = prompt(cases.llama_70b(), tokens=8192)
    assert found.alone_s[0] == pytest.approx(2 * DENSE * 8192 / 1e15 + attention + read, rel=1e-3)


def test_prompts_that_share_a_pass_read_weights_half_and_once() -> None:
    """Eight prompts of 1,024 tokens fill a chunk of 8,192: each bears an eighth of half a read."""
    attention = 80 * 1024**2 / 2 * 4 * 64 * 128 / 2.5e15
    found = prompt(cases.llama_70b(), tokens=1024, waiting=64)
    expected = 2 * DENSE * 1024 / 1e15 + attention + 0.5 * DENSE * 2 / 8e12 / 8
    assert found.cost_s[0] == pytest.approx(expected, rel=1e-3)


def test_the_host_bounds_short_prompts() -> None:
    """800 kernels of 50 us are 40 ms however few the tokens, twice as many for two passes."""
    found = prompt(cases.llama_70b(), tokens=1, prefill_kernel_time_s=50e-6)
    assert found.alone_s[0] == pytest.approx(np.hypot(0.04, DENSE * 2 / 8e12), rel=0.01)
    assert prompt(cases.llama_70b(), tokens=8193, prefill_kernel_time_s=1).alone_s[0] == pytest.approx(
        1600, rel=0.01
    )


@pytest.mark.slow
@given(cached=st.floats(0, 1))
def test_the_cache_saves_and_never_costs(cached: float) -> None:
    without, with_cache = (
        prompt(deepseek_v3(), cases.layout(tp=8), tokens=4096, cached=share).alone_s[0]
        for share in (0, cached)
    )
    assert 0 < with_cache <= without * (1 + 1e-9)


def test_a_window_and_sparse_attention_end_the_square() -> None:
    sparse = dataclasses.replace(deepseek_v3(), sparse_tokens=number(2048))
    short, long = (prompt(sparse, tokens=tokens).alone_s[0] for tokens in (32768, 131072))
    full_short, full_long = (prompt(deepseek_v3(), tokens=tokens).alone_s[0] for tokens in (32768, 131072))
    assert long / short == pytest.approx(4, rel=0.02)
    assert full_long / full_short > 6


@pytest.mark.slow
@given(tokens=st.floats(1, 1e5), more=st.floats(1, 4), waiting=st.floats(1, 100))
def test_longer_prompts_never_take_less(tokens: float, more: float, waiting: float) -> None:
    short, long = (
        prompt(cases.llama_70b(), tokens=count, waiting=waiting, prefill_kernel_time_s=4e-5)
        for count in (tokens, tokens * more)
    )
    assert long.alone_s[0] >= short.alone_s[0] * (1 - 1e-9)
    assert long.cost_s[0] >= short.cost_s[0] * (1 - 1e-9)


def test_replicas_of_attention_work_on_prompts_at_once() -> None:
    """Eight replicas: one prompt alone has the attention of one rank, many prompts that of all."""
    found = prompt(deepseek_v3(), cases.layout(dp=8, ep=8), tokens=8192, waiting=64)
    assert found.alone_s[0] > 2 * found.cost_s[0]


def test_stages_work_on_different_prompts() -> None:
    whole, staged = (prompt(cases.llama_70b(), cases.layout(pp=pp), tokens=4096) for pp in (1, 4))
    assert staged.cost_s[0] == pytest.approx(whole.cost_s[0] / 4)
    assert staged.alone_s[0] == pytest.approx(whole.alone_s[0], rel=1e-3)  # and three hand-overs
    assert staged.alone_s[0] > whole.alone_s[0]


def shared(tokens: float, waiting: float, dp: float = 1) -> float:
    """Passes of each prompt in chunks of 8,192 tokens."""
    return float(passes_together(cases.layout(dp=dp), number(tokens), number(8192), number(waiting))[0])


def test_each_replica_of_attention_fills_its_own_chunk() -> None:
    """64 prompts of 8,192 tokens: 64 passes of one rank, 8 of eight; of 1,024 tokens 8 and one."""
    assert (shared(8192, 64), shared(8192, 64, dp=8)) == (1, 8 / 64)
    assert (shared(1024, 64), shared(1024, 64, dp=8)) == (1 / 8, 1 / 64)
    assert shared(32768, 1, dp=8) == 4  # one prompt has one replica
    assert shared(32768, 2, dp=8) == 2


@pytest.mark.slow
@given(tokens=st.floats(1, 1e5), waiting=st.floats(1, 1e9), dp=st.sampled_from([1, 2, 8, 32]))
def test_replicas_never_need_more_passes(tokens: float, waiting: float, dp: int) -> None:
    one = float(passes_shared(tokens=number(tokens), chunk_tokens=number(8192), waiting=number(waiting))[0])
    assert shared(tokens, waiting) == pytest.approx(one)
    assert one / dp * (1 - 1e-9) <= shared(tokens, waiting, dp=dp) <= one * (1 + 1e-9)


def test_the_index_of_sparse_attention_keeps_the_square() -> None:
    """61 layers of half of 131,072^2 pairs at 64 heads x 128 x 2 FLOP: 8.6 s at 1 PFLOP/s, on every rank alike."""
    sparse, unknown = (
        dataclasses.replace(
            deepseek_v3(),
            sparse_tokens=number(2048),
            index_elements=number(128),
            index_heads=number(heads),
        )
        for heads in (64, 0)
    )
    index = 61 * 131072**2 / 2 * 16384 / 1e15
    for layout in (cases.layout(), cases.layout(tp=8)):
        found, without = (prompt(model, layout, tokens=131072).alone_s[0] for model in (sparse, unknown))
        assert found - without == pytest.approx(index, rel=1e-6)
    spread = cases.layout(dp=8, ep=8)
    found, without = (
        prompt(model, spread, tokens=131072, waiting=64).cost_s[0] for model in (sparse, unknown)
    )
    assert found - without == pytest.approx(index / 8, rel=1e-6)


def test_pairs_of_a_window_by_hand() -> None:
    """Ten tokens with a window of four: 4^2 / 2 pairs until the window is full and 6 x 4 after, 32; whole 10^2 / 2."""
    common = {"attention_layers": number(2), "sparse_tokens": number(0), "new_tokens": number(10)}
    found = score_pairs(window_layers=number(1), window_tokens=number(4), cached_tokens=number(0), **common)
    assert found[0] == pytest.approx(32 + 50)
    later = score_pairs(window_layers=number(1), window_tokens=number(4), cached_tokens=number(6), **common)
    assert later[0] == pytest.approx(10 * 4 + 10 * (6 + 5))
