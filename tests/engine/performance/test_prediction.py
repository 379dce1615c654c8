"""Multi-token prediction in a step: its time, its memory, the stages that are dealt around it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.performance.model_share import model_share
from app.engine.performance.pipeline import last_stage_layers, longest_stage_layers
from tests.engine.performance import cases
from tests.support import dgx_h100, number

DENSE = cases.training(cases.gpt(24, 4096, 32), 4096, 512)
MIXTURE = cases.training(cases.deepseek_v3(), 4096, 15360, "fp8")


def _with(workload: cases.TrainingWorkload, modules: int) -> cases.TrainingWorkload:
    return replace(workload, prediction_modules=number(modules))


def test_one_stage_by_hand() -> None:
    """A module is a layer, a head and an embedding more, and its projection: 3 x 2 x T x 2 h x h."""
    a = replace(cases.assumed(DENSE, dgx_h100()), matmul_wave_waste=number(0), multiprocessors=number(0))
    layout = cases.layout(micro_batch=1)
    without, with_one = (
        cases.timed(_with(DENSE, modules), layout, 8, assumptions=a).breakdown_s for modules in (0, 1)
    )
    taller = cases.training(cases.gpt(25, 4096, 32), 4096, 512)
    layer = sum(
        cases.timed(taller, layout, 8, assumptions=a).breakdown_s[name] - without[name]
        for name in ("gemm", "attention", "memory_bound")
    )
    no_layer = cases.timed(
        cases.training(cases.gpt(24, 4096, 32, vocabulary=2 * 51200), 4096, 512), layout, 8, assumptions=a
    )
    head = no_layer.breakdown_s["gemm"] - without["gemm"]
    rate = cases.hardware(DENSE, dgx_h100(), 8, a).matmul_flop_per_s
    projection = 64 * 3 * 2 * 4096 * 2 * 4096 * 4096 / rate
    # The shape penalty of the projection, and the embedding: a few hundredths of the whole.
    np.testing.assert_allclose(with_one["prediction"], layer + head + projection, rtol=0.05)
    assert all(with_one[name] == without[name] for name in ("gemm", "attention", "memory_bound", "tp"))
    assert without["prediction"] == 0


def test_deepseek_v3_was_trained_with_one_module() -> None:
    """180 thousand H800 hours for each trillion tokens, one module: DeepSeek-AI 2024, section 1. 1,543 tokens/s."""
    node = dgx_h100()
    h800 = replace(
        node,
        accelerator=replace(
            node.accelerator,
            scale_up_bandwidth_bytes_per_s=number(200e9),
            scale_up_pair_bandwidth_bytes_per_s=number(200e9),
            peak_flop_per_s=number(1979e12),
        ),
    )
    layout = cases.layout(pp=16, ep=64, vpp=2, zero=1, sequence_parallel=0, selective=1)
    rates = []
    for modules in (0, 1):
        workload = _with(MIXTURE, modules)
        a = replace(cases.assumed(workload, h800), expert_parallel_exposed=number(0))
        step = cases.timed(workload, layout, 2048, h800, a)
        rates.append(cases.tokens_per_s_per_accelerator(workload, step, 2048)[0])
    assert rates[1] == pytest.approx(1543, rel=0.08)
    assert rates[1] < rates[0]


@pytest.mark.parametrize("layout", [cases.layout(tp=8, pp=4, vpp=2, zero=2), cases.layout(cp=4, zero=3)])
def test_no_modules_is_as_before(layout: cases.Layout) -> None:
    """The parts that are there with modules are there without, each of exactly 0."""
    step = cases.timed(DENSE, layout, 512)
    assert step.breakdown_s["prediction"] == 0
    share = model_share(job=cases.job(DENSE), strategy=cases.single(layout, 512))
    longest = np.ceil(24 / layout.pipeline_parallel)
    assert share.layers == longest
    assert share.last_layers == np.floor(24 / layout.pipeline_parallel)


@settings(max_examples=60, deadline=None)
@given(layers=st.integers(1, 126), stages=st.integers(1, 126), weight=st.integers(0, 8))
def test_stages_hold_every_layer(layers: int, stages: int, weight: int) -> None:
    """The last stage and long stages before it have room for all layers; without modules L / pp, up and down."""
    stages = min(stages, layers)
    dealt = {
        "layers": number(layers), "module_layers": number(weight), "pipeline_parallel": number(stages)
    }  # fmt: skip
    longest, last = longest_stage_layers(**dealt)[0], last_stage_layers(**dealt)[0]
    assert last + (stages - 1) * longest >= layers
    assert 0 <= last <= longest <= layers
    if not weight:
        assert (longest, last) == (-(-layers // stages), layers // stages)


@settings(max_examples=25, deadline=None)
@given(tp=st.sampled_from([1, 2, 8]), pp=st.sampled_from([1, 4, 8]), modules=st.integers(1, 3))
def test_more_modules_cost_more_of_everything(tp: int, pp: int, modules: int) -> None:
    layout = cases.layout(tp=tp, pp=pp)
    fewer, more = (_with(DENSE, count) for count in (modules - 1, modules))
    steps = [cases.timed(workload, layout, 512) for workload in (fewer, more)]
    assert steps[0].step_time_s <= steps[1].step_time_s
    np.testing.assert_allclose(sum(steps[1].breakdown_s.values()), steps[1].step_time_s, rtol=1e-12)
    evaluated = [cases.evaluated(workload, layout, 512) for workload in (fewer, more)]
    assert evaluated[0].prediction_parameters < evaluated[1].prediction_parameters
    assert evaluated[0].parameters == evaluated[1].parameters
    assert evaluated[0].model_flop_per_token == evaluated[1].model_flop_per_token
    extra = [one.hfu / one.mfu for one in evaluated]
    assert extra[0] < extra[1]


@settings(max_examples=25, deadline=None)
@given(tp=st.sampled_from([1, 2, 8]), ep=st.sampled_from([1, 8, 64]), modules=st.integers(1, 2))
def test_one_stage_holds_model_and_modules_once(tp: int, ep: int, modules: int) -> None:
    workload = _with(MIXTURE, modules)
    job = cases.job(workload)
    share = model_share(job=job, strategy=cases.single(cases.layout(tp=tp, ep=ep), 512))
    ranks = 512 / share.expert_replicas
    np.testing.assert_allclose(
        share.dense * tp + share.expert * ranks, job.counts.total + job.prediction.parameters
    )


def test_memory_of_one_stage_by_hand() -> None:
    """One layer's activations, the two joined vectors and the logits of the module more."""
    a = replace(cases.assumed(DENSE, dgx_h100()), fragmentation=number(0))
    layout = cases.layout(zero=0)
    without, with_one = (cases.held(_with(DENSE, one), layout, 8, a).breakdown_bytes for one in (0, 1))
    layer = cases.layer_kept(DENSE, layout, a)
    np.testing.assert_allclose(with_one["activations"] - without["activations"], layer + 2 * 2 * 4096 * 4096)
    assert with_one["logits"] == 2 * without["logits"]
    parameters = cases.job(_with(DENSE, 1)).prediction.parameters
    np.testing.assert_allclose(
        with_one["weights"] - without["weights"], parameters * a.weight_parameter_bytes
    )


def test_modules_need_both_tables_on_the_last_stage() -> None:
    """They read the embedding, which stands on the first stage otherwise."""
    untied = replace(DENSE, architecture=replace(DENSE.architecture, tied_embedding=number(0)))
    small = replace(untied, architecture=replace(untied.architecture, vocabulary=number(1e6)))
    shares = [
        model_share(job=cases.job(_with(small, one)), strategy=cases.single(cases.layout(pp=24), 24))
        for one in (0, 1)
    ]
    job = cases.job(_with(small, 1))
    np.testing.assert_allclose(shares[0].dense, job.counts.embedding + job.counts.dense_per_layer)
    np.testing.assert_allclose(shares[1].dense, 2 * job.counts.embedding + job.prediction.dense)
