"""A pod of several kinds of SuperNode in the studio and what follows from it."""

from __future__ import annotations

import html
import io
import re

import pytest
from openpyxl import load_workbook

from tests.asgi import AsgiClient

SCENARIO = {
    "name": "Two kinds",
    "workload": {
        "kind": "training",
        "model": "llama_3_1_70b",
        "tokens": 1e12,
        "sequence_length": 8192,
        "global_batch_sequences": 512,
    },
    "supernode": {"system": "dgx_h100"},
    "pod": {"supernodes": 24, "also": [{"supernode": {"system": "dgx_h200"}, "supernodes": 8}]},
    "parallelism": {"tp": 8, "pp": 4, "zero_stage": 2},
}


@pytest.fixture
def address(asgi_client: AsgiClient) -> str:
    answer = asgi_client.post("/api/v1/scenarios", json=SCENARIO)
    assert answer.is_success, answer.text
    return f"/designs/{answer.json()['id']}"


def test_studio_shows_the_kinds_and_which_is_slowest(asgi_client: AsgiClient, address: str) -> None:
    page = asgi_client.get(address, headers={"accept": "text/html"})
    assert page.status_code == 200
    text = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page.text)).split())
    assert "24 DGX H100 and 8 DGX H200" in text
    assert "24 SuperNodes, 1 further kind" in text
    assert "the others are edited as YAML below" in text
    assert "The slowest kind, DGX H100, sets the step: DGX H200 alone would take" in text


@pytest.mark.slow
def test_pages_and_files_of_a_mixed_pod_open(asgi_client: AsgiClient, address: str) -> None:
    key = address.removeprefix("/designs/")
    for path in (
        f"{address}/export/evaluation/csv",
        f"{address}/export/scenario/yaml",
        f"/compare?a={key}&b={key}",
        f"/explore/{key}",
        f"{address}/save",
        "/gallery/colossus_200k",
    ):
        assert asgi_client.get(path, headers={"accept": "text/html"}).status_code == 200, path
    assert "also:" in asgi_client.get(f"{address}/export/scenario/yaml").text
    book = asgi_client.get(f"{address}/export/evaluation/xlsx")
    assert book.status_code == 200
    bill = load_workbook(io.BytesIO(book.content), data_only=True)["Bill of materials"]
    assert any("24 DGX H100 and 8 DGX H200" in str(cell.value) for row in bill for cell in row)
