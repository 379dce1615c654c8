"""A server of recorded designs in place of the real one, for states no example is in."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator

import pytest

from tests.running_server import Server, free_port


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "tests.surfaces.pages.serve_states", str(port)])
    server = Server(base_url=f"http://127.0.0.1:{port}", process=process)
    try:
        wait(server)
        yield server
    finally:
        process.terminate()
        process.wait(timeout=10)


def wait(server: Server, patience_s: float = 30) -> None:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline and server.process.poll() is None:
        try:
            urllib.request.urlopen(f"{server.base_url}/healthz", timeout=2).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError("the server of recorded designs did not start")
