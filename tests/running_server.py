"""The real server in a process of its own, on a free port."""

from __future__ import annotations

import atexit
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.databases import address_in

PROGRAM = str(Path(sys.executable).with_name("podwright"))
"""The command as it is installed beside this Python."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    base_url: str
    process: subprocess.Popen[bytes]


HELD: list[socket.socket] = []
"""Linux gives a port that is bound so to no one else, and lets a server that asks for it listen."""


@atexit.register
def release() -> None:
    """Nothing is left open when this process ends."""
    for listener in HELD:
        listener.close()


def free_port() -> int:
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    port: int = listener.getsockname()[1]
    if sys.platform == "linux":
        HELD.append(listener)
    else:
        listener.close()
    return port


@contextmanager
def running_server(
    data_dir: Path,
    *,
    patience_s: float = 60,
    arguments: Sequence[str] = (),
    database_url: str = "",
    settings: Mapping[str, str] | None = None,
) -> Iterator[Server]:
    """`podwright serve` over the database of `data_dir`, or another, ready to answer; ended on leaving.

    `settings` are environment variables of its own.
    """
    port = free_port()
    log = data_dir / f"server-{port}.log"
    command = [PROGRAM, "serve", "--host", "127.0.0.1", "--port", str(port), *arguments]
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            env={**environment_of(data_dir, database_url), **(settings or {})},
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    try:
        base_url = f"http://127.0.0.1:{port}"
        _wait(f"{base_url}/healthz", process, log, patience_s)
        yield Server(base_url=base_url, process=process)
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def environment_of(data_dir: Path, database_url: str = "") -> dict[str, str]:
    """What tells a process of its own which database to use."""
    # tests are a single caller in a hurry
    unlimited = {"PODWRIGHT_RATE_PER_MINUTE": "0", "PODWRIGHT_STUDY_SECONDS": "20"}
    own = {"PODWRIGHT_DATA_DIR": str(data_dir), "DATABASE_URL": database_url or address_in(data_dir)}
    return {**unlimited, **os.environ, **own}


def _wait(url: str, process: subprocess.Popen[bytes], log: Path, patience_s: float) -> None:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the server ended with {process.returncode}:\n{log.read_text()}")
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.HTTPError as error:
            error.close()
        except OSError:
            pass
        time.sleep(0.01)
    raise RuntimeError(f"{url} did not answer within {patience_s} s:\n{log.read_text()}")


def resident_mb(pid: int) -> float:
    """Memory that a process holds in RAM [MB]."""
    if sys.platform == "linux":
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024 / 1e6
    printed = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True)
    return int(printed.stdout) * 1024 / 1e6


def processor_s(pid: int) -> float:
    """Seconds of processor that a process has used, all its threads together."""
    if (used := Path(f"/proc/{pid}/stat")).exists():
        fields = used.read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    printed = subprocess.run(
        ["ps", "-o", "cputime=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    seconds = 0.0
    for part in printed.stdout.strip().replace("-", ":").split(":"):
        seconds = 60 * seconds + float(part)
    return seconds
