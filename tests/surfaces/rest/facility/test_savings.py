"""The energy what-if of a scenario over HTTP."""

from __future__ import annotations

import math

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/facility/savings"


def test_steps_sum_to_the_whole(asgi_client) -> None:
    laid_out = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1})
    asked = {"scenario": laid_out, "steps": ["liquid_cooling", "renewables"], "battery_h": 8}
    answer = asgi_client.post(PATH, json=asked)
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["FacilitySavings"]["properties"])
    assert [step["step"] for step in found["steps"]] == ["liquid_cooling", "renewables"]
    saved = math.fsum(step["grid_kwh"] for step in found["steps"])
    assert saved == pytest.approx(found["baseline"]["grid_kwh"] - found["final"]["grid_kwh"])
    assert found["steps"][1]["utilities_usd"] is None  # clean energy has no price
    assert len(found["matching"]["matched_by_month_and_hour"]) == 12
    assert found["verdict"]["reached_by"] in ("grid", "neither")


def test_what_cannot_be_is_named(asgi_client) -> None:
    asked = {"scenario": scenario(), "steps": ["solar"], "flexible_share": 2, "battery_h": -1}
    problem = assert_problem(asgi_client.post(PATH, json=asked), 422)
    found = {error["pointer"]: f"{error['message']} {error['hint']}" for error in problem["errors"]}
    assert set(found) == {"#/steps/0", "#/flexible_share", "#/battery_h"}
    assert "renewables" in found["#/steps/0"]
    assert_problem(asgi_client.post(PATH, json={}), 422)
