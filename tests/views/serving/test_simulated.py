"""Simulated requests beside the formulas: ten deployments at several loads, promises kept, and the view itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.views.serving.loads import fullest, many_loads, under
from app.views.serving.served import served
from app.views.serving.simulated import SimulatedView, SimulationOptions, simulated_view

DEPLOYMENTS: tuple[dict[str, Any], ...] = (
    {"model": "llama_3_1_8b", "system": "dgx_h100", "tp": 1, "input": 1024, "output": 256},
    {"model": "llama_3_1_8b", "system": "dgx_h100", "tp": 1, "input": 8192, "output": 256},
    {"model": "llama_3_1_8b", "system": "dgx_h100", "tp": 1, "input": 256, "output": 1024, "varies": (0, 0)},
    {"model": "llama_3_1_70b", "system": "dgx_h100", "tp": 4, "input": 2048, "output": 512},
    {
        "model": "llama_3_1_70b",
        "system": "dgx_h100",
        "tp": 8,
        "input": 8192,
        "output": 256,
        "varies": (0.5, 1),
    },
    {"model": "llama_3_1_70b", "system": "dgx_h200", "tp": 2, "input": 512, "output": 512, "varies": (1, 0)},
    {"model": "deepseek_v3", "system": "dgx_h200", "tp": 8, "input": 1024, "output": 1024},
    {"model": "deepseek_v3", "system": "dgx_h200", "tp": 1, "dp": 8, "input": 4096, "output": 512},
    {
        "model": "gpt_oss_120b",
        "system": "dgx_b200",
        "tp": 2,
        "input": 1024,
        "output": 1024,
        "format": "mxfp4",
    },
    {"model": "qwen3_32b", "system": "dgx_h200", "tp": 2, "input": 16384, "output": 256, "varies": (0, 1)},
)
LOADS = (0.3, 0.6, 0.9)
"""Of the highest rate at which nothing is busy for more than 99 % of the time."""


def deployed(of: dict[str, Any], **workload: Any) -> EvaluatedScenario:
    inputs, outputs = of.get("varies", (1, 1))
    values = {
        "workload": {
            "kind": "serving", "model": of["model"], "precision": of.get("format", "fp8"), "arrivals": "random",
            "layout": {"tp": of["tp"], "dp": of.get("dp", 1), "instances": 1},
            "requests": {
                "input_tokens": of["input"], "output_tokens": of["output"], "input_variation": inputs,
                "output_variation": outputs,
            },
        } | workload,
        "supernode": {"system": of["system"]},
        "pod": {"supernodes": 1},
    }  # fmt: skip
    return evaluate_scenario(ScenarioDocument.model_validate(values), ready_catalog())


def highest(scenario: EvaluatedScenario) -> float:
    """Requests per second of one replica."""
    found = served(scenario, "A test")
    loads = under(found, many_loads(found.setting, fullest(found)))
    steady = np.all(
        [np.broadcast_to(busy, loads.concurrency.shape) <= 0.99 for busy in loads.answers.busy.values()],
        axis=0,
    )
    return float(loads.requests_per_s[steady].max())


def simulated(scenario: EvaluatedScenario, load: float = 0.5, **options: Any) -> SimulatedView:
    rate = load * highest(scenario)
    return simulated_view(scenario, SimulationOptions(requests_per_s=rate, minutes=240, **options))


def compared() -> dict[str, np.ndarray]:
    """Formula over simulation of all deployments at all loads."""
    found: dict[str, list[float]] = {}
    for of in DEPLOYMENTS:
        scenario = deployed(of)
        for load in LOADS:
            for row in simulated(scenario, load).rows:
                assert row.difference is not None
                found.setdefault(f"{row.of} {row.measure}", []).append(1 + row.difference)
    return {name: np.array(values) for name, values in found.items()}


@pytest.mark.slow
def test_formulas_agree_with_the_simulation_of_thirty_cases() -> None:
    found = compared()
    for name in ("tpot mean", "ttft mean", "end_to_end mean"):
        off = np.abs(np.log(found[name]))
        assert np.median(off) < 0.05, name
        assert np.mean(off < np.log(1.08)) >= 0.75, name
        assert off.max() < np.log(1.2), name
    for name in ("tpot p95", "ttft p95", "end_to_end p95"):
        off = np.abs(np.log(found[name]))
        assert np.mean(off < np.log(1.15)) >= 0.85, name
        assert off.max() < np.log(1.25), name


@pytest.mark.slow
@pytest.mark.parametrize("of", DEPLOYMENTS, ids=lambda of: f"{of['model']}-{of['input']}")
def test_sizing_never_promises_more_than_the_simulation_keeps(of: dict[str, Any]) -> None:
    """Both promises at 1.6 times what one request takes by itself, at the highest rate that keeps them."""
    alone = deployed(of, concurrency=1, arrivals="steady").evaluation.sections.performance
    level = {
        "ttft_s": 1.6 * float(alone.ttft_percentiles_s["p95"][0]),
        "tpot_s": 1.6 * float(alone.tpot_s[0]),
    }
    scenario = deployed(of, service_level=level)
    performance = scenario.evaluation.sections.performance
    rate = float(performance.requests_per_s_limit[0])
    assert rate > 0
    view = simulated_view(scenario, SimulationOptions(requests_per_s=rate, minutes=240))
    measured = {f"{row.of} {row.measure}": row.simulated_s for row in view.rows}
    assert measured["ttft p95"] <= level["ttft_s"]
    assert measured["tpot p95"] <= level["tpot_s"]


def test_bursts_wait_longer_and_an_even_stream_does_not() -> None:
    scenario = deployed(DEPLOYMENTS[0])
    waits = []
    for variation in (0, 1, 4):
        view = simulated(scenario, 0.6, arrival_variation=variation)
        waits.append(next(row.simulated_s for row in view.rows if (row.of, row.measure) == ("ttft", "p95")))
    assert waits == sorted(waits)
    assert waits[2] > 1.5 * waits[0]


def test_the_same_seed_gives_the_same_requests() -> None:
    scenario = deployed(DEPLOYMENTS[0])
    one, same, other = (
        simulated_view(scenario, SimulationOptions(minutes=1, requests_per_s=5, seed=seed))
        for seed in (7, 7, 8)
    )
    assert one == same
    assert one.rows != other.rows


def test_what_a_view_says() -> None:
    scenario = deployed(DEPLOYMENTS[3], service_level={"ttft_s": 1.0, "tpot_s": 0.05})
    view = simulated_view(scenario, SimulationOptions(minutes=10, requests_per_s=2))
    assert view.minutes == 10
    assert view.cut_from_minutes is None
    assert view.requests == pytest.approx(1200, rel=0.1)
    assert sum(minute.requests for minute in view.by_minute) == view.requests
    assert view.within_promise is not None
    assert 0.9 < view.within_promise <= 1
    assert view.prefill_share is not None
    assert 0 < view.prefill_share < 1
    assert 0 < view.most_running <= view.places
    for curve in view.curves:
        assert list(curve.simulated_s) == sorted(curve.simulated_s)
    cut = simulated_view(scenario, SimulationOptions(minutes=240, requests_per_s=5.5))
    assert cut.cut_from_minutes == 240
    assert cut.minutes < 240


def test_more_than_can_be_answered_has_no_steady_state() -> None:
    view = simulated(deployed(DEPLOYMENTS[3]), 3.0)
    assert all(row.formula_s is None and row.difference is None for row in view.rows)
    first = [minute.ttft_p95_s for minute in view.by_minute if minute.ttft_p95_s is not None]
    assert first[-1] > 2 * first[0]


def test_a_group_agrees_too() -> None:
    values = {
        "workload": {
            "kind": "serving", "model": "llama_3_1_70b", "arrivals": "random",
            "layout": {"prefill": {"tp": 2, "instances": 2}, "decode": {"tp": 4, "instances": 1}},
            "requests": {"input_tokens": 2048, "output_tokens": 512},
        },
        "supernode": {"system": "dgx_h100"},
        "pod": {"supernodes": 1},
    }  # fmt: skip
    scenario = evaluate_scenario(ScenarioDocument.model_validate(values), ready_catalog())
    view = simulated(scenario, 0.7)
    found = {f"{row.of} {row.measure}": row.difference for row in view.rows}
    assert abs(found["tpot mean"]) < 0.08
    assert abs(found["ttft mean"]) < 0.15
    assert abs(found["end_to_end p95"]) < 0.1
    assert view.prefill_share is None


def test_a_pod_that_cannot_hold_a_request_simulates_nothing() -> None:
    of = {"model": "llama_3_1_405b", "system": "dgx_h100", "tp": 1, "input": 1024, "output": 256}
    with pytest.raises(ScenarioError, match="holds no request"):
        simulated_view(deployed(of), SimulationOptions())


MIX = (
    {"name": "Chat", "share": 0.7, "input_tokens": 800, "output_tokens": 300},
    {"name": "Retrieval", "share": 0.25, "input_tokens": 8000, "output_tokens": 200, "cached_share": 0.2},
    {"name": "Summary", "share": 0.05, "input_tokens": 30000, "output_tokens": 800, "input_variation": 0.3},
)


def test_classes_are_simulated_with_their_own_lengths_and_agree_with_the_formulas() -> None:
    of = {"model": "llama_3_1_70b", "system": "dgx_h100", "tp": 4, "input": 1, "output": 1}
    level = {"ttft_s": 2.0, "tpot_s": 0.1}
    view = simulated(
        deployed(of, requests={"classes": list(MIX)}, service_level=level), 0.5, arrival_variation=1
    )
    assert sum(one.requests for one in view.classes) == view.requests
    assert view.within_promise == pytest.approx(
        sum((one.within_promise or 0) * one.requests for one in view.classes) / view.requests
    )
    for one, stated in zip(view.classes, MIX, strict=True):
        assert one.name == stated["name"]
        assert one.requests / view.requests == pytest.approx(float(str(stated["share"])), rel=0.1)
        off = {(row.of, row.measure): row.difference for row in one.rows}
        for name, most in {"ttft": 0.08, "end_to_end": 0.1, "tpot": 0.12}.items():
            assert abs(off[name, "mean"] or 1) < most, (one.name, name)
        assert abs(off["ttft", "p95"] or 1) < 0.12
        assert abs(off["end_to_end", "p95"] or 1) < 0.15
    first = {one.name: one.rows[0].simulated_s for one in view.classes}
    assert first["Chat"] < first["Retrieval"] < first["Summary"]


@pytest.mark.parametrize("times", [3, 6])
def test_sizing_of_a_mix_keeps_the_first_token_in_the_simulation(times: float) -> None:
    of = {"model": "llama_3_1_70b", "system": "dgx_h100", "tp": 4, "input": 1, "output": 1}
    requests = {"classes": list(MIX)}
    alone = deployed(of, requests=requests, concurrency=1, arrivals="steady").evaluation.sections.performance
    level = {"ttft_s": times * float(alone.ttft_percentiles_s["p95"][0])}
    scenario = deployed(of, requests=requests, service_level=level)
    rate = float(scenario.evaluation.sections.performance.requests_per_s_limit[0])
    assert rate > 0
    view = simulated_view(scenario, SimulationOptions(requests_per_s=rate, minutes=120))
    assert view.within_promise is not None
    assert view.within_promise >= 0.94


@pytest.mark.parametrize("concurrency", [60, 90])
def test_sessions_are_followed_through_the_cache_as_the_formulas_find_them(concurrency: int) -> None:
    of = {"model": "llama_3_1_70b", "system": "dgx_h100", "tp": 4, "input": 1, "output": 1}
    session = {"turns": 8, "system_tokens": 2000, "added_tokens": 300, "answer_tokens": 400, "gap_s": 60}
    scenario = deployed(of, requests={"sessions": session}, concurrency=concurrency)
    rate = float(scenario.evaluation.sections.performance.requests_per_s[0])
    view = simulated_view(scenario, SimulationOptions(requests_per_s=rate, minutes=60))
    assert view.sessions is not None
    assert view.sessions.simulated
    assert view.sessions.formula_hit_share is not None
    assert 0.3 < view.sessions.context_hit_share < 0.95
    assert view.sessions.context_hit_share == pytest.approx(view.sessions.formula_hit_share, abs=0.05)
    found, lost = view.classes
    assert found.requests + lost.requests == view.requests
    assert found.rows[0].simulated_s < lost.rows[0].simulated_s
    off = {(row.of, row.measure): row.difference for row in view.rows}
    assert abs(off["end_to_end", "mean"] or 1) < 0.12
    assert abs(off["ttft", "mean"] or 1) < 0.12
    # 4,750 tokens of a prompt; 300 new, and 2,450 of former turns in the mean
    expected = 1 - (300 + 2450 * (1 - view.sessions.context_hit_share)) / 4750
    assert view.found_share == pytest.approx(expected, abs=0.02)


def test_sessions_of_prefill_instances_are_drawn_and_say_so() -> None:
    of = {"model": "llama_3_1_70b", "system": "dgx_h100", "tp": 4, "input": 1, "output": 1}
    session = {"turns": 8, "system_tokens": 2000, "added_tokens": 300, "answer_tokens": 400, "gap_s": 60}
    apart = {"prefill": {"tp": 4}, "decode": {"tp": 4}}
    scenario = deployed(of, requests={"sessions": session}, concurrency=40, layout=apart)
    view = simulated_view(scenario, SimulationOptions(minutes=10))
    assert view.sessions is not None
    assert not view.sessions.simulated
    assert view.sessions.context_hit_share == pytest.approx(view.sessions.formula_hit_share or 0, abs=0.05)
