"""Scaling laws and projections over HTTP: what the scenario room gives, every member of the schema."""

from __future__ import annotations

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.surfaces.rest.conftest import assert_problem

LAWS = "/api/v1/scaling-laws"
PROJECTIONS = "/api/v1/projections"


@pytest.fixture
def small(asgi_client):
    return asgi_client.get("/api/v1/examples/edge_node").json()


def test_laws_are_listed(asgi_client):
    answer = asgi_client.get(LAWS)
    assert answer.status_code == 200
    found = answer.json()
    assert found["items"][0]["key"] == found["default"] == "epoch_refit"
    assert {"kaplan", "chinchilla_1", "chinchilla_2", "chinchilla_3", "llama_3", "deepseek"} < {
        law["key"] for law in found["items"]
    }
    refit = {constant["name"]: constant for constant in found["items"][0]["constants"]}
    assert (refit["alpha"]["value"], refit["alpha"]["standard_error"]) == (0.3478, 0.0154)
    assert asgi_client.get(LAWS, headers={"if-none-match": answer.headers["etag"]}).status_code == 304


def test_a_projection_without_a_scenario(asgi_client):
    answer = asgi_client.post(PROJECTIONS, json={"flops": 5.76e23})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["Projection"]["properties"])
    assert found["model"]["tokens_per_parameter"] == pytest.approx(18.4, abs=0.05)


def test_a_projection_of_a_design(asgi_client, small):
    found = asgi_client.post(PROJECTIONS, json={"scenario": small, "deadline_days": 90}).json()
    assert set(found["design"]) == set(named_schemas()["Projection"]["properties"]["design"]["properties"])
    assert found["design"]["days"] == pytest.approx(90)
    assert found["binding"] == "deadline_days"


@pytest.mark.parametrize(
    ("body", "pointer", "said"),
    [
        ({"tokens": 0}, "#/tokens", "at least 1"),
        ({"loss": 1.2}, "#/loss", "irreducible"),
        ({"law": "llama_3", "loss": 2.0}, "#/loss", "not what loss"),
        ({"deadline_days": 3}, "#/deadline_days", "design"),
        ({"flops": "many"}, "#/flops", "number"),
        ({"scenario": {}, "flops": 1e21}, "#/scenario/workload", "required"),
    ],
)
def test_what_cannot_be_is_a_problem(asgi_client, body, pointer, said):
    problem = assert_problem(asgi_client.post(PROJECTIONS, json=body), 422)
    error = next(one for one in problem["errors"] if one["pointer"] == pointer)
    assert said in error["message"]


def test_a_body_that_is_no_mapping(asgi_client):
    assert asgi_client.post(PROJECTIONS, json=[1]).status_code == 422
