"""Served models through all rooms: from the scenario to cost and carbon, and what is refused of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.design import evaluate
from app.engine.explore.limits import LIMITS, broken_limits
from app.engine.performance.serving.section import ServingPerformance
from app.engine.running.job import running
from app.engine.specs import ServingWorkload
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.scenarios.sweeping.chunks import computed
from app.scenarios.sweeping.document import SweepDocument
from app.scenarios.sweeping.plan import plan_sweep
from app.views.economics.carbon.answer import carbon_answer
from app.views.fabric.utilisation import fabric_utilisation
from tests.scenarios.serving.cases import values

pytestmark = pytest.mark.usefixtures("seeded_data_dir")

STRICT = {"service_level": {"ttft_s": 0.001, "tpot_s": 0.001}}
CASES: dict[str, dict[str, Any]] = {
    "fits": {},
    "below the floor": STRICT,
    "beyond the pod": {"demand": {"requests_per_s": 500}, "service_level": {"tpot_s": 0.05}},
    "does not fit": {"precision": "bf16"},
    "beyond the promise": {"concurrency": 1500, "service_level": {"tpot_s": 0.03}},
}


def found(**workload: Any) -> EvaluatedScenario:
    return evaluate_scenario(build_scenario(values(**workload)), ready_catalog())


def section(scenario: EvaluatedScenario) -> ServingPerformance:
    performance = scenario.evaluation.sections.performance
    assert isinstance(performance, ServingPerformance)
    return performance


@pytest.mark.parametrize("workload", CASES.values(), ids=CASES)
def test_problems_and_limits_agree(workload: dict[str, Any]) -> None:
    scenario = found(**workload)
    said = {one.constraint for one in scenario.evaluation.problems if one.kind == "infeasible"}
    broken = broken_limits(scenario.resolved.design, scenario.evaluation.sections)
    assert said == {name for name, flags in broken.items() if flags.any()}
    assert said <= set(LIMITS)
    assert bool(said) == (workload != {})


def test_every_case_has_all_its_figures() -> None:
    for workload in CASES.values():
        shown = found(**workload).as_json["performance"]
        assert {shown[name] is None for name in ("ttft_s", "tpot_s", "tokens_per_s", "batch")} == {False}


def test_nodes_that_serve_load_like_nodes_that_served() -> None:
    design = found().resolved.design
    assert design.facility.load_profile == "serving"
    assert design.assumptions.rooms["facility"].training_power_utilisation[0] == 0.69


def test_a_power_cap_makes_prefill_longer() -> None:
    free, capped = values(concurrency=8), values(concurrency=8)
    capped["facility"] = {"power_cap": 0.6}
    times = [
        section(evaluate_scenario(build_scenario(one), ready_catalog())).prefill_s[0]
        for one in (free, capped)
    ]
    assert times[1] > times[0]


def test_a_pod_keeps_layout_and_load_when_something_fails() -> None:
    scenario = found(service_level={"tpot_s": 0.03})
    kept = running(scenario.resolved.design).design
    assert isinstance(kept.workload, ServingWorkload)
    assert kept.workload.plan is not None
    again = evaluate(kept).sections.performance
    np.testing.assert_allclose(again.step_time_s, section(scenario).step_time_s)


def test_loads_can_be_swept() -> None:
    document = SweepDocument.model_validate(
        {
            "scenario": values(),
            "axes": [{"field": "workload.concurrency", "values": [8, 64]},
                     {"field": "economics.wacc", "values": [0.05, 0.1]}],
            "outputs": ["performance.tpot_s", "cost.usd_per_million_tokens"],
        }
    )  # fmt: skip
    plan = plan_sweep(document, build_scenario(values()), ready_catalog())
    assert list(plan.places) == ["economics.wacc"]
    chunks = [computed(plan.chunk(number)) for number in range(len(plan.cuts))]
    tpot, usd = (np.concatenate([one.values[place] for one in chunks]) for place in (0, 1))
    assert tpot[0] == tpot[1] < tpot[2]
    assert usd[0] < usd[1]


@pytest.mark.parametrize(
    "asked",
    [
        lambda scenario: carbon_answer(scenario, ready_catalog()),
        fabric_utilisation,
    ],
)
def test_what_is_of_a_run_is_refused(asked: Any) -> None:
    with pytest.raises(ScenarioError, match="a pod that serves has no run"):
        asked(found())


def test_what_the_intervals_are_is_said() -> None:
    intervals = found().as_json["intervals"]
    assert intervals["runs"] == 0
    assert intervals["likeness"]


LOADED: dict[str, Any] = {
    "layout": {"tp": 8}, "concurrency": 64, "requests": {"input_tokens": 30_000, "output_tokens": 500},
}  # fmt: skip


def with_engine(**engine: Any) -> ServingPerformance:
    return section(found(**LOADED, engine={"name": "vllm", **engine}))


def test_a_smaller_chunk_takes_more_passes_and_less_memory() -> None:
    usual, stated, small = with_engine(), with_engine(chunk_tokens=8192), with_engine(chunk_tokens=1024)
    assert stated.ttft_s == usual.ttft_s
    assert small.prefill_s > usual.prefill_s
    assert small.memory_breakdown_bytes["activations"] < usual.memory_breakdown_bytes["activations"]
    assert small.batch_limit >= usual.batch_limit


def test_no_more_sequences_run_than_the_engine_admits() -> None:
    """The others wait for a place; a limit above what memory holds changes nothing."""
    usual, few = with_engine(), with_engine(max_num_seqs=16)
    assert few.batch_limit == few.batch == 16
    assert few.tpot_s < usual.tpot_s
    assert few.ttft_breakdown_s["place_wait"] > usual.ttft_breakdown_s["place_wait"]
    assert with_engine(max_num_seqs=100_000).batch_limit == usual.batch_limit


def test_each_replica_of_attention_admits_its_own() -> None:
    one = section(
        found(**LOADED | {"layout": {"tp": 1, "dp": 8}}, engine={"name": "vllm", "max_num_seqs": 2})
    )
    assert one.batch_limit == 16


def test_a_larger_share_of_memory_holds_more_sequences() -> None:
    usual, more = with_engine(memory_share=0.9), with_engine(memory_share=0.95)
    assert usual.batch_limit == with_engine().batch_limit
    assert more.batch_limit > usual.batch_limit
    assert more.memory_capacity_bytes == pytest.approx(usual.memory_capacity_bytes * 0.95 / 0.9)


def test_what_was_stated_of_the_engine_is_shown_as_stated() -> None:
    origins = found(
        **LOADED, engine={"chunk_tokens": 4096, "max_num_seqs": 32, "memory_share": 0.8}
    ).resolved.origins
    for path, field in (
        ("assumptions.serving.chunk_tokens", "chunk_tokens"),
        ("assumptions.serving.memory_fraction", "memory_share"),
        ("workload.most_sequences", "max_num_seqs"),
    ):
        assert (origins[path].kind, origins[path].field) == ("scenario", f"workload.engine.{field}")
