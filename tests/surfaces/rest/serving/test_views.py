"""A served model over HTTP: every view, and what is refused."""

from __future__ import annotations

import pytest

from app.views.serving.room import VIEWS
from tests.every_view import address_of
from tests.scenarios.support import scenario
from tests.support import read_example
from tests.surfaces.rest.conftest import assert_problem

SERVED = read_example("deepseek_r1_on_8_h200").as_dict()


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_a_job_that_runs_and_ends_is_refused(reading_client, view) -> None:
    problem = assert_problem(reading_client.post(address_of(view), json={"scenario": scenario()}), 422)
    assert problem["errors"][0]["code"] == "workload_kind"


def test_latency_at_the_load_of_the_scenario(reading_client) -> None:
    found = reading_client.post("/api/v1/serving/latency", json={"scenario": SERVED}).json()
    assert found["here"]["concurrency"] == 40
    assert found["load_from"] == "stated"
    assert found["breaks"] in ("ttft", "tpot", "memory", "none")


def test_costs_that_nobody_published_are_null_and_named(reading_client) -> None:
    asked = {"scenario": SERVED, "systems": ["dgx_b200"], "formats": ["fp8", "nvfp4"]}
    rows = reading_client.post("/api/v1/serving/cost", json=asked).json()["systems"]
    refused = next(row for row in rows if row["refused"])
    assert refused["usd_per_million_tokens"] is None
    assert "nvfp4" in refused["reason"]


def test_sizing_has_the_hours_of_a_demand(reading_client) -> None:
    values = read_example("deepseek_r1_on_8_h200").as_dict()
    values["workload"]["demand"] = {
        "requests_per_s": 30, "shape": "conversation_week", "autoscaling": {"enabled": True},
    }  # fmt: skip
    hours = reading_client.post("/api/v1/serving/sizing", json={"scenario": values}).json()["demand_hours"]
    assert len(hours["hours"]) == 168
    assert 0 < hours["scaling"]["freed_share"] < 1
    assert hours["scaling"]["headroom_is_enough"] is True
    assert {row["step"] for row in hours["rows"]} >= {
        "cold_start",
        "headroom_needed",
        "freed",
        "owned",
        "rented",
    }
    values["workload"]["demand"]["peak_to_mean"] = 3
    problem = assert_problem(reading_client.post("/api/v1/serving/sizing", json={"scenario": values}), 422)
    assert problem["errors"][0]["pointer"].endswith("workload/demand/peak_to_mean")
