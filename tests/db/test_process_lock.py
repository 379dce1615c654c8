"""Processes over one SQLite file take turns at a name, and none is kept out by another that asks at once again."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app.db import process_lock as module
from app.db.engine import open_engine
from app.db.process_lock import process_lock
from tests.databases import only_on_sqlite

pytestmark = only_on_sqlite("a database server locks the row")

OTHER = """
import sys, time
from app.db.engine import open_engine
from app.db.process_lock import process_lock
engine = open_engine(sys.argv[1])
with process_lock(engine, sys.argv[2]):
    print("held", flush=True)
    sys.stdin.readline()
rounds, until = 0, time.monotonic() + float(sys.argv[3])
while time.monotonic() < until:
    with process_lock(engine, sys.argv[2]):
        rounds += 1
        time.sleep(0.002)
print(rounds, flush=True)
"""


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return open_engine(f"sqlite:///{tmp_path / 'some.db'}")


def other(engine: Engine, name: str, seconds: float = 0) -> subprocess.Popen[str]:
    """A process that holds the lock until it is sent a line, then asks for it again and again."""
    started = subprocess.Popen(
        [sys.executable, "-c", OTHER, str(engine.url), name, str(seconds)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "held\n"
    return started


def test_one_name_is_held_once_and_patience_ends(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PATIENCE_S", 0.2)
    with other(engine, "a") as holder:
        start = time.monotonic()
        with process_lock(engine, "b"):
            assert time.monotonic() - start < 0.2  # another name is another lock
        start = time.monotonic()
        with process_lock(engine, "a"):  # goes on without it
            assert time.monotonic() - start >= 0.2
        holder.kill()
    start = time.monotonic()
    with process_lock(engine, "a"):  # a killed process lets go
        assert time.monotonic() - start < 0.2


def test_who_asks_again_at_once_waits_for_those_before(engine: Engine) -> None:
    with other(engine, "a", seconds=1) as rival:
        assert rival.stdin is not None
        rival.stdin.write("\n")
        rival.stdin.flush()
        rounds, until = 0, time.monotonic() + 1
        while time.monotonic() < until:
            with process_lock(engine, "a"):
                rounds += 1
                time.sleep(0.002)
        output, _ = rival.communicate(timeout=30)
    assert min(rounds, int(output)) > 0.2 * max(rounds, int(output))


def test_nothing_is_written_for_a_database_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with process_lock(open_engine("sqlite://"), "a"):
        assert list(tmp_path.iterdir()) == []
