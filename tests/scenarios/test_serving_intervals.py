"""How far the latencies of a served model may be off, and what one own measurement takes away."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.evaluation.serving_intervals import (
    ROOM,
    WIDER,
    WORDS,
    factors,
    latency_doubt,
    serving_intervals,
    widened,
)
from app.scenarios.examples import example
from app.scenarios.load import build_scenario
from app.surfaces.pages.studio.state import with_value
from app.views.uncertainty.inputs import varying_inputs

VALUES = example("deepseek_r1_on_8_h200").read().as_dict()
Evaluate = Callable[..., EvaluatedScenario]


@pytest.fixture
def evaluated(seeded_data_dir: object) -> Evaluate:
    """One server of eight, with values put at dotted places."""

    def evaluate(**changes: Any) -> EvaluatedScenario:
        values = VALUES
        for path, value in changes.items():
            values = with_value(values, f"workload.{path}", value)
        return evaluate_scenario(build_scenario(values), ready_catalog())

    return evaluate


def bounds(found: EvaluatedScenario, room: str = "performance") -> dict[str, tuple[float, float]]:
    """Low and high of every figure, over the figure."""
    figures = found.as_json
    return {
        name: (one["low"] / figures[room][name], one["high"] / figures[room][name])
        for name, one in figures["intervals"][room].items()
        if one["low"] is not None
    }


def test_every_figure_that_follows_has_an_interval(evaluated: Evaluate) -> None:
    found = evaluated(demand=None).as_json
    for room in ("performance", "cost"):
        for name, one in found["intervals"][room].items():
            assert one["low"] < found[room][name] < one["high"], name
    asked = evaluated().as_json["intervals"]  # a demand says how many tokens are paid for
    assert asked["performance"]["tokens_per_s"]["low"] is not None
    assert {one["low"] for one in asked["cost"].values()} == {None}
    assert "one own measurement narrows" in found["intervals"]["likeness"]


def test_times_are_off_by_what_the_catalog_says(evaluated: Evaluate) -> None:
    doubt = latency_doubt(ready_catalog(), None)
    found = bounds(evaluated())
    for name in ("tpot_s", "tpot_within_s"):
        assert found[name] == pytest.approx(factors(doubt.tpot))
    for name in ("ttft_s", "ttft_within_s"):
        assert found[name] == pytest.approx(factors(doubt.ttft))
    low, high = factors(doubt.tpot)
    assert found["tokens_per_s_per_user"] == pytest.approx((1 / high, 1 / low))
    assert found["ttft_s"][0] < found["end_to_end_s"][0] < low < high < found["end_to_end_s"][1]
    slow, fast = found["end_to_end_s"][1], found["end_to_end_s"][0]
    assert found["tokens_per_s"] == pytest.approx((1 / slow, 1 / fast))


def test_the_cost_of_tokens_follows_their_number(evaluated: Evaluate) -> None:
    scenario = evaluated()
    whole = bounds(scenario)["end_to_end_s"]
    for found in bounds(scenario, "cost").values():
        assert found == pytest.approx(whole)


@pytest.mark.parametrize("name", ["tpot", "ttft"])
def test_one_measured_point_narrows_what_was_measured(evaluated: Evaluate, name: str) -> None:
    before = bounds(evaluated())
    scenario = evaluated(calibration={f"measured_{name}_over_predicted": 1.1, "source": "our rack"})
    after = bounds(scenario)
    other = {"tpot": "ttft", "ttft": "tpot"}[name]
    assert before[f"{name}_s"][0] < after[f"{name}_s"][0] < 1 < after[f"{name}_s"][1] < before[f"{name}_s"][1]
    assert after[f"{other}_s"] == pytest.approx(before[f"{other}_s"])
    assert "(our rack) corrects the time" in scenario.intervals.likeness


def test_no_promise_of_the_first_token_in_a_crowd(evaluated: Evaluate) -> None:
    crowded = evaluated(concurrency=400)
    assert "ttft_s" not in bounds(crowded)
    assert set(bounds(crowded)) == {"tpot_s", "tpot_within_s", "tokens_per_s_per_user"}
    assert not bounds(crowded, "cost")  # nor of what needs the time to the first token
    assert "no interval is given" in crowded.intervals.likeness
    assert "ttft_s" in bounds(
        evaluated(concurrency=400, calibration={"measured_ttft_over_predicted": 1.0})
    )  # what was measured is known


def test_rates_that_the_demand_sets_are_not_in_doubt(evaluated: Evaluate) -> None:
    """Slower answers then mean more requests in flight."""
    asked = evaluated(concurrency="auto")
    assert "tokens_per_s" not in bounds(asked)
    assert not bounds(asked, "cost")
    assert "tpot_s" in bounds(asked)


def test_an_explanation_holds_its_interval(evaluated: Evaluate) -> None:
    tree = evaluated().explain("performance.tpot_s")
    assert tree["interval"]["low"] < tree["value"] < tree["interval"]["high"]


def test_a_sample_of_the_design_has_both_doubts(evaluated: Evaluate) -> None:
    scenario = evaluated()
    values = scenario.document.as_dict()
    inputs = varying_inputs(scenario, values, scenario.resolved, ready_catalog())
    found = {one.place: one for one in inputs if one.origin == "prediction"}
    assert set(found) == {f"workload.measured_over_predicted_{name}" for name in ("tpot", "ttft")}
    tpot = found["workload.measured_over_predicted_tpot"].distribution
    assert (tpot.low, tpot.high) == factors(latency_doubt(ready_catalog(), None).tpot)


def test_what_was_measured_is_said(evaluated: Evaluate) -> None:
    said = evaluated().intervals.likeness
    assert "Measured were the model, the engine, accelerators of this generation" in said
    assert "No one measured" not in said


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"model": "qwen3_8b"}, "the model (qwen3_8b)"),
        ({"model": "deepseek_v3_2"}, "the model (deepseek_v3_2) or this kind of attention (sparse)"),
        ({"precision": "int8"}, "this number format (int8)"),
    ],
)
def test_what_nobody_measured_widens_the_bounds_and_is_named(
    evaluated: Evaluate, changes: dict[str, Any], said: str
) -> None:
    known, found = bounds(evaluated()), evaluated(**changes)
    for name in ("tpot_s", "tpot_within_s", "ttft_s"):
        low, high = bounds(found)[name]
        assert low < known[name][0] < known[name][1] < high
    assert f"No one measured {said}" in found.intervals.likeness


def test_widths_add_up_in_squares() -> None:
    low, high = widened((0.8, 1.3), [0.3, 0.4])
    assert math.log(high) == pytest.approx(math.hypot(math.log(1.3), 0.5))
    assert math.log(low) == pytest.approx(-math.hypot(math.log(0.8), 0.5))
    assert widened((0.8, 1.3), []) == pytest.approx((0.8, 1.3))


def test_every_kind_that_may_be_unmeasured_has_a_width() -> None:
    catalog = ready_catalog()
    for kind in WORDS:
        for name in WIDER.values():
            assert 0 < catalog.assumption(ROOM, name, {"unmeasured": kind}).value < 1, kind


def test_machines_that_keep_a_model_on_the_chip_have_no_interval(seeded_data_dir: object) -> None:
    """Cerebras WSE-3: its memory is on-wafer SRAM in the catalog."""
    catalog = ready_catalog()
    scenario = evaluate_scenario(build_scenario(VALUES), catalog)
    design = scenario.resolved.design
    wafer = dataclasses.replace(
        design,
        supernode=dataclasses.replace(
            design.supernode,
            accelerator=dataclasses.replace(
                design.supernode.accelerator, key="cerebras_wse3", name="WSE-3", generation="cerebras"
            ),
        ),
    )
    doubt = latency_doubt(catalog, None, wafer)
    assert "WSE-3 keeps a model in on-wafer SRAM" in doubt.unknown
    found = serving_intervals(wafer, scenario.evaluation.sections, doubt)
    assert found.likeness == doubt.unknown
    for room in (found.performance, found.cost):
        assert {one["low"] for one in dataclasses.asdict(room).values()} == {None}
    assert not latency_doubt(catalog, None, design).unknown
