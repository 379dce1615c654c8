"""A server with nothing but charts, so that they are tested whatever page they stand on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.e2e.states.conftest import wait
from tests.running_server import Server, free_port


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    port = free_port()
    process = subprocess.Popen([sys.executable, "-m", "tests.e2e.charts.serve", str(port)])
    server = Server(base_url=f"http://127.0.0.1:{port}", process=process)
    try:
        wait(server)
        yield server
    finally:
        process.terminate()
        process.wait(timeout=10)
