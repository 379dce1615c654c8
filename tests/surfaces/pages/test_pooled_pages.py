"""Embeddings on the pages, over REST and in files: what has no token is said to be none, never a missing number."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.charts import FIGURES
from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient

SCENARIO: dict[str, Any] = {
    "name": "Embeddings",
    "workload": {
        "kind": "serving", "model": "bge_m3", "precision": "bf16", "engine": {"name": "vllm"}, "concurrency": 64,
        "requests": {"input_tokens": 512, "output_tokens": 0},
    },
    "supernode": {"system": "dgx_h100"},
    "pod": {"supernodes": 1},
}  # fmt: skip


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_the_studio_shows_what_there_is(reading_client: AsgiClient) -> None:
    answer = reading_client.get(f"/designs/new?s={encode_state(SCENARIO)}")
    assert answer.status_code == 200
    page = words(answer.text)
    assert "It fits, and reads" in page
    assert "BGE-M3" in page
    assert not re.search(r"\bnan\b", page)


@pytest.mark.parametrize("name", FIGURES)
def test_every_chart_draws_or_says_why_not(reading_client: AsgiClient, name: str) -> None:
    answer = reading_client.post(f"/api/v1/figures/{name}", json=SCENARIO)
    assert answer.status_code == 200, answer.text
    assert "NaN" not in answer.text


def test_evaluation_over_rest(reading_client: AsgiClient) -> None:
    found = reading_client.post("/api/v1/evaluations", json=SCENARIO).json()
    assert found["performance"]["tpot_s"] is None
    assert "performance.tpot_s" in found["not_applicable"]
    assert "cost.usd_per_million_output_tokens" in found["not_applicable"]


@pytest.mark.parametrize("view", ["latency", "roofline", "memory", "sizing", "cost", "simulation"])
def test_views_of_answers_say_that_there_are_none(reading_client: AsgiClient, view: str) -> None:
    answer = reading_client.post(f"/api/v1/serving/{view}", json={"scenario": SCENARIO})
    assert answer.status_code == 422
    assert "prompts of this workload are not answered" in answer.text


def test_a_search_ranks_by_tokens_read(reading_client: AsgiClient) -> None:
    answer = reading_client.post("/api/v1/searches", json={"scenario": SCENARIO})
    assert answer.status_code == 200, answer.text
    assert "NaN" not in answer.text
