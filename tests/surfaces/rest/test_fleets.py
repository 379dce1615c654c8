"""Fleets over HTTP: asked for, followed, read, cancelled, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from app.surfaces.rest.fleets import EXAMPLES
from tests.asgi import AsgiClient
from tests.surfaces.rest.conftest import assert_problem
from tests.surfaces.rest.test_sweeps import finished

pytestmark = pytest.mark.slow

FLEETS = "/api/v1/fleets"
FLEET: dict[str, Any] = EXAMPLES["classes"]["value"]


def test_a_fleet_is_run_in_the_background(asgi_client: AsgiClient) -> None:
    answer = asgi_client.post(FLEETS, json=FLEET)
    assert answer.status_code == 202, answer.text
    job = finished(asgi_client, answer)
    assert (job["state"], job["kind"], job["done"], job["total"]) == ("done", "fleet", 4, 4)
    found = asgi_client.get(job["results"]).json()
    assert [policy["key"] for policy in found["policies"]] == ["fifo", "preemption"]
    figures = {one["name"]: one for one in found["policies"][0]["figures"]}
    assert 0 < figures["productive"]["mean"] < 1
    assert figures["productive"]["low"] < figures["productive"]["mean"] < figures["productive"]["high"]
    assert figures["cost_usd"]["mean"] is None  # no price was stated
    assert [row["name"] for row in found["policies"][0]["waiting"]] == ["All jobs", "Research", "Training"]
    assert len(found["policies"][0]["timeline"]["in_use"]) == 96
    assert_problem(asgi_client.get(f"/api/v1/jobs/{job['id']}/results"), 404, "not-found")


def test_a_trace_runs_and_a_pod_may_name_a_design(asgi_client: AsgiClient) -> None:
    fleet = EXAMPLES["trace"]["value"] | {"pods": [{"design": "gpt_3_175b_on_128_dgx_a100", "supernodes": 2}]}
    job = finished(asgi_client, asgi_client.post(FLEETS, json=fleet))
    found = asgi_client.get(job["results"]).json()
    assert (found["trace_format"], found["trace_rows"], found["accelerators"]) == ("Podwright", 2, 16)
    figures = {one["name"]: one["mean"] for one in found["policies"][0]["figures"]}
    assert figures["cost_usd"] > 0
    assert figures["energy_kwh"] > 0
    assert figures["carbon_kg"] > 0


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pods": [{"supernodes": 2}]}, "Pod Pod does not state accelerators"),
        ({"pods": [{"design": "nothing"}]}, "no saved scenario 'nothing'"),
        ({"pods": [{"supernodes": 1, "accelerators": 4}]}, "Research has jobs of 8 accelerators"),
        ({"policies": ["lifo"]}, "lifo"),
        ({"classes": []}, "needs classes"),
        ({"find": ["mix"]}, "needs rented accelerators"),
        ({"days": 1}, "must be below days"),
    ],
)
def test_what_is_refused(asgi_client: AsgiClient, changes: dict[str, Any], words: str) -> None:
    answer = asgi_client.post(FLEETS, json=FLEET | changes)
    assert answer.status_code == 422, answer.text
    assert words in answer.text


def test_bad_rows_of_a_trace_are_listed(asgi_client: AsgiClient) -> None:
    csv = "arrival_s,accelerators,duration_s\n0,4,-1\n1,400,5\n2,1,5\n"
    fleet = EXAMPLES["trace"]["value"]
    answer = asgi_client.post(FLEETS, json=fleet | {"trace": {"csv": csv}})
    assert_problem(answer, 422, "invalid-fleet")
    assert [error["message"].split(":")[0] for error in answer.json()["errors"]] == ["Row 2", "Row 3"]
    job = finished(
        asgi_client, asgi_client.post(FLEETS, json=fleet | {"trace": {"csv": csv, "skip_bad_rows": True}})
    )
    found = asgi_client.get(job["results"]).json()
    assert found["trace_faults"] == 2
    assert found["policies"][0]["waiting"][0]["jobs"] == 1


def test_a_fleet_can_be_cancelled(asgi_client: AsgiClient) -> None:
    answer = asgi_client.post(FLEETS, json=FLEET | {"replications": 50, "days": 60})
    cancelled = asgi_client.delete(answer.headers["location"])
    assert cancelled.json()["cancel_requested"]
    assert finished(asgi_client, answer)["state"] == "cancelled"
