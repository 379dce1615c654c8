"""The real server as processes: started, told to end in the middle of things, and started again."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.running_server import free_port, running_server

pytestmark = pytest.mark.slow

SMALL = """
import sys
from app.server.run import run_server
from app.settings import Settings
run_server("tests.server.small:create", Settings(port=int(sys.argv[1]), shutdown_seconds=5, log_format="json"))
"""


def read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.read().decode()


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 300  # a busy machine starts slowly
    while time.monotonic() < deadline:
        assert process.poll() is None
        try:
            read(url)
            return
        except OSError:
            time.sleep(0.05)
    raise AssertionError(f"{url} did not answer")


@pytest.fixture
def small_server(tmp_path: Path) -> Iterator[tuple[int, subprocess.Popen[bytes], Path]]:
    """The small application behind the real server."""
    port, log = free_port(), tmp_path / "log"
    with log.open("wb") as output:
        process = subprocess.Popen([sys.executable, "-c", SMALL, str(port)], stdout=output, stderr=output)
    wait_for(f"http://127.0.0.1:{port}/things/a", process)
    yield port, process, log
    process.kill()
    process.wait()


def test_streams_are_closed_and_requests_under_way_are_answered(small_server):
    port, process, log = small_server
    with socket.create_connection(("127.0.0.1", port), timeout=30) as stream:
        stream.sendall(b"GET /events HTTP/1.1\r\nhost: a\r\n\r\n")
        received = stream.recv(10_000)
        with socket.create_connection(("127.0.0.1", port), timeout=30) as upload:
            upload.sendall(b"POST /body HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n"
                           b"expect: 100-continue\r\n\r\n12345")  # fmt: skip
            assert b" 100 " in upload.recv(10_000)  # the body is being waited for
            process.send_signal(signal.SIGTERM)
            while part := stream.recv(10_000):
                received += part
            assert received.endswith(b"0\r\n\r\n")  # a whole answer, and no broken one
            with pytest.raises(OSError, match="refused"):
                socket.create_connection(("127.0.0.1", port), timeout=30)
            upload.sendall(b"67890")
            assert upload.recv(10_000).startswith(b"HTTP/1.1 200 OK")
    process.wait(timeout=60)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line["message"] for line in lines if line["level"] == "error"] == []
    assert {line["route"] for line in lines if line["logger"] == "app.requests"} == {
        "/things/{key}", "/events", "/body",
    }  # fmt: skip


def test_what_never_finishes_is_cut_off(small_server):
    port, process, log = small_server
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(b"GET /waits HTTP/1.1\r\nhost: a\r\n\r\n")
        while "waits now" not in log.read_text():
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
    assert "timeout graceful shutdown exceeded" in log.read_text()


def test_several_processes_serve_one_address_count_together_and_end_together(
    seeded_data_dir, tmp_path, monkeypatch
):
    monkeypatch.setenv("PODWRIGHT_WORKERS", "2")
    monkeypatch.setenv("PODWRIGHT_LOG_FORMAT", "json")
    data_dir = tmp_path / "data"
    shutil.copytree(seeded_data_dir, data_dir)
    with running_server(data_dir, patience_s=300) as server:
        for _ in range(20):
            read(f"{server.base_url}/docs/problems")  # waits where the application is still being loaded
        pids: set[int] = set()
        until = time.monotonic() + 60
        while len(pids) < 2 and time.monotonic() < until:  # the second may still be loading
            found = read(f"{server.base_url}/metrics")
            counted = [line for line in found.splitlines() if line.startswith("process_resident")]
            pids = {int(line.split('"')[1]) for line in counted}
        answered = next(
            line
            for line in found.splitlines()
            if 'requests_total{method="GET",route="/docs/problems"' in line
        )
        assert len(pids) == 2
        assert float(answered.rpartition(" ")[2]) >= 20
        server.process.terminate()
        server.process.wait(timeout=60)
        for pid in pids:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)
    (log,) = data_dir.glob("server-*.log")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert [line for line in lines if line["level"] not in ("info", "debug")] == []
