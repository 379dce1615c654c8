"""How quickly the server and the command line stand, and how much memory a server then holds."""

from __future__ import annotations

import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from bench.timing import Measurement, measured
from tests.running_server import PROGRAM, environment_of, processor_s, resident_mb, running_server

STARTS = 5
PAGE = "/"
COMMANDS = {"podwright --help": ("--help",), "podwright evaluate": ("evaluate", "edge_node")}


def server_measurements(data_dir: Path) -> Iterator[Measurement]:
    """On a database that is filled already, so that its filling is not timed."""
    starts, pages, of_a_core, sizes = zip(*(_start(data_dir) for _ in range(STARTS)), strict=True)
    yield measured("server start to first answer", list(starts), unit="s", aim=1)
    yield measured("server start to first page", list(pages), unit="s", aim=2)
    yield measured("server start to first page, a core", list(of_a_core), unit="s", aim=2)
    yield measured("resident memory of the server", list(sizes), unit="MB", aim=180)
    for name, arguments in COMMANDS.items():
        times = [_first_line_s(data_dir, arguments) for _ in range(STARTS)]
        yield measured(f"{name}, first line", [wall for wall, _ in times], unit="s", aim=1)
        yield measured(f"{name}, a core", [of_core for _, of_core in times], unit="s", aim=1)


def _start(data_dir: Path) -> tuple[float, float, float, float]:
    """Seconds until /healthz answers and until the page with all examples is there, of the clock and of the
    processor, and megabytes after it."""
    start = time.perf_counter()
    with running_server(data_dir) as server:
        answered_s = time.perf_counter() - start
        with urllib.request.urlopen(server.base_url + PAGE, timeout=60) as answer:
            answer.read()
        pid = server.process.pid
        return answered_s, time.perf_counter() - start, processor_s(pid), resident_mb(pid)


def _first_line_s(data_dir: Path, arguments: tuple[str, ...]) -> tuple[float, float]:
    """Seconds until a command prints its first line, of the clock and of the processor."""
    start = time.perf_counter()
    with subprocess.Popen(
        [PROGRAM, *arguments], env=environment_of(data_dir), stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        if not process.stdout.readline():
            raise RuntimeError(f"podwright {' '.join(arguments)} said nothing")
        elapsed_s = time.perf_counter() - start
        of_core_s = processor_s(process.pid)
        process.stdout.read()
    return elapsed_s, of_core_s
