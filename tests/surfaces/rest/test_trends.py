"""Trends over HTTP: every member of the schema, conditional, and refused where nothing is asked for that there is."""

from __future__ import annotations

import pytest

from app.surfaces.rest.trends import GapAnswer, TrendAnswer, TrendsAnswer
from tests.surfaces.rest.conftest import assert_problem

TRENDS = "/api/v1/trends"


def test_trends_are_listed(asgi_client):
    answer = asgi_client.get(TRENDS)
    assert answer.status_code == 200
    found = TrendsAnswer.model_validate(answer.json())
    assert {"frontier_compute", "memory_bandwidth", "cluster_power"} < {one.key for one in found.items}
    assert asgi_client.get(found.items[0].href).json()["key"] == found.items[0].key
    assert asgi_client.get(TRENDS, headers={"if-none-match": answer.headers["etag"]}).status_code == 304


def test_one_trend(asgi_client):
    found = TrendAnswer.model_validate(asgi_client.get(f"{TRENDS}/frontier_compute").json())
    assert len(found.points) == found.n
    assert found.projection.years[-1] == 2030
    assert found.limits[0].value == 2e29
    problem = assert_problem(asgi_client.get(f"{TRENDS}/frontier"), 404)
    assert "frontier_compute" in problem["detail"]


def test_the_gap(asgi_client):
    answer = asgi_client.get(f"{TRENDS}/gap?from=nvidia_v100_sxm2_32&to=nvidia_gb200&precision=fp8")
    found = GapAnswer.model_validate(answer.json())
    assert [(one.key, one.factor) for one in found.compute] == [("fp8", 40.0)]
    tag = answer.headers["etag"]
    assert asgi_client.get(f"{TRENDS}/gap", headers={"if-none-match": tag}).status_code == 200


@pytest.mark.parametrize(
    ("query", "status", "parameter", "code"),
    [
        ("from=nvidia_v100", 422, "from", "one_of"),
        ("to=", 422, "to", "one_of"),
        ("from=nvidia_b200_sxm&to=nvidia_h100_sxm", 422, "to", "order"),
        ("precision=fp6", 400, "precision", "one_of"),
        ("since=2016", 400, "since", "unknown_parameter"),
    ],
)
def test_what_cannot_be_compared_is_a_problem(asgi_client, query, status, parameter, code):
    (error,) = assert_problem(asgi_client.get(f"{TRENDS}/gap?{query}"), status)["errors"]
    assert (error["parameter"], error["code"]) == (parameter, code)
    assert error["hint"]
