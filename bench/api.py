"""How many evaluations a second one server answers over HTTP, and how large an answer is."""

from __future__ import annotations

import concurrent.futures
import http.client
import itertools
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from app.scenarios.examples import example
from bench.engine import EXAMPLE
from bench.timing import Measurement, measured
from tests.running_server import Server, processor_s, running_server

CLIENTS = 16
REQUESTS = 320
ROUNDS = 3
BATCH = 1_000
FIGURES = ["performance.mfu", "cost.tco_usd", "power.utility_mean_w", "carbon.total_kg"]
PATH = "/api/v1/evaluations"
PLAIN = {"content-type": "application/json", "accept": "application/x-ndjson"}
HEADERS = {"content-type": "application/json", "accept-encoding": "gzip"}


def api_measurements(data_dir: Path) -> Iterator[Measurement]:
    """One server process; each client keeps its connection, as a browser does."""
    document = example(EXAMPLE).read().as_dict()
    with running_server(data_dir) as server:
        size_bytes = len(_post(_connection(server), json.dumps(document)))
        yield measured("evaluation over HTTP, compressed", [size_bytes / 1e3], unit="kB", aim=60)
        # every one a scenario that was not seen before, then always the same one
        changed = (_changed(document, number) for number in itertools.count())
        _rate(server, changed, CLIENTS)
        yield from _rates(server, changed, "new evaluations", aim=80)
        yield from _rates(server, itertools.repeat(json.dumps(document)), "evaluations made before", aim=1000)
        # unlike scenarios, whose chosen figures come in one request
        body = json.dumps(
            {
                "scenarios": [json.loads(_changed(document, 500_000 + number)) for number in range(BATCH)],
                "figures": FIGURES,
            }
        )
        start = time.perf_counter()
        lines = _post(_connection(server), body, f"{PATH}:batch", PLAIN).splitlines()
        elapsed_s = time.perf_counter() - start
        if len(lines) != BATCH or not all(b'"figures"' in line for line in lines):
            raise RuntimeError(f"{len(lines)} lines, the last {lines[-1][:200]!r}")
        yield measured(f"batch of {BATCH:,} scenarios", [elapsed_s], unit="s", aim=20)


def _rates(server: Server, bodies: Iterator[str], name: str, *, aim: float) -> Iterator[Measurement]:
    """Answers a second, the clients on the same cores, and answers a second of the server's processor."""
    rates, of_a_core = [], []
    for _ in range(ROUNDS):
        before_s = processor_s(server.process.pid)
        rates.append(_rate(server, bodies, REQUESTS))
        of_a_core.append(REQUESTS / (processor_s(server.process.pid) - before_s))
    yield measured(f"{name}, {CLIENTS} clients", rates, unit="/s", aim=aim, at_least=True)
    yield measured(f"{name}, a core", of_a_core, unit="/s", aim=aim, at_least=True)


def _changed(document: dict[str, Any], number: int) -> str:
    return json.dumps({**document, "economics": {**document["economics"], "wacc": 0.05 + number * 1e-6}})


def _rate(server: Server, bodies: Iterator[str], count: int) -> float:
    """Answers a second when `CLIENTS` clients ask one after the other."""
    shares = [[next(bodies) for _ in range(count // CLIENTS)] for _ in range(CLIENTS)]
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        start = time.perf_counter()
        done = list(pool.map(lambda share: _ask(server, share), shares))
        elapsed_s = time.perf_counter() - start
    return sum(done) / elapsed_s


def _ask(server: Server, bodies: list[str]) -> int:
    connection = _connection(server)
    for body in bodies:
        _post(connection, body)
    connection.close()
    return len(bodies)


def _connection(server: Server) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=60)


def _post(
    connection: http.client.HTTPConnection, body: str, path: str = PATH, headers: dict[str, str] = HEADERS
) -> bytes:
    connection.request("POST", path, body, headers)
    answer = connection.getresponse()
    content = answer.read()
    if answer.status != 200:
        raise RuntimeError(f"{answer.status}: {content[:200]!r}")
    return content
