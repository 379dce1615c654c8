"""One decode step: by hand, at its limits, and what never may happen."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.specs import ServingLayout
from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving import memory_cases as cases
from tests.engine.performance.serving.speed_cases import YEAR, step
from tests.support import number


def test_one_sequence_reads_every_weight_once() -> None:
    """Llama 70B in 16 bit at 8 TB/s: 68.45e9 parameters of layers in 17.1 ms, of the output head in 0.26 ms."""
    found = step(cases.llama_70b(), context=1)
    dense = (70.553706496e9 - 2 * 128256 * 8192) * 2 / 8e12
    assert found.parts_s["dense_matmul"][0] == pytest.approx(dense, rel=1e-4)
    assert found.parts_s["output_head"][0] == pytest.approx(128256 * 8192 * 2 / 8e12, rel=1e-4)
    assert found.step_s[0] == pytest.approx(dense + 128256 * 8192 * 2 / 8e12, rel=1e-3)


def test_many_sequences_are_bound_by_arithmetic() -> None:
    """At 100,000 sequences the weights cost nothing beside 2 FLOP for each and token."""
    found = step(cases.llama_70b(), sequences=1e5, context=1)
    dense = 70.553706496e9 - 2 * 128256 * 8192
    assert found.parts_s["dense_matmul"][0] == pytest.approx(2 * dense * 1e5 / 1e15, rel=1e-4)


def test_keys_and_values_are_read_for_each_sequence() -> None:
    """2 x 8 heads x 128 x 80 layers x 2 B = 327,680 B a token: 64 sequences of 4,096 are 86 GB, 10.7 ms."""
    found = step(cases.llama_70b(), sequences=64, context=4096)
    assert found.parts_s["attention"][0] == pytest.approx(64 * 4096 * 327680 / 8e12, rel=1e-3)


def test_latents_are_read_whole_by_every_rank() -> None:
    one, eight = (
        step(deepseek_v3(), cases.layout(tp=tp), sequences=8, context=8192).parts_s["attention"][0]
        for tp in (1, 8)
    )
    spread = step(deepseek_v3(), cases.layout(dp=8), sequences=8, context=8192).parts_s["attention"][0]
    assert eight > 0.8 * one  # arithmetic is shared, reading is not
    assert spread == pytest.approx(one / 8, rel=0.01)


def test_windows_end_what_a_layer_reads() -> None:
    """gpt-oss: 18 of 36 layers read 128 tokens at most."""
    short, long = (
        step(cases.gpt_oss(), sequences=8, context=tokens).parts_s["attention"][0] for tokens in (1e4, 1e5)
    )
    assert long / short == pytest.approx((18 * 1e5 + 18 * 128) / (18 * 1e4 + 18 * 128), rel=1e-3)


def test_recurrent_layers_read_their_state_however_long_the_sequence() -> None:
    """45 layers x 1,048,576 elements x 4 B, read and written, of 64 sequences: 24.2 GB."""
    found = step(cases.hybrid(), sequences=64, context=1).parts_s["attention"][0]
    assert found == pytest.approx(64 * 2 * 45 * 1048576 * 4 / 8e12, rel=0.01)


def test_experts_in_use_are_read() -> None:
    """One token of DeepSeek-V3 uses 8 experts of 44 million parameters in each of 58 layers."""
    found = step(deepseek_v3(), sequences=1)
    assert found.parts_s["experts"][0] == pytest.approx(58 * 8 * 44040192 * 2 / 8e12, rel=1e-3)


def test_whole_experts_leave_ranks_waiting_for_the_busiest() -> None:
    sliced = step(deepseek_v3(), cases.layout(tp=8), expert_spread=1).parts_s["experts"][0]
    whole = step(deepseek_v3(), cases.layout(tp=8, ep=8), expert_spread=1).parts_s["experts"][0]
    assert whole == pytest.approx(3.04 * sliced, rel=0.1)


def test_thin_slices_of_experts_are_read_worse_than_whole_ones() -> None:
    changes = {"expert_read_overhead_bytes": 1e6}
    sliced = step(deepseek_v3(), cases.layout(tp=8), sequences=1e4, **changes).parts_s["experts"][0]
    whole = step(deepseek_v3(), cases.layout(tp=8, ep=8), sequences=1e4, **changes).parts_s["experts"][0]
    assert sliced > whole


def test_launch_is_kernels_times_their_time() -> None:
    assert step(cases.llama_70b(), kernel_time_s=5e-6).parts_s["launch"][0] == pytest.approx(800 * 5e-6)


def test_tensor_parallelism_exchanges_twice_a_layer() -> None:
    """160 all-reduces over eight ranks: 6 us x (1 + 0.25 x 3) each, and the bytes of one token."""
    found = step(
        cases.llama_70b(), cases.layout(tp=8), all_reduce_latency_s=6e-6, all_reduce_growth=0.25
    ).parts_s["all_reduce"][0]
    assert found == pytest.approx(160 * (6e-6 * 1.75 + 2 * 7 / 8 * 8192 * 2 / 9e11), rel=1e-9)


def test_one_rank_exchanges_nothing() -> None:
    found = step(cases.llama_70b(), all_reduce_latency_s=1, dispatch_latency_s=1).parts_s
    assert found["all_reduce"][0] == found["expert_exchange"][0] == 0


def test_an_instance_wider_than_its_domain_pays_for_the_slow_network() -> None:
    within, beyond = (
        step(deepseek_v3(), cases.layout(dp=ranks, ep=ranks), sequences=64 * ranks).parts_s[
            "expert_exchange"
        ][0]
        for ranks in (64, 128)
    )
    # half of the experts of a token are in the other of two domains
    assert beyond == pytest.approx(within / 2 * 9e11 / 5e10, rel=1e-6)


@pytest.mark.slow
@given(
    sequences=st.floats(1, 4096),
    more=st.floats(1, 4),
    tp=st.sampled_from([1, 2, 4, 8]),
    model=st.sampled_from(["dense", "experts", "hybrid"]),
)
def test_more_sequences_never_make_a_step_shorter(sequences: float, more: float, tp: int, model: str) -> None:
    of_name = {"dense": cases.llama_70b, "experts": deepseek_v3, "hybrid": cases.hybrid}[model]()
    few, many = (
        step(
            of_name, cases.layout(tp=tp), sequences=count, expert_spread=0.7, sequence_overhead_s=1e-5
        ).step_s[0]
        for count in (sequences, sequences * more)
    )
    assert many >= few * (1 - 1e-9)


@pytest.mark.slow
@given(tp=st.sampled_from([1, 2, 4, 8]), dp=st.sampled_from([1, 2, 8]), sequences=st.floats(1, 1e4))
def test_parts_sum_to_the_step(tp: int, dp: int, sequences: float) -> None:
    found = step(
        deepseek_v3(), cases.layout(tp=tp, dp=dp, ep=tp * dp), sequences=sequences, kernel_time_s=4e-6
    )
    parts = [value[0] for value in found.parts_s.values()]
    assert sum(parts) == pytest.approx(found.step_s[0], rel=1e-12)
    assert min(parts) >= 0
    assert np.isfinite(found.step_s[0])


def test_pipeline_stages_work_on_a_part_of_the_batch() -> None:
    """Four stages pass four batches round: a token takes all layers with a quarter of the sequences."""
    whole = step(cases.llama_70b(), sequences=256, context=8192).parts_s["attention"][0]
    staged = step(cases.llama_70b(), cases.layout(pp=4), sequences=256, context=8192).parts_s["attention"][0]
    assert staged == pytest.approx(whole / 4, rel=1e-3)


def test_an_older_engine_starts_kernels_slower() -> None:
    new, old = (
        step(cases.llama_70b(), year=year, kernel_time_s=4e-6, kernel_gain_per_year=0.5).parts_s["launch"][0]
        for year in (YEAR + 0.5, YEAR)
    )
    assert new == pytest.approx(old * np.exp(-0.25))


@pytest.mark.parametrize("layout", [cases.layout(dp=8, ep=8), cases.layout(pp=4)])
def test_one_sequence_is_whole_wherever_it_is(layout: ServingLayout) -> None:
    """Seven replicas of attention, or three stages, have none meanwhile: nothing gets cheaper for the one."""
    alone = step(deepseek_v3(), cases.layout(), sequences=1, context=8192).parts_s["attention"][0]
    found = step(deepseek_v3(), layout, sequences=1, context=8192).parts_s["attention"][0]
    assert found == pytest.approx(alone)


def test_tensor_parallel_groups_within_a_domain_stay_off_the_fabric() -> None:
    """Sixteen groups of eight are wider than a domain of 72 together, but each reduces within it."""
    alone = step(deepseek_v3(), cases.layout(tp=8, dp=2, ep=16), sequences=32).parts_s["all_reduce"][0]
    wide = step(deepseek_v3(), cases.layout(tp=8, dp=16, ep=128), sequences=256).parts_s["all_reduce"][0]
    assert wide == pytest.approx(alone)


def test_copies_of_busy_experts_even_out_arithmetic_and_cost_reading() -> None:
    """32 copies over 32 ranks: bound by arithmetic the busiest rank has less to do, else an eighth more to read."""
    many, few = (
        [
            step(
                deepseek_v3(),
                cases.layout(dp=32, ep=32, copies=copies),
                sequences=sequences,
                expert_spread=spread,
            ).parts_s["experts"][0]
            for copies in (0, 32)
        ]
        for sequences, spread in ((1e6, 100), (1e3, 0))
    )
    assert many[1] < 0.99 * many[0]
    assert few[1] == pytest.approx(1.125 * few[0], rel=0.01)


def test_the_index_of_sparse_attention_scores_every_kept_token() -> None:
    """64 heads of 128: 16,384 FLOP a kept token and layer, on each tensor-parallel rank; unknown heads do nothing."""
    known, unknown = (
        dataclasses.replace(
            deepseek_v3(),
            sparse_tokens=number(2048),
            index_elements=number(128),
            index_heads=number(heads),
        )
        for heads in (64, 0)
    )
    found, without = (
        step(
            model, cases.layout(tp=8), sequences=64, context=1e6, step_tokens=4, kv_read_efficiency=1e6
        ).parts_s["attention"][0]
        for model in (known, unknown)
    )
    assert found - without == pytest.approx(64 * 4 * 61 * 1e6 * 16384 / 1e15, rel=1e-3)
