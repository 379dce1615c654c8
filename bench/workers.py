"""How many requests a second one server answers with one and with two processes."""

from __future__ import annotations

import concurrent.futures
import http.client
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from app.scenarios.examples import example
from bench.engine import EXAMPLE
from bench.timing import Measurement, measured
from tests.running_server import Server, running_server

CLIENTS = 16
READS, EVALUATIONS = 640, 160
ROUNDS = 3
SCENARIOS = "/api/v1/scenarios"
HEADERS = {"content-type": "application/json"}


def worker_measurements(data_dir: Path) -> Iterator[Measurement]:
    """Each client keeps its connection; each evaluation is of a scenario that was not seen before."""
    document = example(EXAMPLE).read().as_dict()
    numbers = iter(range(10**6))

    def changed() -> str:
        wacc = 0.05 + next(numbers) * 1e-7
        return json.dumps({**document, "economics": {**document["economics"], "wacc": wacc}})

    for workers in (1, 2):
        with running_server(data_dir, arguments=("--workers", str(workers))) as server:
            path = _path_of_new(server, document)
            answering = f"{workers} worker{'s' * (workers > 1)}"
            reads = [_rate(server, "GET", path, [None] * READS) for _ in range(ROUNDS + 1)]
            yield measured(f"saved reads, {answering}", reads[1:], unit="/s", aim=150, at_least=True)
            rates = [
                _rate(server, "POST", "/api/v1/evaluations", [changed() for _ in range(EVALUATIONS)])
                for _ in range(ROUNDS + 1)
            ]
            yield measured(f"new evaluations, {answering}", rates[1:], unit="/s", aim=30, at_least=True)


def _path_of_new(server: Server, document: dict[str, Any]) -> str:
    connection = _connection(server)
    connection.request("POST", SCENARIOS, json.dumps(document), HEADERS)
    saved = json.loads(connection.getresponse().read())
    connection.close()
    return f"{SCENARIOS}/{saved['id']}"


def _rate(server: Server, method: str, path: str, bodies: list[str] | list[None]) -> float:
    """Answers a second; the first round of each server warms its processes up."""
    shares = [bodies[number::CLIENTS] for number in range(CLIENTS)]

    def ask(share: list[str] | list[None]) -> int:
        connection = _connection(server)
        for body in share:
            connection.request(method, path, body, HEADERS)
            answer = connection.getresponse()
            content = answer.read()
            if answer.status != 200:
                raise RuntimeError(f"{answer.status}: {content[:200]!r}")
        connection.close()
        return len(share)

    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        start = time.perf_counter()
        done = sum(pool.map(ask, shares))
        return done / (time.perf_counter() - start)


def _connection(server: Server) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(server.base_url).netloc, timeout=60)
