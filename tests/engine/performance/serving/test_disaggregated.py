"""Prefill and decode on instances of their own: the population that decodes, and what waits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving import memory_cases as cases
from tests.engine.performance.serving.speed_cases import apart, load, step

LAYOUT = cases.layout(tp=8)


def test_tokens_take_a_bare_step() -> None:
    """No prefill lies between the tokens of a decode instance."""
    found = apart(cases.llama_70b(), load(1), prefills=100)
    expected = step(cases.llama_70b(), LAYOUT, context=1536, sequences=found.running[0]).step_s[0]
    assert found.tpot_s[0] == pytest.approx(expected, rel=1e-9)


def test_keys_and_values_are_sent() -> None:
    """1,024 tokens of Llama 70B are 335.5 MB, over the links of 8 ranks of either instance.

    Groups beyond a domain of 72 send over the fabric, 50 GB/s a rank; within it over 900 GB/s.
    """
    found = apart(cases.llama_70b(), load(1), prefills=100)
    assert found.ttft_parts_s["kv_transfer"][0] == pytest.approx(1024 * 327680 / (8 * 5e10), rel=1e-9)
    near = apart(cases.llama_70b(), load(1), prefills=1, kv_transfer_bandwidth_share=0.5)
    assert near.ttft_parts_s["kv_transfer"][0] == pytest.approx(1024 * 327680 / (8 * 4.5e11), rel=1e-9)


def test_windows_and_states_are_sent_as_they_are_kept() -> None:
    """18 of 36 layers of gpt-oss keep 128 tokens at most."""
    found = apart(cases.gpt_oss(), load(1, tokens=8192), prefills=100)
    sent = (18 * 8192 + 18 * 128) * 2 * 8 * 64 * 2
    assert found.ttft_parts_s["kv_transfer"][0] == pytest.approx(sent / (8 * 5e10), rel=1e-6)


def test_prefill_limits_what_decodes() -> None:
    """One prefill instance and 64 decode instances: as many requests per second as it can take, and the rest queue."""
    found = apart(cases.llama_70b(), load(4096, output=64), decodes=64)
    assert found.requests_per_s[0] == pytest.approx(1 / found.prefill_cost_s[0], rel=0.01)
    assert found.ttft_parts_s["prefill_wait"][0] > 1


def test_the_fixed_point_is_one() -> None:
    """Little's law over the whole group: those in flight wait for their first token, or decode."""
    found = apart(deepseek_v3(), load(64), prefills=8, decodes=2)
    answer = 1024 * found.tpot_s[0]
    assert found.running[0] == pytest.approx(found.requests_per_s[0] * answer, rel=1e-9)
    assert found.requests_per_s[0] * (found.ttft_s[0] + answer) == pytest.approx(64, rel=0.02)


def test_memory_limits_what_decodes() -> None:
    found = apart(cases.llama_70b(), load(1000), prefills=100, decodes=2, limit=16)
    assert found.running[0] == pytest.approx(32, rel=0.01)
    takes = found.ttft_s + 1024 * found.tpot_s
    assert found.requests_per_s[0] * takes[0] == pytest.approx(1000, rel=0.01)  # the others wait for a place


@pytest.mark.slow
@given(concurrency=st.floats(1, 4000), more=st.floats(1, 4), prefills=st.integers(1, 8))
def test_more_load_never_lowers_what_is_answered(concurrency: float, more: float, prefills: int) -> None:
    found = apart(deepseek_v3(), load([concurrency, concurrency * more]), prefills=prefills, limit=400)
    assert found.output_tokens_per_s[1] >= found.output_tokens_per_s[0] * (1 - 1e-3)
    assert found.tpot_s[1] >= found.tpot_s[0] * (1 - 1e-3)


@pytest.mark.slow
@given(concurrency=st.floats(1, 4000))
def test_parts_sum_to_both_times(concurrency: float) -> None:
    found = apart(
        deepseek_v3(), load(concurrency, burst=1), disaggregated_overhead_s=0.05, disaggregated_burst=0.1
    )
    assert sum(part[0] for part in found.tpot_parts_s.values()) == pytest.approx(found.tpot_s[0], rel=1e-12)
    assert sum(part[0] for part in found.ttft_parts_s.values()) == pytest.approx(found.ttft_s[0], rel=1e-12)
