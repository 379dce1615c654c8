"""The server under steady use: it answers, and it does not grow."""

from __future__ import annotations

import re
import time
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle

import pytest

from tests.running_server import Server, resident_mb
from tests.soak import lasting

pytestmark = pytest.mark.soak

DURATION_S = lasting(20.0, short=8.0)
READERS = 3
MOST_GROWTH_MB = 40.0


def read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=30) as answer:
        content: bytes = answer.read()
        return content.decode()


def paths_from_home(server: Server) -> list[str]:
    """Home, health and every design that home links to."""
    return [
        "/",
        "/healthz",
        *sorted(set(re.findall(r'href="(/designs/[\w-]+)"', read(server.base_url + "/")))),
    ]


def test_server_stays_well_under_steady_reading(
    server: Server, record_property: Callable[[str, object], None]
) -> None:
    paths = paths_from_home(server)
    assert len(paths) > 2, "home links to no design"
    for path in paths:  # fills the caches that are meant to stay
        read(server.base_url + path)
    before_mb = resident_mb(server.process.pid)
    deadline = time.monotonic() + DURATION_S

    def keep_reading(first: int) -> int:
        count = 0
        for path in cycle(paths[first:] + paths[:first]):
            if time.monotonic() > deadline:
                break
            read(server.base_url + path)
            count += 1
        return count

    with ThreadPoolExecutor(READERS) as pool:
        answered = sum(pool.map(keep_reading, range(READERS)))

    grown_mb = resident_mb(server.process.pid) - before_mb
    record_property("answers", answered)
    record_property("growth_mb", round(grown_mb, 1))
    assert answered > READERS * DURATION_S, "less than one answer a second for each reader"
    assert grown_mb < MOST_GROWTH_MB
