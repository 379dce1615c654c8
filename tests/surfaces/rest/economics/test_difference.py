"""What explains a difference over HTTP."""

from __future__ import annotations

import math

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/economics/difference"
LAID_OUT = {"parallelism": {"tp": 8, "pp": 1, "zero_stage": 1}}


def test_views_add_up(asgi_client) -> None:
    second = scenario(**LAID_OUT, facility={"site": "paris"}, economics={"wacc": 0.06})
    answer = asgi_client.post(PATH, json={"first": scenario(**LAID_OUT), "second": second, "figure": "tco"})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["Difference"]["properties"])
    assert [line["key"] for line in found["by_cause"]] == ["site", "terms"]
    for view in ("by_cause", "by_category", "by_factor"):
        assert math.fsum(line["amount"] for line in found[view]) == pytest.approx(found["difference"])


def test_what_cannot_be_is_named_on_its_side(asgi_client) -> None:
    asked = {"first": scenario(), "second": scenario(economics={"wacc": 2})}
    problem = assert_problem(asgi_client.post(PATH, json=asked), 422)
    assert [error["pointer"] for error in problem["errors"]] == ["#/second/economics/wacc"]
    problem = assert_problem(asgi_client.post(PATH, json={"first": scenario(), "figure": "speed"}), 422)
    assert {error["pointer"] for error in problem["errors"]} == {"#/second", "#/figure"}
    assert_problem(asgi_client.post(PATH, json=[]), 422)
