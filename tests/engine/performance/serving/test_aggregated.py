"""Prefill and decode by turns: what requests cost each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving import memory_cases as cases
from tests.engine.performance.serving.speed_cases import load, prompt, step, together

LAYOUT = cases.layout(tp=8)


def test_alone_a_token_takes_a_step() -> None:
    found = together(cases.llama_70b(), load(1))
    assert found.tpot_s[0] == pytest.approx(step(cases.llama_70b(), LAYOUT, context=1536).step_s[0], rel=1e-9)
    assert found.ttft_s[0] == pytest.approx(prompt(cases.llama_70b(), LAYOUT).alone_s[0], rel=1e-9)


def test_prefill_of_others_lies_between_tokens() -> None:
    """63 others of 1,024 tokens: one ends every 16 tokens or so, and the prefill of the next comes between."""
    without = together(cases.llama_70b(), load(64))
    with_it = together(cases.llama_70b(), load(64), prefill_interference=1)
    cost = with_it.prefill_cost_s[0]
    assert with_it.tpot_s[0] - without.tpot_s[0] == pytest.approx(63 / 1024 * cost, rel=1e-9)


def test_more_than_memory_holds_wait_for_a_place() -> None:
    """30 in flight where 10 fit: two whole answers of waiting."""
    found = together(cases.llama_70b(), load(30), limit=10)
    assert found.running[0] == 10
    assert found.ttft_parts_s["place_wait"][0] == pytest.approx(2 * 1024 * found.tpot_s[0])


@pytest.mark.parametrize("output", [1, 2, 16, 1024])
@pytest.mark.parametrize("concurrency", [1, 48, 256])
def test_littles_law_holds(output: float, concurrency: float) -> None:
    """However short the answers: what does not decode waits before its prefill."""
    found = together(
        deepseek_v3(), load(concurrency, output=output), prefill_interference=1, first_token_prefills=1
    )
    in_flight = found.requests_per_s * (found.ttft_s + (output - 1) * found.tpot_s)
    assert in_flight[0] == pytest.approx(concurrency)
    assert found.requests_per_s[0] * found.prefill_cost_s[0] <= 1.001 or concurrency == 1
    assert found.output_tokens_per_s[0] == pytest.approx(output * found.requests_per_s[0])


def test_one_request_meets_no_other() -> None:
    found = together(
        deepseek_v3(), load(1, tokens=1e5, output=2), prefill_interference=1, first_token_prefills=1
    )
    assert found.tpot_parts_s["prefill_interference"][0] == 0
    assert found.ttft_s[0] == pytest.approx(prompt(deepseek_v3(), LAYOUT, tokens=1e5).alone_s[0])


def test_steady_traffic_has_no_burst() -> None:
    steady, burst = (
        together(cases.llama_70b(), load(64, burst=size), burst_share=0.06) for size in (0.0, 1.0)
    )
    assert steady.ttft_parts_s["burst_wait"][0] == 0
    assert burst.ttft_parts_s["burst_wait"][0] == pytest.approx(0.06 * 63 * burst.prefill_cost_s[0])


def test_guessing_pays_where_guesses_stand() -> None:
    """One of 0.9 acceptance at small batch: nearly 1.9 tokens for the reads of one; a layer of 80 and the head more."""
    plain = together(cases.llama_70b(), load(1))
    guessing = together(cases.llama_70b(), load(1), guessed=1, acceptance=0.9)
    head = plain.tpot_parts_s["output_head"][0] / plain.tpot_s[0]
    assert plain.tpot_s[0] / guessing.tpot_s[0] == pytest.approx(1.9 / (1 + 1 / 80 + head), rel=0.01)


def test_two_tokens_of_one_sequence_use_twice_the_experts() -> None:
    plain = together(deepseek_v3(), load(1))
    guessing = together(deepseek_v3(), load(1), guessed=1, acceptance=0.9)
    assert 1 < plain.tpot_s[0] / guessing.tpot_s[0] < 1.5


@pytest.mark.slow
@given(
    concurrency=st.floats(1, 2000),
    more=st.floats(1, 5),
    model=st.sampled_from(["dense", "experts"]),
)
def test_more_load_never_makes_anybody_faster(concurrency: float, more: float, model: str) -> None:
    of_name = {"dense": cases.llama_70b, "experts": deepseek_v3}[model]()
    found = together(
        of_name, load([concurrency, concurrency * more]), limit=500, prefill_interference=1, expert_spread=0.7
    )
    assert found.tpot_s[1] >= found.tpot_s[0] * (1 - 1e-9)
    assert found.ttft_s[1] >= found.ttft_s[0] * (1 - 1e-9)


@pytest.mark.slow
@given(concurrency=st.floats(1, 2000))
def test_parts_sum_to_both_times(concurrency: float) -> None:
    found = together(
        deepseek_v3(), load(concurrency, burst=1), limit=300, prefill_interference=1, first_token_overhead_s=0.03,
        first_token_steps=2, first_token_prefills=1, burst_share=0.06,
    )  # fmt: skip
    assert sum(part[0] for part in found.tpot_parts_s.values()) == pytest.approx(found.tpot_s[0], rel=1e-12)
    assert sum(part[0] for part in found.ttft_parts_s.values()) == pytest.approx(found.ttft_s[0], rel=1e-12)


def test_many_layouts_in_one_call_give_what_each_gives() -> None:
    batches = np.array([1.0, 8.0, 64.0, 512.0])
    found = together(deepseek_v3(), load(batches), limit=100, prefill_interference=1)
    for position, batch in enumerate(batches):
        alone = together(deepseek_v3(), load(batch), limit=100, prefill_interference=1)
        assert found.tpot_s[position] == pytest.approx(alone.tpot_s[0], rel=1e-12)
        assert found.ttft_s[position] == pytest.approx(alone.ttft_s[0], rel=1e-12)
