"""Searches of served models over HTTP: the answer as declared, and every member checked."""

from __future__ import annotations

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

SEARCHES = "/api/v1/searches"


@pytest.fixture
def served(asgi_client):
    return asgi_client.get("/api/v1/examples/deepseek_r1_on_8_h200").json()


def test_an_answer_is_as_declared(asgi_client, served):
    answer = asgi_client.post(SEARCHES, json={"scenario": served, "top": 2, "power_limit_w": 1e4})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert set(found) == set(named_schemas()["ServingSearch"]["properties"])
    assert set(found["best"][0]) == set(named_schemas()["ServingOption"]["properties"])
    assert len(found["best"]) == 2
    # adopted, the best is as fast as it was said to be
    best = found["best"][0]
    served["workload"] |= {"layout": best["layout"], "mode": best["mode"], "concurrency": best["concurrency"]}
    evaluation = asgi_client.post("/api/v1/evaluations", json=served).json()
    assert evaluation["performance"]["tpot_s"] == pytest.approx(best["tpot_s"])


def test_an_equal_request_is_answered_from_memory(asgi_client, served):
    first, second = (asgi_client.post(SEARCHES, json={"scenario": served}).json() for _ in range(2))
    assert first["search_time_s"] == second["search_time_s"]


@pytest.mark.parametrize(
    ("member", "value", "said"),
    [
        ("objective", "step_time", "throughput"),
        ("modes", "aggregated", "list"),
        ("formats", ["fp3"], "nvfp4"),
        ("hardware", ["dgx_h20"], "dgx_h200"),
        ("power_limit_w", -1, "above 0"),
        ("hold", {"cp": [1]}, "Degrees are tp, dp, pp, ep"),
        ("space", "whole", "known"),
        ("top", 101, "at most 100"),
    ],
)
def test_members_that_cannot_be_used_are_said(asgi_client, served, member, value, said):
    answer = asgi_client.post(SEARCHES, json={"scenario": served, member: value})
    assert_problem(answer, 422)
    assert said in answer.text


@pytest.mark.parametrize(
    ("beside", "kind"),
    [
        ({"deadline_days": 30}, "beyond-schema"),
        ({"hold": {"cp": [1]}, "deadline_days": 30}, "beyond-schema"),
        ({"deadlines": 30}, "invalid-scenario"),
        ({"deadline_days": 30, "top": 101}, "invalid-scenario"),
    ],
)
def test_options_of_a_training_search_are_beyond_the_schema(asgi_client, served, beside, kind):
    """A body may be either search's; which one follows from the scenario in it, and no schema could say so."""
    answer = asgi_client.post(SEARCHES, json={"scenario": served, **beside})
    assert answer.status_code == 422
    assert answer.json()["type"].endswith(f"#{kind}")
    small = asgi_client.get("/api/v1/examples/edge_node").json()
    other = asgi_client.post(SEARCHES, json={"scenario": small, "modes": ["aggregated"]})
    assert other.json()["type"].endswith("#beyond-schema")


@pytest.mark.parametrize("workload", [None, [], "serving", {"kind": []}, {"kind": "serving"}])
def test_what_is_no_scenario_is_refused_like_any_other(asgi_client, workload):
    answer = asgi_client.post(SEARCHES, json={"scenario": {"workload": workload}})
    assert_problem(answer, 422)
