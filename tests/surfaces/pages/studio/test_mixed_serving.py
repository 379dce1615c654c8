"""A mixed pod that serves a model, in the studio and on the pages of serving."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from tests.asgi import AsgiClient

SCENARIO: dict[str, Any] = {
    "name": "Prefill on H100, decode on H200",
    "workload": {
        "kind": "serving",
        "model": "llama_3_1_70b",
        "engine": {"name": "vllm"},
        "layout": {"prefill": {"tp": 8, "cp": 2, "on": "main"}, "decode": {"tp": 8, "on": "also_1"}},
        "demand": {"requests_per_s": 2},
        "service_level": {"ttft_s": 2, "tpot_s": 0.05},
    },
    "supernode": {"system": "dgx_h100"},
    "pod": {"supernodes": 2, "also": [{"supernode": {"system": "dgx_h200"}, "supernodes": 1}]},
}


@pytest.fixture
def key(asgi_client: AsgiClient) -> str:
    answer = asgi_client.post("/api/v1/scenarios", json=SCENARIO)
    assert answer.is_success, answer.text
    return str(answer.json()["id"])


def text(client: AsgiClient, path: str) -> str:
    page = client.get(path, headers={"accept": "text/html"})
    assert page.status_code == 200, page.text
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page.text)).split())


def test_the_design_says_what_runs_on_which_kind(asgi_client: AsgiClient, key: str) -> None:
    shown = text(asgi_client, f"/designs/{key}/performance")
    assert "SuperNode type for decode DGX H200" in shown
    assert "SuperNode type for prefill DGX H100" in shown
    assert "Context parallelism, prefill" in shown
    assert "Prefill SuperNode type" in shown
    alone = SCENARIO | {"pod": {"supernodes": 3}, "workload": SCENARIO["workload"] | {"layout": {"tp": 8}}}
    answer = asgi_client.post("/api/v1/scenarios", json=alone)
    assert "SuperNode type" not in text(asgi_client, f"/designs/{answer.json()['id']}/performance")


@pytest.mark.slow
@pytest.mark.parametrize("tab", ["latency", "memory", "sizing", "cost"])
def test_pages_of_serving_open(asgi_client: AsgiClient, key: str, tab: str) -> None:
    shown = text(asgi_client, f"/serving/{key}/{tab}")
    assert "DGX H200" in shown, shown


@pytest.mark.slow
def test_the_roofline_has_a_roof_for_each_side(asgi_client: AsgiClient, key: str) -> None:
    assert "and, for prefill, " in text(asgi_client, f"/serving/{key}/roofline")


@pytest.mark.slow
@pytest.mark.parametrize("tab", ["simulation", "edge"])
def test_forms_of_serving_open(asgi_client: AsgiClient, key: str, tab: str) -> None:
    assert "Not known" not in text(asgi_client, f"/serving/{key}/{tab}?edge_system=dgx_h200&samples=")
