"""The timeline of a training step over REST."""

from __future__ import annotations

import pytest

from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow

TIMELINES = "/api/v1/step-timelines"


def test_a_timeline_has_stages_and_operations(asgi_client, scenario):
    answer = asgi_client.post(TIMELINES, json={"scenario": scenario})
    assert answer.status_code == 200
    found = answer.json()
    assert found["schedule"] == "1F1B"
    assert len(found["by_stage"]) == found["stages"] == 16
    operations = found["operations"]
    assert {len(column) for column in operations.values()} == {16 * 8 * 16 * 2}
    assert found["formula_s"] == pytest.approx(found["simulated_s"], rel=0.02)
    assert operations["start_s"] == sorted(operations["start_s"])


def test_what_does_not_train_is_refused(asgi_client):
    served = asgi_client.get("/api/v1/examples/deepseek_r1_on_8_h200").json()
    content = assert_problem(asgi_client.post(TIMELINES, json={"scenario": served}), 422, "invalid-scenario")
    assert "serves" in content["detail"]
    content = assert_problem(
        asgi_client.post(TIMELINES, json={"scenario": served, "most": 3}), 422, "invalid-scenario"
    )
    assert "#/most" in {error["pointer"] for error in content["errors"]}
    content = assert_problem(asgi_client.post("/api/v1/figures/step_timeline", json=served), 422)
    assert "serves" in content["detail"]
