"""Calibrations over HTTP: what is found, that it can be stated, and every member checked."""

from __future__ import annotations

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.surfaces.rest.conftest import assert_problem
from tests.validation.calibration.logs import MEGATRON, log

CALIBRATIONS = "/api/v1/calibrations"
EVALUATIONS = "/api/v1/evaluations"


@pytest.fixture
def small(asgi_client):
    return asgi_client.get("/api/v1/examples/edge_node").json()


@pytest.fixture
def predicted(asgi_client, small):
    return asgi_client.post(EVALUATIONS, json=small).json()["performance"]


def test_what_is_found_can_be_stated(asgi_client, small, predicted):
    runs = [{"step_time_s": 1.1 * predicted["step_time_s"]},
            {"tokens_per_s_per_accelerator": predicted["tokens_per_s_per_accelerator"] / 1.12}]  # fmt: skip
    answer = asgi_client.post(CALIBRATIONS, json={"scenario": small, "runs": runs})
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["Calibration"]["properties"])
    assert [run["ratio"] for run in found["runs"]] == pytest.approx([1 / 1.1, 1 / 1.12])
    assert 1 / 1.12 < found["correction"] < 0.95
    assert found["low"] < found["correction"] < found["high"]
    small["workload"]["calibration"] = found["workload_calibration"]
    corrected = asgi_client.post(EVALUATIONS, json=small).json()["performance"]
    figure = found["figures"]["performance.step_time_s"]
    assert corrected["step_time_s"] == pytest.approx(figure["corrected"], rel=1e-3)
    again = asgi_client.post(CALIBRATIONS, json={"scenario": small, "runs": runs}).json()
    assert again["correction"] == pytest.approx(found["correction"], rel=1e-9)


def test_a_log_is_read(asgi_client, small, predicted):
    batch = small["workload"]["global_batch_sequences"]
    text = log(MEGATRON, seconds=predicted["step_time_s"], batch=batch)
    found = asgi_client.post(CALIBRATIONS, json={"scenario": small, "log": text}).json()
    assert found["runs"][0]["source"] == "the log, Megatron-LM, median of 32 steps after 8 of warm-up"
    assert found["correction"] == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize(
    ("members", "pointer", "said"),
    [
        ({}, "#/runs", "must have a run"),
        ({"runs": []}, "#/runs", "must have a run"),
        ({"runs": [{}]}, "#/runs/0/step_time_s", "tokens_per_s_per_accelerator"),
        ({"runs": [{"step_time_s": 1, "tokens_per_s_per_accelerator": 2}]}, "#/runs/0/step_time_s", "not both"),
        ({"runs": [{"step_time_s": 0}]}, "#/runs/0/step_time_s", "above 0"),
        ({"runs": [{"step_time_s": "fast"}]}, "#/runs/0/step_time_s", "number"),
        ({"runs": [{"step_time": 3}]}, "#/runs/0/step_time", "step_time_s"),
        ({"runs": 3}, "#/runs", "list"),
        ({"log": 3}, "#/log", "text"),
        ({"log": "nothing"}, "#/log", "no line of a training step"),
        ({"log": log(MEGATRON, batch=7)}, "#/log", "logs a global batch of 7 sequences"),
        ({"runs": [{"step_time_s": 1e-6}]}, "", "of the peak FLOP/s"),
        ({"run": [{"step_time_s": 1}]}, "#/run", "runs"),
    ],
)  # fmt: skip
def test_every_member_is_checked(asgi_client, small, members, pointer, said):
    answer = asgi_client.post(CALIBRATIONS, json={"scenario": small, **members})
    errors = assert_problem(answer, 422, "invalid-scenario")["errors"]
    assert errors[0]["pointer"].startswith(pointer)
    assert said in f"{errors[0]['message']} {errors[0]['hint']}"


def test_a_wrong_scenario_is_named(asgi_client, small):
    del small["supernode"]
    answer = asgi_client.post(CALIBRATIONS, json={"scenario": small, "runs": [{"step_time_s": 1}]})
    (error,) = assert_problem(answer, 422, "invalid-scenario")["errors"]
    assert error["pointer"] == "#/scenario/supernode"


def test_a_served_model_is_corrected_by_what_its_users_waited(asgi_client):
    scenario = asgi_client.get("/api/v1/examples/deepseek_r1_on_8_h200").json()
    before = asgi_client.post(EVALUATIONS, json=scenario).json()["performance"]
    runs = [{"ttft_s": 0.9 * before["ttft_s"], "tpot_s": 1.2 * before["tpot_s"]}]
    answer = asgi_client.post(CALIBRATIONS, json={"scenario": scenario, "runs": runs})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert set(found) == set(named_schemas()["ServingCalibration"]["properties"])
    assert found["corrections"]["tpot"]["correction"] == pytest.approx(1.2)
    scenario["workload"]["calibration"] = found["workload_calibration"]
    after = asgi_client.post(EVALUATIONS, json=scenario).json()["performance"]
    assert after["tpot_s"] == pytest.approx(1.2 * before["tpot_s"], rel=1e-3)
    assert after["ttft_s"] == pytest.approx(0.9 * before["ttft_s"], rel=1e-3)
    again = asgi_client.post(CALIBRATIONS, json={"scenario": scenario, "runs": runs}).json()
    assert again["corrections"] == found["corrections"]
    for body in ({"runs": runs, "keep": True}, {"runs": [{"step_time_s": 3}]}, {"log": "iteration 1/ 5"}):
        assert_problem(asgi_client.post(CALIBRATIONS, json={"scenario": scenario, **body}), 422)
