"""The questions over REST and on the command line: the same answer, and what it says of what cannot be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.views.questions.declared import QUESTIONS
from app.views.questions.question import Question
from tests.asgi import AsgiClient
from tests.surfaces.rest.conftest import assert_problem

pytestmark = pytest.mark.slow
OF_EACH = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.key)


def address(key: str) -> str:
    return f"/api/v1/questions/{key}"


@OF_EACH
def test_the_scenario_of_an_answer_has_its_figures(
    reading_client: AsgiClient, question: Question[Any]
) -> None:
    answer = reading_client.post(address(question.key), json=dict(question.example))
    assert answer.status_code == 200
    found = answer.json()
    assert found["answered"]
    assert found["question"] == question.key
    evaluation = reading_client.post("/api/v1/evaluations", json=found["scenario"]).json()
    placed = [figure for figure in found["figures"] if figure["path"]]
    for figure in placed:
        room, name = figure["path"].split(".")
        assert figure["value"] == pytest.approx(evaluation[room][name])
    assert placed


def test_every_input_may_be_left_out(reading_client: AsgiClient) -> None:
    assert reading_client.post(address("extend"), json={}).json()["answered"]


@pytest.mark.parametrize(
    ("key", "body", "pointer"),
    [
        ("train", {"deadline_days": -1}, "#/deadline_days"),
        ("train", {"modell": "llama_3_1_8b"}, "#/modell"),
        ("compare", {"systems": ["dgx_h100"] * 4}, "#/systems"),
        ("site", {"building": "rented"}, "#/building"),
    ],
)
def test_a_fault_is_a_problem_with_its_place(
    reading_client: AsgiClient, key: str, body: dict[str, Any], pointer: str
) -> None:
    content = assert_problem(reading_client.post(address(key), json=body), 422, "invalid-scenario")
    assert content["errors"][0]["pointer"].startswith(pointer)


def test_an_unknown_part_names_the_input(reading_client: AsgiClient) -> None:
    content = assert_problem(
        reading_client.post(address("serve"), json={"model": "llama_9"}), 422, "invalid-scenario"
    )
    assert "model" in json.dumps(content["errors"][0])
    assert "Nearest" in json.dumps(content)
