"""Measurements of this server for Prometheus. Labels have few values: methods, routes and states, never keys."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
    multiprocess,
)
from prometheus_client.core import Metric
from prometheus_client.registry import Collector
from sqlalchemy import Pool, event

from app import __version__
from app.server.counting import COUNTED_IN
from app.server.events import EVALUATED, SAVED

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

OWN = CollectorRegistry()

INFO = Gauge(
    "podwright_info", "Always 1; the version is a label.", ["version"], registry=OWN, multiprocess_mode="max"
)
REQUESTS = Counter(
    "podwright_http_requests", "Requests answered.", ["method", "route", "status"], registry=OWN
)
REQUEST_SECONDS = Histogram(
    "podwright_http_request_seconds",
    "Time from a request to the end of its answer.",
    ["method", "route"],
    buckets=SECONDS,
    registry=OWN,
)
REQUESTS_UNDER_WAY = Gauge(
    "podwright_http_requests_under_way", "Requests being answered.", registry=OWN, multiprocess_mode="livesum"
)
REFUSED = Counter(
    "podwright_refused_requests", "Requests refused before they reached a route.", ["reason"], registry=OWN
)
EVENT_STREAMS = Gauge(
    "podwright_event_streams", "Event streams that are open.", registry=OWN, multiprocess_mode="livesum"
)
EVALUATION_SECONDS = Histogram(
    "podwright_evaluation_seconds", "Time that an evaluation takes.", buckets=SECONDS, registry=OWN
)
SAVE_SECONDS = Histogram(
    "podwright_save_seconds", "Time that a change of saved work takes.", buckets=SECONDS, registry=OWN
)
DATABASE_CONNECTIONS = Gauge(
    "podwright_database_connections",
    "Connections to the database, by what they do.",
    ["state"],
    registry=OWN,
    multiprocess_mode="livesum",
)

INFO.labels(__version__).set(1)
EVALUATED.heard_by(EVALUATION_SECONDS.observe)
SAVED.heard_by(SAVE_SECONDS.observe)


@event.listens_for(Pool, "connect")
def _opened(*_: object) -> None:
    DATABASE_CONNECTIONS.labels("idle").inc()


@event.listens_for(Pool, "close")
def _closed(*_: object) -> None:
    DATABASE_CONNECTIONS.labels("idle").dec()


@event.listens_for(Pool, "checkout")
def _taken(*_: object) -> None:
    DATABASE_CONNECTIONS.labels("idle").dec()
    DATABASE_CONNECTIONS.labels("in_use").inc()


@event.listens_for(Pool, "checkin")
def _given_back(*_: object) -> None:
    DATABASE_CONNECTIONS.labels("in_use").dec()
    DATABASE_CONNECTIONS.labels("idle").inc()


def count_request(method: str, route: str, status: int, seconds: float | None) -> None:
    """A request was answered; None where it is as long as its reader wants."""
    known = method if method in METHODS else "other"
    REQUESTS.labels(known, route, str(status)).inc()
    if seconds is not None:
        REQUEST_SECONDS.labels(known, route).observe(seconds)


def requests_under_way() -> float:
    """Number of requests in progress, without streams of events, which stay open for hours."""
    under_way = OWN.get_sample_value("podwright_http_requests_under_way") or 0
    return under_way - (OWN.get_sample_value("podwright_event_streams") or 0)


def exposition() -> bytes:
    """All that is measured, of all processes of this server that are alive, as Prometheus reads it."""
    folder = os.environ.get(COUNTED_IN)
    own, pids = OWN, [os.getpid()]
    if folder is not None:
        own, pids = CollectorRegistry(), _living(Path(folder))
        multiprocess.MultiProcessCollector(own, path=folder)  # type: ignore[no-untyped-call]
    processes = CollectorRegistry()
    processes.register(_Processes(pids))
    return bytes(generate_latest(own) + generate_latest(processes))


class _Processes(Collector):
    """Memory, processor time and open files of each process."""

    def __init__(self, pids: list[int]) -> None:
        self._pids = pids

    def collect(self) -> Iterator[Metric]:
        found: dict[str, Metric] = {}
        for pid in self._pids:
            for metric in ProcessCollector(pid=partial(str, pid), registry=None).collect():
                joined = found.setdefault(
                    metric.name, Metric(metric.name, metric.documentation, metric.type, metric.unit)
                )
                for sample in metric.samples:
                    joined.add_sample(sample.name, {**sample.labels, "pid": str(pid)}, sample.value)
        yield from found.values()


def _living(folder: Path) -> list[int]:
    """The processes that count in a folder. What the dead were doing when they died is no longer done."""
    pids = {int(found[1]) for file in folder.glob("*.db") if (found := re.search(r"_(\d+)\.db$", file.name))}
    living = []
    for pid in sorted(pids):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            with suppress(FileNotFoundError):  # another process was quicker
                multiprocess.mark_process_dead(pid, path=str(folder))  # type: ignore[no-untyped-call]
        else:
            living.append(pid)
    return living
