"""Hundreds of open streams on one process: each is told everything, in order, and they cost little."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from app.scenarios.examples import example
from tests.running_server import Server, resident_mb, running_server
from tests.soak import lasting
from tests.soak.readers import Reader, read_stream
from tests.soak.test_saving import port_of
from tests.soak.writers import SCENARIOS, ask

pytestmark = pytest.mark.soak

STREAMS = 500
ELSEWHERE = 20  # on the second process
CHANGES = 40
QUIET_S = lasting(10.0, short=5.0)
MOST_S = 10.0  # until the last reader knows of a change
MOST_MB = 120.0  # for all streams together
MOST_OF_A_CORE = 0.5  # while nothing happens


def processor_s(server: Server) -> float:
    """Seconds of a core that a process has used."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_every_reader_is_told_of_every_change(
    seeded_data_dir: Path, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    data_dir = Path(shutil.copytree(seeded_data_dir, tmp_path / "data"))
    with running_server(data_dir) as first, running_server(data_dir) as second:
        measured = asyncio.run(follow(first, second))
    for name, value in measured.items():
        record_property(name, round(value, 3))
        print(f"{name}: {value:.3f}")  # noqa: T201
    assert measured["slowest_s"] < MOST_S
    assert measured["grown_mb"] < MOST_MB
    assert measured["of_a_core"] < MOST_OF_A_CORE


async def follow(first: Server, second: Server) -> dict[str, float]:
    """Readers on both servers while changes are made through both."""
    ports = port_of(first), port_of(second)
    document = example("edge_node").read().as_dict()
    path = (await asyncio.to_thread(ask, ports[1], "POST", SCENARIOS, document)).headers["location"]
    before_mb = resident_mb(first.process.pid)
    readers = [Reader() for _ in range(STREAMS + ELSEWHERE)]
    tasks = []
    for number, reader in enumerate(readers):
        port = ports[0] if number < STREAMS else ports[1]
        tasks.append(asyncio.create_task(read_stream(port, path, reader)))
        if number % 20 == 0:
            await asyncio.sleep(0.1)
    try:
        await told(readers, 1)
        await asyncio.sleep(3)  # presence has settled
        grown_mb = resident_mb(first.process.pid) - before_mb
        start_s = processor_s(first)
        await asyncio.sleep(QUIET_S)
        of_a_core = (processor_s(first) - start_s) / QUIET_S
        slowest_s = 0.0
        for number in range(CHANGES):
            change = {"tags": [f"tag {number}"]}
            answer = await asyncio.to_thread(ask, ports[number % 2], "PATCH", path, change, {"if-match": "*"})
            assert answer.status == 200, answer
            if number % 4 == 0:  # the others come close upon one another
                start = time.monotonic()
                await told(readers, number + 2)
                slowest_s = max(slowest_s, time.monotonic() - start)
        await told(readers, CHANGES + 1)
        wanted = list(range(1, CHANGES + 2))
        assert [reader.versions for reader in readers if reader.versions != wanted] == []
        assert not any(reader.is_broken for reader in readers)
        answer = await asyncio.to_thread(ask, ports[0], "GET", path)
        assert answer.status == 200, "a process full of streams still answers"
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return {"grown_mb": grown_mb, "of_a_core": of_a_core, "slowest_s": slowest_s}


async def told(readers: list[Reader], version: int, patience_s: float = 60.0) -> None:
    """Every reader knows of a version."""
    end = time.monotonic() + patience_s
    while not all(reader.versions and reader.versions[-1] >= version for reader in readers):
        late = sum(not reader.versions or reader.versions[-1] < version for reader in readers)
        assert time.monotonic() < end, f"{late} readers were not told of version {version}"
        await asyncio.sleep(0.02)
