"""The step-time function: published runs, limits, and the shapes it promises."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.step_time import step_time
from app.engine.performance.strategy import Strategy, take
from app.engine.specs import Layout, TrainingWorkload
from tests.engine.performance import cases
from tests.support import dgx_h100, llama_405b_training, number


def test_llama_405b_on_16384_h100_is_near_what_meta_measured() -> None:
    """Meta 2024, arXiv 2407.21783, table 4: 400 TFLOP/s a GPU, 41 % MFU, which is 158 tokens/s."""
    workload = llama_405b_training()
    step = cases.timed(workload, cases.layout(tp=8, pp=16, vpp=8, zero=2), 16384)
    rate = cases.tokens_per_s_per_accelerator(workload, step, 16384)
    assert 126 < rate[0] < 190


@pytest.mark.parametrize(
    ("layers", "hidden", "heads", "batch", "tp", "pp", "dp", "hardware_tflop_per_s"),
    [
        (48, 8192, 64, 1536, 8, 2, 32, 138),
        (80, 12288, 96, 2304, 8, 8, 24, 148),
        (128, 25600, 160, 3072, 8, 64, 6, 163),
    ],
)
def test_weak_scaling_of_megatron_on_a100(
    layers: int, hidden: int, heads: int, batch: int, tp: int, pp: int, dp: int, hardware_tflop_per_s: float
) -> None:
    """Narayanan et al. 2021, arXiv 2104.04473, table 1: unfused attention, full recomputation.

    Their FLOPs: 96 B s l h^2 (1 + s / 6h + V / 16 l h), an extra forward pass counted.
    """
    workload = cases.training(cases.gpt(layers, hidden, heads), 2048, batch, "fp16")
    a = _megatron_of_2021(workload)
    chosen = cases.layout(tp=tp, pp=pp, zero=0, sequence_parallel=0, recompute=1)
    step = cases.timed(workload, chosen, tp * pp * dp, cases.dgx_a100(), a)
    flop = 96.0 * batch * 2048 * layers * hidden**2
    flop *= 1 + 2048 / (6 * hidden) + 51200 / (16 * layers * hidden)
    rate = flop / step.step_time_s[0] / (tp * pp * dp)
    assert rate == pytest.approx(hardware_tflop_per_s * 1e12, rel=0.15)


def test_sequence_parallelism_pays_as_published() -> None:
    """Korthikanti et al. 2022, arXiv 2205.05198, table 5: 175B on 64 A100, full recomputation 18.13 s."""
    workload = cases.training(cases.gpt(96, 12288, 96), 2048, 64, "fp16")
    a = _megatron_of_2021(workload)
    chosen = cases.layout(tp=8, pp=8, vpp=3, zero=0, sequence_parallel=0, recompute=1)
    assert cases.timed(workload, chosen, 64, cases.dgx_a100(), a).step_time_s[0] == pytest.approx(
        18.13, rel=0.1
    )


def test_parts_sum_to_the_step() -> None:
    step = cases.timed(llama_405b_training(), cases.layout(tp=8, pp=16, vpp=8, zero=2), 16384)
    assert list(step.breakdown_s) == [
        "gemm", "attention", "memory_bound", "prediction", "recompute", "tp", "cp", "ep", "pp_transfer", "pp_bubble",
        "dp", "offload", "optimizer", "launch", "straggler", "calibration",
    ]  # fmt: skip
    assert sum(part[0] for part in step.breakdown_s.values()) == pytest.approx(step.step_time_s[0], rel=1e-14)


@pytest.mark.parametrize("ratio", [0.8, 1.25])
def test_own_runs_divide_the_step(ratio: float) -> None:
    """The other parts stay as they were predicted; without own runs the correction is exactly 0."""
    workload, chosen = llama_405b_training(), cases.layout(tp=8, pp=16, vpp=8, zero=2)
    predicted = cases.timed(workload, chosen, 16384)
    assert predicted.breakdown_s["calibration"][0] == 0
    own = replace(workload, measured_over_predicted=number(ratio))
    measured = cases.timed(own, chosen, 16384)
    assert measured.step_time_s[0] == pytest.approx(predicted.step_time_s[0] / ratio, rel=1e-14)
    assert sum(part[0] for part in measured.breakdown_s.values()) == pytest.approx(measured.step_time_s[0])
    assert measured.breakdown_s["gemm"] == predicted.breakdown_s["gemm"]


def test_one_accelerator_exchanges_nothing() -> None:
    workload = cases.training(cases.gpt(24, 2048, 16), 2048, 8)
    step = cases.timed(workload, cases.layout(), 1)
    for part in ("tp", "cp", "ep", "pp_transfer", "pp_bubble", "dp", "straggler", "recompute"):
        assert step.breakdown_s[part][0] == 0, part
    assert step.breakdown_s["gemm"][0] > 0


def test_one_accelerator_needs_no_network() -> None:
    """An unknown NIC does not make a job on one SuperNode unknown."""
    node = replace(dgx_h100(), scale_out_nic_bandwidth_bytes_per_s=np.full(1, np.nan))
    workload = cases.training(cases.gpt(24, 2048, 16), 2048, 8)
    assert np.isfinite(cases.timed(workload, cases.layout(tp=8), 8, node).step_time_s).all()


def test_unknown_peak_makes_the_step_unknown() -> None:
    node = dgx_h100()
    node = replace(node, accelerator=replace(node.accelerator, peak_flop_per_s=np.full(1, np.nan)))
    step = cases.timed(cases.training(cases.gpt(24, 2048, 16), 2048, 8), cases.layout(tp=8), 8, node)
    assert np.isnan(step.step_time_s).all()


def test_never_faster_than_the_roofline() -> None:
    performance = cases.evaluated(llama_405b_training(), cases.layout(tp=8, pp=16, vpp=8, zero=2), 16384)
    assert performance.step_time_s[0] > performance.roofline_step_time_s[0]


def test_bubble_by_hand() -> None:
    """4 equal stages without virtual ones wait for 3 micro-batches of a stage."""
    workload = cases.training(cases.gpt(32, 4096, 32, vocabulary=1), 2048, 64)
    none = number(0)
    a = replace(
        cases.assumed(workload, dgx_h100()), embedding_passes=none, loss_logit_bytes=none,
        matmul_wave_waste=none, kernel_launch_s=none,
    )  # fmt: skip
    parts = cases.timed(workload, cases.layout(pp=4), 4, assumptions=a).breakdown_s
    stage = sum(parts[name][0] for name in ("gemm", "attention", "memory_bound")) / 64
    assert parts["pp_bubble"][0] == pytest.approx(3 * stage, rel=1e-3)


def test_uneven_stages_run_at_the_pace_of_the_longest() -> None:
    """126 layers on 16 stages: eight on the longest, as long as 128 layers would take."""

    def compute(layers: int) -> float:
        workload = cases.training(cases.gpt(layers, 4096, 32, vocabulary=1024), 2048, 64)
        return float(cases.timed(workload, cases.layout(pp=16), 16).breakdown_s["attention"][0])

    assert compute(126) == compute(128)
    assert compute(129) == pytest.approx(compute(128) * 9 / 8)


def test_experts_travel_where_they_are_spread() -> None:
    workload = cases.training(cases.deepseek_v3(), 4096, 15360, "fp8")
    spread = cases.timed(workload, cases.layout(pp=16, ep=64), 2048).breakdown_s
    inside = cases.timed(workload, cases.layout(pp=16, ep=8), 2048).breakdown_s
    assert spread["ep"][0] > inside["ep"][0] > 0


def test_search_and_single_layout_are_the_same_function() -> None:
    workload = llama_405b_training()
    a = cases.assumed(workload, dgx_h100())
    every = cases.usual_layouts(workload, dgx_h100(), 1024)
    hardware = cases.hardware(workload, dgx_h100(), 1024, a)
    job = cases.job(workload)
    times = step_time(job=job, hardware=hardware, strategy=every, assumptions=a).step_time_s
    assert times.shape == (every.size,)
    for position in (0, every.size // 2, every.size - 1):
        one = take(every, slice(position, position + 1))
        alone = step_time(job=job, hardware=hardware, strategy=one, assumptions=a).step_time_s
        by_layout = cases.timed(workload, _layout_of(every, position), 1024).step_time_s
        np.testing.assert_allclose([alone[0], by_layout[0]], times[position], rtol=1e-13)


def test_samples_come_first_and_layouts_last() -> None:
    workload = llama_405b_training()
    a = cases.assumed(workload, dgx_h100())
    sampled = replace(a, scale_up_efficiency=np.array([[0.9], [1.0], [1.1]]) * a.scale_up_efficiency)
    every = cases.usual_layouts(workload, dgx_h100(), 1024)
    hardware = cases.hardware(workload, dgx_h100(), 1024, sampled)
    times = step_time(
        job=cases.job(workload), hardware=hardware, strategy=every, assumptions=sampled
    ).step_time_s
    assert times.shape == (3, every.size)
    alone = step_time(
        job=cases.job(workload),
        hardware=cases.hardware(workload, dgx_h100(), 1024, a),
        strategy=every,
        assumptions=a,
    ).step_time_s
    np.testing.assert_allclose(times[1], alone, rtol=1e-13)


@settings(max_examples=25, deadline=None)
@given(
    tp=st.sampled_from([1, 2, 4, 8]),
    pp=st.sampled_from([1, 2, 4, 8]),
    gain=st.floats(1.01, 4),
    field=st.sampled_from(
        ["scale_up_efficiency", "scale_out_efficiency", "matmul_ratio", "attention_fraction",
         "memory_bandwidth_fraction"]
    ),
)  # fmt: skip
def test_better_hardware_is_never_slower(tp: int, pp: int, gain: float, field: str) -> None:
    workload = cases.training(cases.gpt(32, 4096, 32), 4096, 256)
    a = cases.assumed(workload, dgx_h100())
    better = replace(a, **{field: getattr(a, field) * gain})
    chosen = cases.layout(tp=tp, pp=pp)
    before = cases.timed(workload, chosen, 64, assumptions=a).step_time_s
    assert (cases.timed(workload, chosen, 64, assumptions=better).step_time_s <= before).all()


def _megatron_of_2021(workload: TrainingWorkload) -> PerformanceAssumptions:
    """Unfused attention, and a stack tuned by the maker of the hardware: those reach 0.93 to 0.97."""
    return replace(
        cases.assumed(workload, cases.dgx_a100()), fused_attention=number(0), software_efficiency=number(0.95)
    )


def _layout_of(strategy: Strategy, position: int) -> Layout:
    return Layout(
        **{field.name: getattr(strategy, field.name)[position : position + 1] for field in fields(Layout)}
    )
