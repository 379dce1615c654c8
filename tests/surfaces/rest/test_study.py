"""A study over HTTP: in one go, as lines, as CSV, and what is refused."""

from __future__ import annotations

import json
from typing import Any

from app.surfaces.rest.study import EXAMPLES
from tests.asgi import AsgiClient
from tests.surfaces.rest.conftest import assert_problem

PATH = "/api/v1/study"
STUDY: dict[str, Any] = EXAMPLES["small"]["value"] | {
    "candidates": {"systems": ["dgx_h100"], "supernodes": {"from": 7, "to": 9}, "sites": ["ashburn"]}
}


def test_a_study_is_answered(asgi_client: AsgiClient) -> None:
    answer = asgi_client.post(PATH, json=STUDY)
    assert answer.status_code == 200
    found = answer.json()
    assert found["answered"]
    assert found["rows"][0]["rank"] == 1
    assert found["searched"]["designs"] == 3


def test_rows_come_before_the_answer(asgi_client: AsgiClient) -> None:
    answer = asgi_client.post(PATH, json=STUDY, headers={"accept": "application/x-ndjson"})
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert lines[0]["rows"]
    assert lines[0]["done"] <= lines[0]["total"]
    assert lines[-1]["answer"]["answered"]


def test_rows_as_csv(asgi_client: AsgiClient) -> None:
    answer = asgi_client.post(PATH, json=STUDY, headers={"accept": "text/csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.text.startswith("rank,key,system,")


def test_what_is_refused(asgi_client: AsgiClient) -> None:
    unknown = asgi_client.post(PATH, json=STUDY | {"candidates": {"systems": ["dgx_h10"]}})
    assert_problem(unknown, 422, "invalid-study")
    assert unknown.json()["errors"][0]["path"] == "candidates.systems[0]"
    none_left = asgi_client.post(PATH, json=STUDY | {"limits": {"vendors": ["Nobody"]}})
    assert_problem(none_left, 422, "invalid-study")
    assert none_left.json()["errors"][0]["path"] == "limits.vendors"
