"""The simulated step of a design: times of its stages, and how near the step-time model comes."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.performance.schedules import CODES
from app.engine.running.job import running
from app.engine.running.pipeline import FORWARD, WEIGHT_GRADIENT
from app.engine.running.step_timeline import StepTimeline, _chunk_layers, step_timeline
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from tests.support import read_example

DEEPSEEK, LLAMA = "deepseek_v3_on_256_hgx_h800", "llama_3_1_405b_on_2048_dgx_h100"
MOST = 30_000
LAYOUTS = {"1f1b": 1, "zb_h1": 1, "zb_v": 2, "dualpipe": 1, "moe_overlap": 2}
"""Schedules with the virtual stages that they have here."""


@functools.cache
def evaluated(key: str, **layout: Any) -> EvaluatedScenario:
    """An example with parts of its layout changed; exchange is exposed as frameworks leave it."""
    values = read_example(key).as_dict()
    values["parallelism"] = {**values["parallelism"], **layout}
    if layout:
        values.pop("assumptions", None)
    return evaluate_scenario(build_scenario(values), ready_catalog())


@functools.cache
def timeline(key: str, most: int = MOST, **layout: Any) -> StepTimeline:
    return step_timeline(running(evaluated(key, **layout).resolved.design), most)


@pytest.mark.parametrize("schedule", CODES)
def test_the_step_time_model_is_within_three_percent_of_the_simulation(schedule: str) -> None:
    """DeepSeek-V3 on 16 stages of 4 and 3 layers, with the head and a prediction module on the last."""
    found = timeline(DEEPSEEK, schedule=schedule, vpp=LAYOUTS[schedule])
    assert found.micro_batches == found.simulated_micro_batches == 120
    assert found.formula_s == pytest.approx(found.step.span_s, rel=0.03)


@pytest.mark.parametrize(
    "key", [DEEPSEEK, LLAMA, "gpt_3_175b_on_128_dgx_a100", "llama_3_1_70b_on_trn2_ultraserver", "edge_node"]
)
def test_examples_are_within_three_percent(key: str) -> None:
    found = timeline(key)
    assert found.formula_s == pytest.approx(found.step.span_s, rel=0.03)
    step = first_of(evaluated(key).evaluation.sections.performance.step_time_s)
    assert found.formula_s < step  # which has optimiser, gradients and stragglers as well


def test_one_stage_waits_for_nothing_and_takes_what_the_model_says() -> None:
    found = timeline("edge_node")
    assert found.stages == 1
    assert found.transfer_s == 0
    assert found.step.idle_s[0] == pytest.approx(0, abs=1e-9)
    assert found.step.span_s == pytest.approx(found.formula_s)


def test_layers_are_dealt_whole_with_the_fewest_on_the_last_chunk() -> None:
    assert timeline(LLAMA).layers.tolist() == [8] * 14 + [7] * 2
    assert timeline(DEEPSEEK).layers.tolist() == [4] * 13 + [3] * 3
    assert _chunk_layers(np.array([8.0, 7.0]), 8).tolist() == [[1] * 8, [1] * 7 + [0]]
    assert _chunk_layers(np.array([9.0, 2.5]), 4).tolist() == [[3, 2, 2, 2], [1, 1, 0.5, 0]]


def stage_work(found: StepTimeline, stage: int) -> float:
    """Seconds of one stage for the first micro-batch, by the time that its operations take alone."""
    step = found.step
    here = (step.stage == stage) & (step.micro_batch == 0)
    return float((step.end_s - step.start_s)[here].sum())


def test_the_head_stands_where_the_schedule_puts_it() -> None:
    """On the last stage; in the V of ZB-V on the first, which turns round; in DualPipe on both ends."""
    one_way = timeline(DEEPSEEK, schedule="zb_h1", vpp=1)
    assert stage_work(one_way, 15) > stage_work(one_way, 14) * 1.2
    vee = timeline(DEEPSEEK, schedule="zb_v", vpp=2)
    assert vee.step.chunk[vee.step.stage == 0].max() == 1
    assert stage_work(vee, 0) > stage_work(vee, 1) * 1.2
    both = timeline(DEEPSEEK, schedule="dualpipe", vpp=1)
    assert both.chunks == 2
    assert both.step.busy_s == pytest.approx(both.step.busy_s[::-1])  # stages mirror each other


def test_exchange_is_hidden_in_pairs_alone() -> None:
    alone, paired = (timeline(DEEPSEEK, schedule=name, vpp=2) for name in ("1f1b", "moe_overlap"))
    assert not alone.step.paired.any()
    assert paired.step.paired.any()
    assert paired.step.busy_s.sum() < 0.9 * alone.step.busy_s.sum()


def test_a_long_step_is_shown_with_fewer_micro_batches() -> None:
    found = timeline("gpt_3_175b_on_128_dgx_a100", most=4_000)
    assert found.micro_batches == found.simulated_micro_batches == 192
    assert found.shown_micro_batches == 48  # 3 groups of 16: 16 stages x 2 chunks x 2 passes x 48 = 3,072
    assert found.shown.start_s.size == 3_072
    assert found.shown.span_s < found.step.span_s
    assert found.step.start_s.size == 12_288


def test_only_what_another_stage_waits_for_is_sent() -> None:
    step = timeline(LLAMA).step
    last = (step.stage == 15) & (step.chunk == 7) & (step.kind == FORWARD)
    assert not step.sends[last].any()
    assert step.sends[(step.stage == 0) & (step.kind == FORWARD)].all()
    vee = timeline(DEEPSEEK, schedule="zb_v", vpp=2).step
    turned = (vee.stage == 15) & (vee.chunk == 0) & (vee.kind == FORWARD)
    assert not vee.sends[turned].any()  # its next chunk is on the same stage
    assert not vee.sends[vee.kind == WEIGHT_GRADIENT].any()
