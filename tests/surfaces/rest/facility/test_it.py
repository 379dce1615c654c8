"""IT power of a scenario over HTTP."""

from __future__ import annotations

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/facility/it"


def test_components_caps_and_swing(asgi_client) -> None:
    answer = asgi_client.post(PATH, json={"scenario": scenario(), "ramp_limit_w_per_s": 5e4})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["ItPower"]["properties"])
    assert set(found["parts"][0]) == set(named_schemas()["PartLine"]["properties"])
    for state in ("idle_w", "mean_w", "peak_w", "design_w"):
        known = sum(part[state] or 0 for part in found["parts"])
        assert known == pytest.approx(found["totals"][state], rel=1e-9)
    assert found["swing"]["ramp_limit_w_per_s"] == 5e4
    assert found["caps"][0]["power_cap"] == 1
    assert found["problems"] == []


def test_what_cannot_be_is_named(asgi_client) -> None:
    problem = assert_problem(
        asgi_client.post(PATH, json={"scenario": scenario(), "ramp_limit_w_per_s": 0}), 422
    )
    assert problem["errors"][0]["pointer"] == "#/ramp_limit_w_per_s"
    assert_problem(asgi_client.post(PATH, json={"ramp_limit_w_per_s": 1}), 422)
