"""Sweeps and trends are copied as calls and tables; what is copied gives the answer of the page."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

from app.surfaces.cli import app as command_line
from tests.conftest import OpenPage
from tests.running_server import Server

pytestmark = pytest.mark.slow

SWEEP = {
    "name": "What money costs",
    "scenario": "edge_node",
    "axes": [{"field": "economics.wacc", "values": [0.05, 0.1, 0.15]}, {"field": "pod.supernodes", "values": [1, 2]}],
    "outputs": ["cost.tco_usd"],
}  # fmt: skip


def copied(page: Page) -> dict[str, str]:
    """What each entry of the menu copies."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    menu, found = page.locator("#copy-as"), {}
    page.get_by_role("button", name="Copy as", exact=True).click()
    for name in menu.get_by_role("button").all_text_contents():
        menu.get_by_role("button", name=name, exact=True).click()
        expect(menu.get_by_role("status")).to_have_text(f"Copied as {name}")
        found[name] = str(page.evaluate("navigator.clipboard.readText()"))
    return found


def asked(address: str, body: str = "", kind: str = "") -> Any:
    request = Request(address, body.encode() or None, {"content-type": kind} if kind else {})
    with urlopen(request, timeout=60) as answer:
        return json.load(answer)


def by_curl(text: str) -> Any:
    """What curl would be answered: its words as a shell reads them."""
    program, silent, address, *options = shlex.split(text)
    assert (program, silent) == ("curl", "-s")
    given = dict(zip(options[::2], options[1::2], strict=True))
    kind = given.get("-H", "").removeprefix("content-type: ")
    return asked(address, given.get("--data-binary", ""), kind)


def by_python(script: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def results(server: Server, id: str) -> Any:
    """The designs of a sweep, when it is over."""
    for _ in range(600):
        if asked(f"{server.base_url}/api/v1/jobs/{id}")["state"] == "done":
            return figures(asked(f"{server.base_url}/api/v1/jobs/{id}/results"))
        time.sleep(0.1)
    raise AssertionError("it is not over")


def test_a_sweep_is_copied_as_calls_that_find_the_same(
    open_page: OpenPage, server: Server, tmp_path: Path
) -> None:
    job = asked(f"{server.base_url}/api/v1/sweeps", json.dumps(SWEEP), "application/json")
    shown = results(server, job["id"])
    assert len(shown[1]["cost.tco_usd"]) == 6
    page = open_page(f"/sweeps/{job['id']}")
    texts = copied(page)
    assert list(texts) == ["YAML", "curl", "Python", "Markdown"]
    for again in (by_curl(texts["curl"]), by_python(texts["Python"])):
        assert again["id"] != job["id"]
        assert results(server, again["id"]) == shown
    assert texts["Markdown"].startswith("# What money costs\n\n")
    best = page.locator(".best-designs tbody tr").first.locator("td").first.inner_text()
    shown_best = " ".join(best.split())
    assert f"| {shown_best} |" in texts["Markdown"]
    file, written = tmp_path / "sweep.yaml", tmp_path / "results.json"
    file.write_text(texts["YAML"], encoding="utf-8")
    done = CliRunner().invoke(command_line, ["sweep", str(file), "--out", str(written), "--workers", "1"])
    assert done.exit_code == 0, done.output
    assert figures(json.loads(written.read_text(encoding="utf-8"))) == shown


def figures(found: dict[str, Any]) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Inputs and outputs of all designs, by name."""
    return found["inputs"], found["outputs"]


def test_trends_are_copied_as_calls_that_answer_what_is_shown(open_page: OpenPage, server: Server) -> None:
    page = open_page("/trends?trend=cluster_accelerators&to=nvidia_gb200")
    texts = copied(page)
    trends = f"{server.base_url}/api/v1/trends"
    paths = {
        "all trends": trends,
        "projection": f"{trends}/cluster_accelerators",
        "gap": f"{trends}/gap?from={page.locator('select[name=from]').input_value()}&to=nvidia_gb200",
    }
    assert set(texts) == {"Markdown", *(f"{kind}, {name}" for kind in ("curl", "Python") for name in paths)}
    for name, path in paths.items():
        expected = asked(path)
        assert by_curl(texts[f"curl, {name}"]) == expected, name
        assert by_python(texts[f"Python, {name}"]) == expected, name
    assert by_curl(texts["curl, projection"])["key"] == "cluster_accelerators"
    assert texts["Markdown"].startswith("# Growth\n\n")
    done = CliRunner().invoke(command_line, ["trends", "--json"])
    rates = [
        {one["key"]: one["fit"]["annual_factor"] for one in found["items"]}
        for found in (json.loads(done.output), by_curl(texts["curl, all trends"]))
    ]
    assert rates[0] == pytest.approx(rates[1])
    assert len(rates[0]) > 5
