"""A memory pool beside own and host memory: the figures that the guide states, and what has no answer."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.fabric.memory_pool import MemoryPoolAnswer, MemoryPoolOptions, memory_pool, memory_pool_text
from app.views.searching.recent import RecentSearches
from app.views.view import Resources
from tests.scenarios.test_memory_pool import CXL, HOSTS, TRAINED, served

ROOT = Path(__file__).resolve().parents[3]


def asked(values: dict[str, Any], **options: object) -> MemoryPoolAnswer:
    catalog = ready_catalog()
    given = Resources(
        catalog=catalog, evaluated=lambda one: evaluate_scenario(one, catalog), searches=RecentSearches()
    )
    scenario = evaluate_scenario(build_scenario(values | {"name": "One"}), catalog)
    return memory_pool(scenario, given, MemoryPoolOptions.model_validate(options))


@pytest.mark.slow
@pytest.mark.parametrize(("kept", "row"), [(1 / 18, "1 in 18"), (1.0, "all")])
def test_the_guide_states_what_a_pool_saves_and_costs(kept: float, row: str) -> None:
    answer = asked(served(CXL, "pool", sessions={"kept_share": kept}))
    guide = (ROOT / "docs" / "supernode.md").read_text()
    found = " | ".join(f"{100 * one.context_hit_share:.2g} %" for one in answer.choices)
    cost = " | ".join(f"{one.usd_per_unit:.2f}" for one in answer.choices)
    assert f"| {row}: context found | {found} |" in guide
    assert f"| {row}: USD per million output tokens | {cost} |" in guide
    own, _, pool = answer.choices
    assert round(pool.capex_usd_per_accelerator - own.capex_usd_per_accelerator, -2) == 7600
    assert round(pool.rated_power_w_per_accelerator - own.rated_power_w_per_accelerator) == 144
    assert "7,600 USD and 144 W" in guide
    assert answer.in_flight_bytes == pytest.approx(32e9 * 400e-9)
    assert answer.bytes == 72 * 500e9
    assert answer.memory_access == "load_store"
    assert "less" in memory_pool_text(answer)


@pytest.mark.slow
def test_a_pool_that_the_options_state_is_as_one_that_the_scenario_does() -> None:
    stated = asked(served(HOSTS, "pool"))
    assert asked(served(), **HOSTS) == stated
    hosts, pool = stated.choices[1:]
    assert hosts.capex_usd_per_accelerator == pool.capex_usd_per_accelerator


@pytest.mark.slow
def test_a_training_job_is_compared_by_its_step() -> None:
    answer = asked(TRAINED | {"supernode": {"system": "gb200_nvl72", "memory_pool": CXL}})
    own, host, pool = answer.choices
    assert own.step_time_s < host.step_time_s < pool.step_time_s
    assert math.isnan(pool.ttft_s)


def test_work_that_leaves_nothing_behind_and_a_missing_pool_are_refused() -> None:
    plain = served()
    plain["workload"]["requests"] = {"input_tokens": 1000}
    for values, options, path in ((plain, CXL, "workload.requests"), (served(), {}, "supernode.memory_pool")):
        with pytest.raises(ScenarioError) as caught:
            asked(values, **options)
        assert caught.value.errors[0].path == path
