"""What is open is copied as curl, Python and Markdown, and what is copied works."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import OpenPage
from tests.running_server import Server

PLACES = {
    "/designs/edge_node": "/api/v1/evaluations",
    "/facility/edge_node/racks": "/api/v1/facility/racks",
    "/economics/edge_node/rent": "/api/v1/economics/own_or_rent",
    "/facility/edge_node/electrical": "/api/v1/facility/electrical",
}


def copied(page: Page, name: str) -> str:
    page.get_by_role("button", name="Export", exact=True).click()
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator("#toast")).to_contain_text("Copied as")
    return str(page.evaluate("navigator.clipboard.readText()"))


@pytest.mark.parametrize(("address", "path"), PLACES.items())
def test_copies_of_a_view_work(open_page: OpenPage, server: Server, address: str, path: str) -> None:
    page = open_page(address)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    assert f"{server.base_url}{path} " in copied(page, "Copy as curl")
    script = copied(page, "Copy as Python")
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)
    text = copied(page, "Copy tables as Markdown")
    assert text.startswith("# Edge node, Llama 3.1 8B\n\n| Figure | Value |\n| --- | ---: |\n")
    blocks = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert len(blocks) > 1
    for block in blocks:
        assert len({line.replace("\\|", "").count("|") for line in block}) == 1, block[:3]
