"""The hours of a scenario over HTTP."""

from __future__ import annotations

import csv
import io

import pytest

from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/facility/hours"


def test_hours_of_a_scenario(asgi_client) -> None:
    answer = asgi_client.post(PATH, json={"scenario": scenario(facility__site="dublin"), "ramp_months": 6})
    assert answer.status_code == 200
    found = answer.json()
    assert found["site"].startswith("Dublin")
    pue = found["metrics"][0]
    assert (pue["name"], pue["unit"]) == ("pue", "1")
    assert pue["low"] < pue["annual"] < pue["hottest_hour"]
    assert found["duration"]["pue"][0] == pytest.approx(pue["hottest_hour"])
    assert found["hottest_hour"]["pue"] == pytest.approx(pue["hottest_hour"])
    assert found["first_year"]["ramp_months"] == 6


def test_every_hour_as_csv(asgi_client) -> None:
    body = {"scenario": scenario(facility__site="dublin")}
    in_short = asgi_client.post(PATH, json=body).json()
    answer = asgi_client.post(PATH, json=body | {"format": "csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    assert "hours.csv" in answer.headers["content-disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert len(rows) == 8760
    assert (rows[0]["month"], rows[-1]["day"], rows[-1]["hour"]) == ("1", "31", "23")
    mean = sum(float(row["pue"]) for row in rows) / 8760
    assert mean == pytest.approx(in_short["metrics"][0]["annual"], abs=1e-5)
    parts = ("fans_w", "pumps_w", "chillers_w", "heat_rejection_w")
    hottest = max(rows, key=lambda row: float(row["pue"]))
    assert sum(float(hottest[part]) for part in parts) == pytest.approx(float(hottest["cooling_w"]), abs=3)


def test_a_saved_scenario_as_csv(asgi_client) -> None:
    answer = asgi_client.get(PATH, params={"scenario": "edge_node"})
    assert answer.status_code == 200
    assert answer.text.count("\r\n") == 8761


def test_a_saved_scenario_must_be_named(asgi_client) -> None:
    assert_problem(asgi_client.get(PATH), 400)
    assert_problem(asgi_client.get(PATH, params={"scenario": "nowhere"}), 404)
