"""Kernel launches by count, formats of the three matmul passes, expert load, and collectives of ZeRO 3 by rank."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.engine.performance import breakdown
from app.engine.performance.data_parallel import reduced_unit_bytes, shard_handling_time_s
from app.engine.performance.layer import pass_matmul_time_s
from tests.engine.performance import cases
from tests.engine.performance.cases import dgx_h100


def one(value: float) -> np.ndarray:
    return np.full(1, float(value))


def kernels(experts: float = 0, expert_parallel: float = 1, cast: float = 0, turns: float = 0) -> float:
    return float(
        breakdown.layer_kernels(
            layers=one(60), expert_layers=one(60 if experts else 0), experts=one(experts),
            expert_parallel=one(expert_parallel), forward_kernels=one(33), cast_kernels=one(cast),
            expert_kernels=one(42), local_expert_kernels=one(18), local_expert_cast_kernels=one(cast),
            ring_ranks=one(1 + turns), context_turn_kernels=one(5),
        )[0]
    )  # fmt: skip


def launch(recompute: float = 0, collectives: float = 0) -> float:
    return float(
        breakdown.launch_time_per_layer_s(
            kernels=one(33), collectives=one(collectives), recompute=one(recompute), kernel_launch_s=one(8e-6),
            collective_kernels=one(3),
        )[0]
    )  # fmt: skip


def test_kernels_by_hand() -> None:
    assert kernels() == 33
    assert kernels(cast=8) == 41
    assert kernels(turns=3) == 33 + 15
    assert kernels(experts=128, expert_parallel=32) == 33 + 42 + 4 * 18
    assert kernels(experts=128, expert_parallel=32, cast=10) == 43 + 42 + 4 * 28


def test_launches_by_hand() -> None:
    """Three passes of 33 kernels of 8 us; a fourth with full recomputation; eight collectives of three kernels."""
    assert launch() == pytest.approx(3 * 33 * 8e-6)
    assert launch(recompute=1) == pytest.approx(4 * 33 * 8e-6)
    assert launch(collectives=8) == pytest.approx((99 + 24) * 8e-6)


def test_collectives_of_a_layer() -> None:
    def count(tp: float, sequence: float) -> float:
        return float(
            breakdown.layer_collectives(
                tensor_parallel=one(tp), sequence_parallel=one(sequence), exchanges=one(4)
            )[0]
        )

    assert (count(1, 1), count(8, 0), count(8, 1)) == (0, 4, 8)


def test_launches_hide_behind_long_kernels() -> None:
    def exposed(launch_s: float, device_s: float) -> float:
        return float(breakdown.exposed_launch_time_s(launch_s=one(launch_s), device_s=one(device_s))[0])

    assert exposed(1e-3, 0) == pytest.approx(1e-3)
    assert exposed(1e-3, 1e-2) < 1e-5
    assert exposed(1e-2, 1e-3) == pytest.approx(9e-3, rel=0.01)
    assert exposed(0, 1e-3) == pytest.approx(0)


def test_passes_have_formats_of_their_own() -> None:
    """8-bit passes take half; INT8 training keeps the gradients of weights in 16 bit, NVFP4 15 % of the layers."""

    def passed(kept: float, in_16_bit: float) -> float:
        return float(
            pass_matmul_time_s(
                recipe_s=one(1), sixteen_bit_s=one(2), kept_16_bit_share=one(kept), pass_16_bit=one(in_16_bit)
            )[0]
        )

    assert passed(0, 0) == 1
    assert passed(0, 1) == passed(0.15, 1) == 2
    assert passed(0.15, 0) == pytest.approx(1.15)


def test_weight_gradients_in_16_bit_cost_a_third_of_the_gain() -> None:
    """Three passes at twice the 16-bit rate take 1.5; with one in 16 bit 2: a third more, less the head."""
    workload = replace(cases.training(cases.gpt(32, 4096, 32), 2048, 64), precision="fp8")
    node = dgx_h100()
    node = replace(
        node, accelerator=replace(node.accelerator, peak_flop_per_s=2 * node.accelerator.peak_flop_per_s)
    )
    a = cases.assumed(workload, node)
    gemm = {
        flag: cases.timed(
            workload,
            cases.layout(),
            8,
            supernode=node,
            assumptions=replace(a, weight_gradient_16_bit=one(flag)),
        ).breakdown_s["gemm"][0]
        for flag in (0, 1)
    }
    assert 1.15 < gemm[1] / gemm[0] < 1.35


def test_busiest_rank_sets_the_pace_of_experts() -> None:
    workload = cases.training(cases.deepseek_v3(), 4096, 2048)
    a = cases.assumed(workload, dgx_h100())
    steps = [
        cases.timed(
            workload, cases.layout(pp=16, ep=64), 2048, assumptions=replace(a, expert_imbalance=one(load))
        ).step_time_s[0]
        for load in (1, 1.25, 2)
    ]
    assert 1.05 < steps[1] / steps[0] < 1.25
    assert steps[2] / steps[1] > 1.2


def test_collectives_of_zero_3_grow_with_ranks() -> None:
    """GPT-3 175B over 1,536 ranks, four tensors a layer: 96 x 4 x 3 collectives of 1,535 x 20 us are 35 s."""
    handled = shard_handling_time_s(zero_stage=one(3), ranks=one(1536), shard_rank_s=one(2e-5))[0]
    assert 96 * 4 * 3 * handled == pytest.approx(35.4, rel=0.01)
    assert shard_handling_time_s(zero_stage=one(1), ranks=one(1536), shard_rank_s=one(2e-5))[0] == 0
    assert shard_handling_time_s(zero_stage=one(3), ranks=one(1), shard_rank_s=one(2e-5))[0] == 0
    whole, tensors = (
        reduced_unit_bytes(
            parameters=one(96e6), gradient_parameter_bytes=one(4), layers=one(96), units_per_layer=one(units)
        )[0]
        for units in (1, 4)
    )
    assert (whole, tensors) == (4e6, 1e6)
