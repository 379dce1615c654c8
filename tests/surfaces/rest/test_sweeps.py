"""Sweeps and jobs over HTTP: asked for, followed, read in parts, cancelled, and what is refused."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from app.catalog.ready import ready_catalog, ready_engine
from app.jobs.queue import JobQueue
from app.settings import get_settings
from tests.asgi import AsgiClient
from tests.surfaces.rest.conftest import assert_problem
from tests.surfaces.rest.job import EXAMPLE_ID, keep_job

pytestmark = pytest.mark.slow

SWEEPS, JOBS = "/api/v1/sweeps", "/api/v1/jobs"
SWEEP: dict[str, Any] = {
    "name": "Money",
    "scenario": "edge_node",
    "axes": [{"field": "economics.wacc", "values": [0.05, 0.1, 0.2]}],
    "outputs": ["cost.tco_usd"],
}
LONG = {"field": "assumptions.facility.cdu_approach_k", "from": 1, "to": 9, "steps": 2000}


def until(there: Callable[[], bool]) -> None:
    for _ in range(600):
        if there():
            return
        time.sleep(0.05)
    raise AssertionError("it did not come")


def finished(client: AsgiClient, answer: httpx.Response) -> dict[str, Any]:
    address = answer.headers["location"]
    until(lambda: client.get(address).json()["state"] not in ("queued", "running"))
    return dict(client.get(address).json())


@pytest.fixture(scope="module", autouse=True)
def kept(asgi_client: AsgiClient) -> None:
    keep_job(ready_engine(get_settings()), ready_catalog())


def test_a_sweep_is_made_in_the_background(asgi_client: AsgiClient) -> None:
    answer = asgi_client.post(SWEEPS, json=SWEEP)
    assert answer.status_code == 202
    assert answer.headers["location"] == f"{JOBS}/{answer.json()['id']}"
    assert int(answer.headers["retry-after"]) > 0
    job = finished(asgi_client, answer)
    assert (job["state"], job["done"], job["feasible"], job["axes"]) == ("done", 3, 3, ["economics.wacc"])
    found = asgi_client.get(job["results"]).json()
    assert found["inputs"] == {"economics.wacc": [0.05, 0.1, 0.2]}
    assert found["outputs"]["cost.tco_usd"] == sorted(found["outputs"]["cost.tco_usd"])
    assert "retry-after" not in asgi_client.get(answer.headers["location"]).headers


def test_the_same_request_starts_one_job(asgi_client: AsgiClient) -> None:
    headers = {"idempotency-key": "once"}
    first, again = (asgi_client.post(SWEEPS, json=SWEEP, headers=headers) for _ in range(2))
    assert first.json()["id"] == again.json()["id"]
    assert again.headers["idempotency-replayed"] == "true"
    other = asgi_client.post(SWEEPS, json=SWEEP | {"name": "Other"}, headers=headers)
    assert_problem(other, 422, "key-reused")


@pytest.mark.parametrize(
    ("changes", "pointer", "words"),
    [
        ({"axes": [{"field": "economics.wac", "values": [1]}]}, "#/axes/0/field", "Nearest: economics.wacc"),
        ({"axes": [{"field": "economics.wacc", "values": [7]}]}, "#/axes/0/values", "7 must be at most 1"),
        ({"axis": []}, "#/axis", "Did you mean axes?"),
        ({"scenario": "edge_nod"}, "#/scenario", "Nearest example: edge_node"),
        ({"scenario": {"workload": {"kind": "training"}}}, "#/scenario/workload/model", "is required"),
        ({"outputs": ["cost.tco"]}, "#/outputs/0", "Nearest: cost.tco_usd"),
    ],
)
def test_what_is_wrong_is_told_at_once(
    asgi_client: AsgiClient, changes: dict[str, Any], pointer: str, words: str
) -> None:
    problem = assert_problem(asgi_client.post(SWEEPS, json=SWEEP | changes), 422, "invalid-sweep")
    assert pointer in [error["pointer"] for error in problem["errors"]]
    assert words in str(problem["errors"])


def test_results_come_in_pages_as_columns_and_whole_as_csv(asgi_client: AsgiClient) -> None:
    address = f"{JOBS}/{EXAMPLE_ID}/results"
    first = asgi_client.get(f"{address}?limit=10")
    assert first.json()["index"] == list(range(10))
    assert first.headers["link"] == f'<{address}?start=10&limit=10>; rel="next"'
    rest = asgi_client.get(f"{address}?start=10&limit=10")
    assert rest.json()["index"] == list(range(10, 15))
    assert "link" not in rest.headers
    text = asgi_client.get(address, headers={"accept": "text/csv"})
    assert text.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(text.text, newline="")))
    costs = first.json()["outputs"]["cost.tco_usd"] + rest.json()["outputs"]["cost.tco_usd"]
    assert [float(row["cost.tco_usd"]) for row in rows] == costs
    assert len(asgi_client.get(f"{address}?start=13", headers={"accept": "text/csv"}).text.splitlines()) == 3
    for query in ("limit=0", "limit=x", "start=-1", "page=2"):
        assert_problem(asgi_client.get(f"{address}?{query}"), 400)


def test_a_running_job_is_cancelled(asgi_client: AsgiClient) -> None:
    answer = asgi_client.post(SWEEPS, json=SWEEP | {"axes": [LONG]})
    address = answer.headers["location"]
    until(lambda: asgi_client.get(address).json()["state"] == "running")
    assert asgi_client.get(address).headers["retry-after"]
    assert asgi_client.delete(address).json()["cancel_requested"] is True
    job = finished(asgi_client, answer)
    assert job["state"] == "cancelled"
    assert job["done"] < 2000
    assert asgi_client.delete(address).json()["state"] == "cancelled"


def test_the_list_is_paged(asgi_client: AsgiClient) -> None:
    for name in ("a", "b"):
        finished(asgi_client, asgi_client.post(SWEEPS, json=SWEEP | {"name": name}))
    first = asgi_client.get(f"{JOBS}?limit=1")
    assert [job["name"] for job in first.json()["items"]] == ["b"]
    second = asgi_client.get(first.headers["link"].partition(">")[0].removeprefix("<"))
    assert [job["name"] for job in second.json()["items"]] == ["a"]
    assert_problem(asgi_client.get(f"{JOBS}?after=nothing"), 422)


@pytest.mark.parametrize("path", ["/nothing", f"/{'0' * 32}", f"/{'0' * 32}/results"])
def test_what_is_not_there_is_404(asgi_client: AsgiClient, path: str) -> None:
    assert_problem(asgi_client.get(JOBS + path), 404)


def test_pages_of_other_sites_start_and_cancel_nothing(asgi_client: AsgiClient) -> None:
    headers = {"origin": "https://elsewhere.example"}
    assert_problem(asgi_client.post(SWEEPS, json=SWEEP, headers=headers), 403)
    assert_problem(asgi_client.delete(f"{JOBS}/{EXAMPLE_ID}", headers=headers), 403)


def test_a_job_that_another_server_runs_is_left_alone(asgi_client: AsgiClient) -> None:
    assert JobQueue(ready_engine(get_settings())).claim() is None
