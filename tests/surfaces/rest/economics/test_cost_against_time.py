"""Systems compared over HTTP."""

from __future__ import annotations

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

PATH = "/api/v1/economics/cost_against_time"


def test_a_curve_a_system(reading_client) -> None:
    body = {"scenario": scenario(), "systems": ["dgx_b200", "tpu_v5p_pod"], "paid": "on_demand"}
    answer = reading_client.post(PATH, json=body)
    assert answer.status_code == 200
    found, schemas = answer.json(), named_schemas()
    assert set(found) == set(schemas["CostAgainstTime"]["properties"])
    assert set(found["curves"][0]) == set(schemas["SystemCurve"]["properties"])
    assert set(found["curves"][0]["points"][0]) == set(schemas["PodPoint"]["properties"])
    assert [curve["key"] for curve in found["curves"]] == [None, "dgx_b200", "tpu_v5p_pod"]
    tpu = found["curves"][2]
    assert {point["usd_per_run"]["owned"] for point in tpu["points"]} == {None}
    assert any("owned" in one["hides"] for one in tpu["unknown"])
    assert reading_client.post(PATH, json=body).json() == found


def test_what_cannot_be_asked_is_named(reading_client) -> None:
    for options, pointer in (
        ({"paid": "stolen"}, "#/paid"),
        ({"shared": "deadline"}, "#/deadline_days"),
        ({"deadline_days": -1}, "#/deadline_days"),
        ({"colour": "red"}, "#/colour"),
    ):
        problem = assert_problem(reading_client.post(PATH, json={"scenario": scenario(), **options}), 422)
        assert problem["errors"][0]["pointer"] == pointer
    body = {"scenario": scenario(), "systems": ["dgx_h101"]}
    problem = assert_problem(reading_client.post(PATH, json=body), 422)
    assert "dgx_h100" in str(problem["errors"])
