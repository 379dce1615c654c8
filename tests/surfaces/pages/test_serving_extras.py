"""Adapters, images and weights in host memory on the pages and in views."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.surfaces.pages.studio.state import encode_state
from tests.asgi import AsgiClient

REQUESTS = {"input_tokens": 512, "output_tokens": 64}
SCENARIOS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "adapters_and_images": (
        {
            "workload": {
                "kind": "serving", "model": "qwen2_5_7b", "precision": "fp8", "engine": {"name": "vllm"},
                "layout": {"tp": 1, "instances": 1}, "concurrency": 8, "requests": REQUESTS | {"images": 1},
                "adapters": {"count": 32, "max_loras": 8},
            },
            "supernode": {"system": "dgx_h100"},
        },
        ("LoRA adapters", "Images per prompt", "Adapters in memory", "Adapter hit rate"),
    ),
    "host_weights": (
        {
            "workload": {
                "kind": "serving", "model": "llama_3_1_70b", "precision": "fp8", "engine": {"name": "vllm"}, "concurrency": 1,
                "requests": REQUESTS, "host_weights": {"part": "layers"},
            },
            "supernode": {"system": "rtx_5090_workstation"},
        },
        ("Weights in host memory", "Share of weights in host memory", "Share of weights in host memory"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("key", SCENARIOS)
def test_the_studio_shows_them(reading_client: AsgiClient, key: str) -> None:
    scenario, words = SCENARIOS[key]
    answer = reading_client.get(f"/designs/new/all?s={encode_state(scenario)}")
    assert answer.status_code == 200
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))
    for shown in words:
        assert shown in page, shown


@pytest.mark.parametrize("view", ["latency", "roofline", "memory", "simulation"])
@pytest.mark.parametrize("key", SCENARIOS)
def test_views_have_them(reading_client: AsgiClient, key: str, view: str) -> None:
    asked = {"scenario": SCENARIOS[key][0]}
    answer = reading_client.post(f"/api/v1/serving/{view}", json=asked)
    assert answer.status_code == 200, answer.text[:500]
    assert "NaN" not in answer.text
    if view == "memory" and key == "adapters_and_images":
        assert {"adapters", "encoder"} <= set(answer.json()["points"][0]["parts_bytes"])
    if view == "latency":
        part = "adapters" if key == "adapters_and_images" else "host_weights"
        assert part in answer.text


@pytest.mark.parametrize("name", ["memory", "step_time"])
@pytest.mark.parametrize("key", SCENARIOS)
def test_charts_name_them(reading_client: AsgiClient, key: str, name: str) -> None:
    answer = reading_client.post(f"/api/v1/figures/{name}", json=SCENARIOS[key][0])
    assert answer.status_code == 200, answer.text[:300]
    if name == "memory" and key == "adapters_and_images":
        assert "Adapters" in answer.text
        assert "Encoder" in answer.text
    if name == "step_time":
        assert ("LoRA adapters" if key == "adapters_and_images" else "Weights in host memory") in answer.text
