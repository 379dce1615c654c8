"""What is counted, under names that Prometheus takes, with labels that have few values."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from prometheus_client.parser import text_string_to_metric_families

from app.server.events import EVALUATED, SAVED, Happening
from app.server.metrics import count_request, exposition


def samples(content: bytes | None = None) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    families = text_string_to_metric_families((exposition() if content is None else content).decode())
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in families
        for one in family.samples
    }


def value(name: str, **labels: str) -> float:
    """Of that name alone: tests before these may have counted hundreds of routes, and reading all takes a second."""
    lines = [line for line in exposition().splitlines(keepends=True) if line.startswith(name.encode())]
    return samples(b"".join(lines)).get((name, tuple(sorted(labels.items()))), 0.0)


def test_requests_are_counted_by_route_and_status(small):
    labels = {"method": "GET", "route": "/things/{key}"}
    before = value("podwright_http_requests_total", **labels, status="200")
    timed = value("podwright_http_request_seconds_count", **labels)
    for key in "abc":
        small.get(f"/things/{key}")
    assert value("podwright_http_requests_total", **labels, status="200") == before + 3
    assert value("podwright_http_request_seconds_count", **labels) == timed + 3
    assert value("podwright_http_requests_under_way") == 0


def test_labels_have_few_values_whatever_is_asked(small):
    small.get("/things/a")
    small.get("/nowhere/0")
    small.request("BREW", "/nowhere/0")
    before = len(samples())
    for number in range(20):
        small.get(f"/things/{number}")
        small.get(f"/nowhere/{number}")
        small.request(f"BREW{number}", f"/nowhere/{number}")
    assert len(samples()) == before


@pytest.mark.parametrize(
    ("happening", "name"),
    [(EVALUATED, "podwright_evaluation_seconds"), (SAVED, "podwright_save_seconds")],
)
def test_what_other_rooms_tell_is_counted_with_its_time(happening, name):
    count, total = value(f"{name}_count"), value(f"{name}_sum")
    happening.tell(0.5)
    with happening.timed():
        pass
    assert value(f"{name}_count") == count + 2
    assert value(f"{name}_sum") >= total + 0.5


def test_what_fails_did_not_happen():
    heard: list[float] = []
    happening = Happening()
    happening.heard_by(heard.append)
    with pytest.raises(KeyError), happening.timed():
        raise KeyError
    assert heard == []


CONNECTIONS = """
from sqlalchemy import create_engine, text
from sqlalchemy.pool import QueuePool
from app.server.metrics import DATABASE_CONNECTIONS

def counted():
    print(*(DATABASE_CONNECTIONS.labels(state)._value.get() for state in ("in_use", "idle")))

engine = create_engine("sqlite://", poolclass=QueuePool)
with engine.connect() as one, engine.connect() as other:
    one.execute(text("select 1"))
    other.execute(text("select 1"))
    counted()
counted()
engine.dispose()
counted()
"""


def test_connections_of_the_database_are_counted_by_what_they_do():
    """In a process of its own, where no pool of another test gives up a connection meanwhile."""
    counted = subprocess.run([sys.executable, "-c", CONNECTIONS], capture_output=True, text=True, check=True)
    assert counted.stdout.splitlines() == ["2.0 0.0", "0.0 2.0", "0.0 0.0"]


def test_the_process_is_measured():
    found = samples()
    pid = (("pid", str(os.getpid())),)
    assert found["process_resident_memory_bytes", pid] > 1e6
    assert found["process_cpu_seconds_total", pid] > 0
    assert ("podwright_info", (("version", __import__("app").__version__),)) in found


PROCESS = """
import os, sys
from app.server.metrics import REQUESTS_UNDER_WAY, count_request, exposition
count_request("GET", "/things/{key}", 200, 0.1)
REQUESTS_UNDER_WAY.inc()
print(os.getpid(), flush=True)
if sys.stdin.readline() == "tell\\n":
    sys.stdout.buffer.write(exposition())
"""


@pytest.mark.slow
def test_several_processes_count_together_and_the_dead_do_nothing_any_more(tmp_path):
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    command = [sys.executable, "-c", PROCESS]
    processes = [
        subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    pids = [int(process.stdout.readline()) for process in processes]
    processes[0].kill()
    processes[0].communicate()
    content, _ = processes[1].communicate(b"tell\n")
    processes[2].communicate()
    found = samples(content)
    requests = (("method", "GET"), ("route", "/things/{key}"), ("status", "200"))
    assert found["podwright_http_requests_total", requests] == 3
    assert found["podwright_http_requests_under_way", ()] == 2
    measured = {labels[0][1] for name, labels in found if name == "process_resident_memory_bytes"}
    assert measured == {str(pid) for pid in pids[1:]}


def test_what_is_as_long_as_its_reader_wants_is_counted_and_not_timed():
    labels = {"method": "GET", "route": "/events"}
    before = value("podwright_http_requests_total", **labels, status="200")
    timed = value("podwright_http_request_seconds_count", **labels)
    count_request("GET", "/events", 200, None)
    assert value("podwright_http_requests_total", **labels, status="200") == before + 1
    assert value("podwright_http_request_seconds_count", **labels) == timed


def test_an_unusual_method_is_counted_as_other():
    before = value("podwright_http_requests_total", method="other", route="x", status="405")
    count_request("PROPFIND", "x", 405, 0.1)
    assert value("podwright_http_requests_total", method="other", route="x", status="405") == before + 1
