"""The timeline of a step as it is answered: figures by stage, operations, and what has none."""

from __future__ import annotations

import dataclasses
import functools

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_example, evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.timeline import TimelineView, timeline_view
from tests.support import read_example

LLAMA = "llama_3_1_405b_on_2048_dgx_h100"


@functools.cache
def view(key: str = LLAMA, most: int = 30_000) -> TimelineView:
    return timeline_view(evaluate_example(key, ready_catalog()), most)


def test_stages_are_busy_or_wait_and_operations_have_one_place_each() -> None:
    found = view()
    assert (found.schedule, found.stages, found.chunks_per_stage, found.micro_batches) == ("1F1B", 16, 8, 16)
    for stage in found.by_stage:
        assert stage.busy_s + stage.waiting_s == pytest.approx(found.simulated_s)
        assert stage.forward_s + stage.backward_s == pytest.approx(stage.busy_s)
        assert stage.paired_s == stage.input_gradient_s == stage.weight_gradient_s == 0
    waiting = sum(stage.waiting_s for stage in found.by_stage)
    assert found.waiting_share == pytest.approx(waiting / (16 * found.simulated_s))
    columns = dataclasses.asdict(found.operations)
    assert {len(column) for column in columns.values()} == {16 * 8 * 16 * 2}
    assert set(found.operations.stage) == set(range(1, 17))
    assert set(found.operations.kind) == {"forward", "backward"}
    assert max(found.operations.end_s) == pytest.approx(found.simulated_s)


def test_pairs_are_told_apart() -> None:
    values = read_example("deepseek_v3_on_256_hgx_h800").as_dict()
    values["parallelism"] |= {"schedule": "dualpipe", "vpp": 1}
    found = timeline_view(evaluate_scenario(build_scenario(values), ready_catalog()))
    for stage in found.by_stage:
        assert stage.paired_s > 0.5 * found.simulated_s
        parts = (stage.forward_s, stage.input_gradient_s, stage.weight_gradient_s, stage.backward_s)
        assert sum(parts) + stage.paired_s == pytest.approx(stage.busy_s)
        assert stage.chunks_held == 17


def test_fewer_operations_are_shown_and_figures_stay_of_the_whole_step() -> None:
    few, all_of_them = view("gpt_3_175b_on_128_dgx_a100", 4_000), view("gpt_3_175b_on_128_dgx_a100")
    assert few.shown_micro_batches == 48 < all_of_them.shown_micro_batches == few.micro_batches == 192
    assert len(few.operations.stage) == 3_072
    assert few.simulated_s == all_of_them.simulated_s
    assert few.by_stage == all_of_them.by_stage


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("deepseek_r1_on_8_h200", "serves"),
        ("fft_3d_on_512_dgx_a100", "generic"),
        ("training_and_serving_on_8_dgx_h200", "share this one"),
        ("dense_128b_on_tpu_v5p", ""),
    ],
)
def test_what_has_no_timeline_is_refused_in_words(key: str, said: str) -> None:
    evaluated = evaluate_example(key, ready_catalog())
    if not said:
        assert timeline_view(evaluated).simulated_s > 0  # prices are unknown, its step is not
        return
    with pytest.raises(ScenarioError, match=said):
        timeline_view(evaluated)
