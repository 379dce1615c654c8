"""A server with processes for heavy requests: the same answers as without, and nothing goes on when no one waits."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from app.scenarios.examples import example
from tests.asgi import AsgiClient
from tests.running_server import Server, running_server

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data_dir = tmp_path_factory.mktemp("heavy") / "data"
    shutil.copytree(seeded_data_dir, data_dir)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PODWRIGHT_HEAVY_WORKERS", "2")
        with running_server(data_dir, patience_s=300) as found:
            yield found


def workers_of(server: Server) -> set[int]:
    """Processes below that of the server, but for those that only start others."""
    lines = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = {int(pid): int(parent) for pid, parent in (line.split() for line in lines.splitlines())}
    children = {pid for pid, parent in parents.items() if parent == server.process.pid}
    return {pid for pid, parent in parents.items() if parent in children}


@pytest.mark.parametrize(
    "path",
    [
        "/economics/edge_node/cost", "/facility/edge_node/racks", "/fabric/edge_node/bill", "/explore/edge_node",
        "/designs/edge_node/export/evaluation/figures.csv", "/economics/nowhere/cost",
    ],
)  # fmt: skip
def test_pages_are_the_same_as_in_the_process_of_the_server(
    server: Server, reading_client: AsgiClient, path: str
) -> None:
    there, here = httpx.get(server.base_url + path, timeout=60), reading_client.get(path)
    assert there.status_code == here.status_code
    assert there.headers["content-type"] == here.headers["content-type"]
    assert there.headers["content-security-policy"] == here.headers["content-security-policy"]
    named = there.headers["x-request-id"], here.headers["x-request-id"]
    assert there.text.replace(named[0], "") == here.text.replace(named[1], "")


def test_a_search_of_the_api_is_computed_there(server: Server) -> None:
    document = example("gpt_3_175b_on_128_dgx_a100").read().as_dict()
    answer = httpx.post(f"{server.base_url}/api/v1/searches", json={"scenario": document}, timeout=60)
    assert answer.status_code == 200, answer.text
    bad = httpx.post(f"{server.base_url}/api/v1/searches", json={"name": "x"}, timeout=60)
    assert (bad.status_code, bad.headers["content-type"]) == (422, "application/problem+json")
    assert bad.json()["request_id"] == bad.headers["x-request-id"]
    assert workers_of(server)


def test_what_nobody_waits_for_is_ended(server: Server) -> None:
    """Anyone who closes the connection ends the computation; pages are answered meanwhile."""
    document = example("deepseek_v3_on_256_hgx_h800").read().as_dict()
    before = workers_of(server)
    with pytest.raises(httpx.ReadTimeout):
        httpx.post(f"{server.base_url}/api/v1/domain-studies", json={"scenario": document}, timeout=0.5)
    assert httpx.get(f"{server.base_url}/healthz", timeout=10).status_code == 200
    until = time.monotonic() + 30
    while before <= workers_of(server) and time.monotonic() < until:
        time.sleep(0.1)
    assert not before <= workers_of(server)  # the one that computed it is gone
    assert httpx.get(f"{server.base_url}/economics/edge_node/cost", timeout=60).status_code == 200


def test_workers_end_with_a_server_that_is_killed(
    seeded_data_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PODWRIGHT_HEAVY_WORKERS", "1")
    data_dir = tmp_path / "data"
    shutil.copytree(seeded_data_dir, data_dir)
    with running_server(data_dir, patience_s=300) as server:
        httpx.get(f"{server.base_url}/economics/edge_node/cost", timeout=60)
        left = workers_of(server)
        assert left
        server.process.kill()
        server.process.wait()
    until = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in left) and time.monotonic() < until:
        time.sleep(0.1)
    assert not [pid for pid in left if Path(f"/proc/{pid}").exists()]
