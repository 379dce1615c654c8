"""How quickly the server stands, and how much memory it then holds."""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from bench.timing import Measurement, measured
from tests.running_server import resident_mb, running_server

STARTS = 5
PAGE = "/"


def server_measurements(data_dir: Path) -> Iterator[Measurement]:
    """On a database that is filled already, so that its filling is not timed."""
    starts, sizes = zip(*(_start(data_dir) for _ in range(STARTS)), strict=True)
    yield measured("server start to first answer", list(starts), unit="s", aim=2)
    yield measured("resident memory of the server", list(sizes), unit="MB", aim=200)


def _start(data_dir: Path) -> tuple[float, float]:
    """Seconds until /healthz answers, and megabytes once the page with all examples has been asked for."""
    start = time.perf_counter()
    with running_server(data_dir) as server:
        elapsed_s = time.perf_counter() - start
        with urllib.request.urlopen(server.base_url + PAGE, timeout=60) as answer:
            answer.read()
        return elapsed_s, resident_mb(server.process.pid)
