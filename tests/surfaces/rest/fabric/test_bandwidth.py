"""Ladders over HTTP."""

from __future__ import annotations

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.asgi import AsgiClient
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

PATH = "/api/v1/fabric/bandwidth"


def test_ladders_of_a_scenario_and_a_system(asgi_client: AsgiClient) -> None:
    answer = asgi_client.post(PATH, json={"scenario": scenario(), "systems": ["gb200_nvl72"]})
    assert answer.status_code == 200
    own, system = answer.json()["ladders"]
    assert set(own) == set(named_schemas()["Ladder"]["properties"])
    assert (own["key"], system["key"]) == ("", "gb200_nvl72")
    assert system["scale_up_over_scale_out"] == 18
    assert {rung["level"] for rung in own["rungs"]} >= {"registers", "scale_up", "scale_out", "wan"}


@pytest.mark.parametrize(
    ("systems", "pointer"),
    [(["dgx_h1000"], "#/systems/0"), (["dgx_h100"] * 5, "#/systems"), ("dgx_h100", "#/systems")],
)
def test_what_cannot_be_is_named(asgi_client: AsgiClient, systems: object, pointer: str) -> None:
    problem = assert_problem(asgi_client.post(PATH, json={"scenario": scenario(), "systems": systems}), 422)
    assert problem["errors"][0]["pointer"] == pointer
