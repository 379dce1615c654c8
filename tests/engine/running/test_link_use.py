"""Traffic of a step in bytes, what it makes of links, and the same step with less bandwidth."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.fabric.faults.share import Share
from app.engine.fabric.topologies import asked_of, topology_of
from app.engine.running.job import Running, running, step_time_left_s
from app.engine.running.link_use import exposed_scale_out_share, link_use, step_traffic
from app.engine.specs import Design
from app.scenarios.evaluation.service import evaluate_example, evaluate_scenario
from tests.scenarios.support import document

LLAMA, DEEPSEEK, FFT = (
    "llama_3_1_405b_on_2048_dgx_h100",
    "deepseek_v3_on_256_hgx_h800",
    "fft_3d_on_512_dgx_a100",
)


@functools.cache
def example_design(key: str) -> Design:
    return evaluate_example(key, ready_catalog()).resolved.design


@functools.cache
def small_design(supernodes: int) -> Design:
    scenario = document(
        pod__supernodes=supernodes,
        workload__global_batch_sequences=512,
        parallelism={"tp": 1, "zero_stage": 1},
    )
    return evaluate_scenario(scenario, ready_catalog()).resolved.design


@functools.cache
def job(key: str) -> Running:
    return running(example_design(key))


def graph_of(design: Design):
    with np.errstate(invalid="ignore", divide="ignore"):
        ask = asked_of(
            pod=design.pod, supernode=design.supernode, assumptions=design.assumptions.rooms["fabric"]
        )
        return topology_of(design.pod.fabric.topology).graph(ask)


def sums(key: str, level: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in step_traffic(job(key)).parts:
        sent = float(getattr(part, f"{level}_bytes")[0])
        found[part.kind] = found.get(part.kind, 0.0) + sent
    return {kind: sent for kind, sent in found.items() if sent}


def test_by_hand_tensor_and_pipeline_bytes_of_llama_405b():
    """8,192 tokens of width 16,384 in 16 bit are 268 MB. Tensor parallelism over 8 passes that four times a layer, 2 x
    7/8 of it over each link; 8 layers, 16 micro-batches. A stage passes on an eighth of it, to both sides, 16 times
    in each of 8 virtual stages."""
    message, layers, micro_batches = 2 * 8192 * 16384, 8, 16
    assert sums(LLAMA, "scale_up")["tp"] == pytest.approx(4 * message * 1.75 * layers * micro_batches)
    assert sums(LLAMA, "scale_out")["pp"] == pytest.approx(2 * 8 * micro_batches * message / 8)
    assert set(sums(LLAMA, "scale_out")) == {"pp", "dp"}


def test_by_hand_gradients_of_a_small_model():
    """16 replicas of 8.03 billion parameters on two servers: gradients in 4 bytes are scattered and weights in 2 gathered
    once round a ring of 16, of which 8 share a server and one in 8 bytes crosses."""
    design = small_design(2)
    traffic = step_traffic(running(design))
    room = design.assumptions.rooms["performance"]
    each = float(room.gradient_parameter_bytes[0] + room.weight_parameter_bytes[0])
    parameters = 8.03e9
    assert float(traffic.scale_out_bytes[0]) == pytest.approx(parameters * each * 15 / 16 / 8, rel=1e-3)
    assert float(traffic.scale_up_bytes[0]) == pytest.approx(parameters * each * 15 / 16, rel=1e-3)


def test_experts_and_patterns_are_counted():
    assert sums(DEEPSEEK, "scale_out")["ep"] > sums(DEEPSEEK, "scale_out")["dp"]
    found = sums(FFT, "scale_out")
    pattern = example_design(FFT).workload.patterns[0]
    each = float(pattern.exchanged_bytes[0]) / 4096 * float(pattern.per_step[0])
    assert found == {"all_to_all": pytest.approx(each * 511 / 512)}


@pytest.mark.parametrize("key", [LLAMA, DEEPSEEK, FFT])
def test_bytes_that_leave_hosts_are_those_on_their_links(key):
    found = job(key)
    traffic = step_traffic(found)
    graph = graph_of(found.design)
    tiers = {tier.tier: tier for tier in link_use(found.design, graph, traffic)}
    sent = float(traffic.scale_out_bytes[0]) * float(found.design.pod.accelerators_used[0])
    # Out of one host and into another. The copies of DualPipe lie in mirrored stages, for which a ring over
    # neighbours stands: 0.2 % of the bytes.
    assert tiers["leaf"].bytes_per_step == pytest.approx(2 * sent, rel=3e-3)
    assert tiers["leaf"].mean == pytest.approx(float(traffic.scale_out_utilisation[0]), rel=3e-3)
    assert tiers["spine"].bytes_per_step <= tiers["leaf"].bytes_per_step
    assert all(tier.mean <= tier.peak * (1 + 1e-9) and tier.peak <= 1 for tier in tiers.values())


def test_traffic_leaves_the_step_as_it_was():
    found = evaluate_example(LLAMA, ready_catalog()).evaluation.sections.performance
    assert step_traffic(job(LLAMA)).step_time_s == found.step_time_s


def test_exposed_share_is_that_of_the_parts_that_cross():
    performance = evaluate_example(LLAMA, ready_catalog()).evaluation.sections.performance
    parts = performance.time_breakdown_s
    expected = (parts["dp"] + parts["pp_transfer"]) / performance.step_time_s
    assert exposed_scale_out_share(job(LLAMA)) == pytest.approx(float(expected[0]))


@pytest.mark.parametrize("key", [LLAMA, DEEPSEEK, FFT])
def test_less_bandwidth_is_never_faster_and_all_of_it_is_as_before(key):
    whole = evaluate_example(key, ready_catalog()).evaluation.sections.performance.step_time_s
    found = job(key)
    steps = [
        float(step_time_left_s(found, Share(access=access, beyond=beyond))[0])
        for access, beyond in ((1, 1), (1, 0.9), (0.9, 0.9), (0.5, 0.5), (0.1, 0.1))
    ]
    assert steps[0] == float(whole[0])
    assert steps == sorted(steps)
    assert steps[-1] > steps[0]


def test_a_job_that_is_searched_for_keeps_its_layout():
    scenario = document(pod__supernodes=4, workload__global_batch_sequences=512)
    evaluated = evaluate_scenario(scenario, ready_catalog())
    found = running(evaluated.resolved.design)
    assert found.design.layout is not None
    whole = step_time_left_s(found, Share(access=1.0, beyond=1.0))
    assert float(whole[0]) == pytest.approx(float(evaluated.evaluation.sections.performance.step_time_s[0]))
