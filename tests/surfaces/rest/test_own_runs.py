"""Kept runs over HTTP: kept by a calibration, listed, counted again, removed."""

from __future__ import annotations

import pytest

from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

OWN_RUNS = "/api/v1/own-runs"
CALIBRATIONS = "/api/v1/calibrations"


@pytest.fixture
def small(asgi_client):
    return asgi_client.get("/api/v1/examples/edge_node").json()


def test_kept_listed_used_and_removed(asgi_client, small):
    assert asgi_client.get(OWN_RUNS).json() == {"items": []}
    asked = {"scenario": small, "runs": [{"step_time_s": 15.6}]}
    alone = asgi_client.post(CALIBRATIONS, json=asked).json()
    assert asgi_client.get(OWN_RUNS).json() == {"items": []}  # unless it is asked for, nothing is kept
    for _ in range(2):  # given again, it is still one measurement
        assert asgi_client.post(CALIBRATIONS, json=asked | {"keep": True}).status_code == 200
    (run,) = asgi_client.get(OWN_RUNS).json()["items"]
    assert run["scenario"] == small["name"]
    assert run["source"] == "step time 15.6 s"
    assert set(run["deployment"]) == {"accelerator", "framework", "precision"}
    assert run["measured_tokens_per_s_per_accelerator"] == pytest.approx(alone["runs"][0]["measured"])
    assert run["kept_at"].endswith("Z")
    again = asgi_client.post(CALIBRATIONS, json={"scenario": small, "use_kept": True}).json()
    assert again["correction"] == pytest.approx(alone["correction"])
    assert asgi_client.delete(f"{OWN_RUNS}/{run['id']}").status_code == 204
    assert asgi_client.get(OWN_RUNS).json() == {"items": []}
    assert_problem(asgi_client.delete(f"{OWN_RUNS}/{run['id']}"), 404, "not-found")


def test_nothing_kept_of_the_deployment_is_said(asgi_client, small):
    answer = asgi_client.post(CALIBRATIONS, json={"scenario": small, "use_kept": True})
    (error,) = assert_problem(answer, 422, "invalid-scenario")["errors"]
    assert error["pointer"] == "#/use_kept"
    assert "No run is kept" in error["message"]


@pytest.mark.parametrize("id", ["0", "one", "99999999999999999999"])
def test_what_is_no_id_is_refused(asgi_client, id):
    assert_problem(asgi_client.delete(f"{OWN_RUNS}/{id}"), 400, "invalid-parameter")


def test_another_site_cannot_remove(asgi_client):
    answer = asgi_client.delete(f"{OWN_RUNS}/1", headers={"origin": "https://elsewhere.example"})
    assert_problem(answer, 403, "foreign-site")
