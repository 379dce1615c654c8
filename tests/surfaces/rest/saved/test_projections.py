"""Saved projections: what they come to, at the save and today, and what cannot be saved."""

from __future__ import annotations

import pytest

from tests.surfaces.rest.conftest import assert_problem
from tests.surfaces.rest.saved.conftest import NOBODY, PROJECTIONS, edge_node, said, samples


@pytest.fixture
def projection(save):
    return save(samples()["projection"])


def test_it_comes_to_the_same_as_when_it_is_posted(asgi_client, projection):
    posted = said(
        asgi_client.post("/api/v1/projections", json={"scenario": edge_node(), "deadline_days": 90})
    )
    then = said(asgi_client.get(f"{projection.path}/revisions/1/projection"))
    assert said(asgi_client.get(f"{projection.path}/projection")) == then == posted
    summary = projection.content["summary"]
    assert summary["tokens"] == posted["model"]["tokens"]
    assert (summary["design"], summary["days"]) == (posted["design"]["name"], pytest.approx(90))


def test_figures_are_compared_with_the_inputs(asgi_client, projection):
    asgi_client.put(projection.path, json=projection.sample.other, headers={"if-match": projection.etag})
    figures = {
        change["path"]: change for change in said(asgi_client.get(f"{projection.path}/diff"))["results"]
    }
    assert figures["model.flops"]["after"] == pytest.approx(figures["model.flops"]["before"] / 2)
    assert figures["design.days"]["after"] == pytest.approx(45)


def test_a_saved_scenario_is_named_by_its_id(asgi_client, scenario):
    named = {"name": "By id", "scenario": scenario.content["id"], "deadline_days": 90}
    by_id = asgi_client.post(PROJECTIONS, json=named)
    assert by_id.status_code == 201
    path = by_id.headers["location"]
    then = said(asgi_client.get(f"{path}/projection"))
    asgi_client.delete(scenario.path, headers={"if-match": "*"})
    gone = assert_problem(asgi_client.get(f"{path}/projection"), 422)
    assert gone["errors"][0]["pointer"] == "#/scenario"
    assert "Restore it" in gone["errors"][0]["hint"]
    # what was saved stays
    assert said(asgi_client.get(f"{path}/revisions/1/projection")) == then


@pytest.mark.parametrize(
    ("members", "pointer", "words"),
    [
        ({"scenario": "edge_nod", "deadline_days": 90}, "#/scenario", "There is no example"),
        ({"scenario": NOBODY, "deadline_days": 90}, "#/scenario", "There is no example"),
        ({"scenario": "Edge node", "deadline_days": 90}, "#/scenario", "neither the key"),
        ({"scenario": {"workload": {}}, "deadline_days": 90}, "#/scenario/workload/", ""),
        ({"deadline_days": 90}, "#/deadline_days", "needs a design"),
        ({"loss": 1.2}, "#/loss", "irreducible"),
        ({}, "#", "Nothing is known"),
    ],
)
def test_what_cannot_be_is_not_saved(asgi_client, members, pointer, words):
    answer = asgi_client.post(PROJECTIONS, json={"name": "Wrong", **members})
    problem = assert_problem(answer, 422, "invalid-projection")
    error = problem["errors"][0]
    assert error["pointer"].startswith(pointer)
    assert words in error["message"]
