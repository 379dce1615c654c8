"""How sure the figures of a scenario are, over HTTP: JSON, lines of progress, CSV."""

from __future__ import annotations

import csv
import io
import json

import pytest

from app.surfaces.rest.schemas import named_schemas
from tests.scenarios.support import scenario
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/economics/uncertainty"
DOUBT = {"inputs": {"economics.wacc": {"low": 0.05, "high": 0.2}}, "catalog_ranges": False}


@pytest.fixture
def asked() -> dict[str, object]:
    laid_out = scenario(parallelism={"tp": 8, "pp": 1, "zero_stage": 1}) | {"uncertainty": DOUBT}
    return {"scenario": laid_out, "samples": 64, "sobol": False, "figures": ["cost.tco_usd"]}


def test_as_json(asgi_client, asked) -> None:
    answer = asgi_client.post(PATH, json=asked)
    assert answer.status_code == 200
    found = answer.json()
    assert set(found) == set(named_schemas()["Uncertainty"]["properties"])
    assert (found["samples"], found["seed"]) == (64, 0)
    (figure,) = found["figures"]
    assert figure["p10"] < figure["p50"] < figure["p90"]
    assert [one["place"] for one in found["inputs"]] == ["economics.wacc"]


def test_as_lines_of_progress_with_the_report_last(asgi_client, asked) -> None:
    asked["samples"] = 9000
    answer = asgi_client.post(PATH, json=asked, headers={"accept": "application/x-ndjson"})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/x-ndjson"
    *told, last = [json.loads(line) for line in answer.text.splitlines()]
    assert [one["done"] for one in told] == sorted(one["done"] for one in told)
    assert told[-1]["done"] == told[-1]["total"]
    whole = asgi_client.post(PATH, json=asked).json()
    assert last == {"report": whole}


def test_as_rows_of_samples(asgi_client, asked) -> None:
    answer = asgi_client.post(PATH, json=asked, headers={"accept": "text/csv"})
    assert "attachment" in answer.headers["content-disposition"]
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert rows[0] == ["sample", "economics.wacc", "cost.tco_usd", "feasible"]
    assert len(rows) == 65
    assert all(0.05 <= float(row[1]) <= 0.2 for row in rows[1:])


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_what_cannot_be_is_named_before_anything_is_answered(asgi_client, asked, accept: str) -> None:
    asked |= {"samples": 1, "seed": -1, "figures": []}
    problem = assert_problem(asgi_client.post(PATH, json=asked, headers={"accept": accept}), 422)
    assert {error["pointer"] for error in problem["errors"]} == {"#/samples", "#/seed"}
    asked |= {"samples": 8, "seed": 1, "figures": ["cost.tco"]}
    problem = assert_problem(asgi_client.post(PATH, json=asked, headers={"accept": accept}), 422)
    assert problem["errors"][0]["pointer"] == "#/figures/0"


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson", "text/csv"])
def test_what_does_not_vary_is_named_before_the_first_line(asgi_client, asked, accept: str) -> None:
    pair = {"between": ["economics.wacc", "workload.sequence_length"], "coefficient": 0.5}
    asked["scenario"]["uncertainty"] = {"inputs": DOUBT["inputs"], "correlations": [pair]}
    problem = assert_problem(asgi_client.post(PATH, json=asked, headers={"accept": accept}), 422)
    assert "does not vary" in problem["detail"]


def test_too_many_samples_are_refused_before_the_first_line(asgi_client, asked) -> None:
    asked["samples"] = 1_000_000
    headers = {"accept": "application/x-ndjson"}
    problem = assert_problem(asgi_client.post(PATH, json=asked, headers=headers), 422)
    assert "more than 5,000,000 numbers" in problem["detail"]


def test_a_range_that_cannot_be_is_a_fault_of_the_scenario(asgi_client, asked) -> None:
    asked["scenario"]["uncertainty"] = {"inputs": {"economics.wacc": {"low": 0.3, "high": 0.2}}}
    problem = assert_problem(asgi_client.post(PATH, json=asked), 422)
    assert "uncertainty.inputs.economics.wacc" in problem["errors"][0]["path"]
