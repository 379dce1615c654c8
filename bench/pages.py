"""How soon pages are made, as the server alone sees it."""

from __future__ import annotations

import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from bench.engine import EXAMPLE
from bench.timing import Measurement, measured
from tests.running_server import running_server

PAGES = {
    "all kinds of the catalog": "/catalog",
    "accelerators": "/catalog/accelerators",
    "other names": "/catalog/aliases",
    "one accelerator": "/catalog/accelerators/nvidia_h100_sxm",
    "a new design": "/designs/new",
    "the example": f"/designs/{EXAMPLE}",
}
ROUNDS = 15


def pages_measurements(data_dir: Path) -> Iterator[Measurement]:
    """Asked for again and again; the first time, when the catalog is read, is left out."""
    with running_server(data_dir) as server:
        for name, path in PAGES.items():
            times = [_milliseconds(server.base_url + path) for _ in range(ROUNDS + 1)]
            yield measured(f"page: {name}", times[1:], unit="ms", aim=100)


def _milliseconds(address: str) -> float:
    start = time.perf_counter()
    with urllib.request.urlopen(address, timeout=60) as answer:
        answer.read()
    return (time.perf_counter() - start) * 1e3
