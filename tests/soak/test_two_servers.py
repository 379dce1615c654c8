"""Two servers over one SQLite file, with backups while both write; and a disk that runs full."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from app.scenarios.examples import example
from tests.databases import FILE
from tests.running_server import PROGRAM, environment_of, running_server
from tests.soak import lasting
from tests.soak.test_saving import assert_whole, notes_of, port_of
from tests.soak.writers import SCENARIOS, Writer, ask

pytestmark = pytest.mark.soak

WRITERS = 4
BACKUPS = lasting(3, short=2)
PAUSE_S = 3.0
ROOM_MB = 40
SWEEP = {
    "name": "Once",
    "axes": [{"field": "workload.tokens", "values": [1e9, 2e9, 4e9, 8e9]}],
}


@pytest.fixture
def document() -> dict[str, Any]:
    return example("edge_node").read().as_dict()


def podwright(data_dir: Path, *words: str | Path) -> str:
    done = subprocess.run(
        [PROGRAM, *map(str, words)],
        env=environment_of(data_dir, f"sqlite:///{data_dir / FILE}"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def notes_in(file: Path) -> set[str]:
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return {note for (note,) in connection.execute("SELECT note FROM scenario_revision")}


def test_two_servers_and_their_backups(
    seeded_data_dir: Path,
    tmp_path: Path,
    document: dict[str, Any],
    record_property: Callable[[str, object], None],
) -> None:
    data_dir = Path(shutil.copytree(seeded_data_dir, tmp_path / "data"))
    writers = [Writer(document, seed) for seed in range(WRITERS)]
    ended, answered = threading.Event(), threading.Event()
    backups: list[tuple[set[str], Path]] = []
    with running_server(data_dir) as first, running_server(data_dir) as second:
        ports = [port_of(first), port_of(second)]
        threads = [
            threading.Thread(target=writer.write_until, args=(ended, answered, ports[number % 2]))
            for number, writer in enumerate(writers)
        ]
        for thread in threads:
            thread.start()
        jobs = [ask(port, "POST", "/api/v1/sweeps", SWEEP | {"scenario": document}) for port in ports]
        assert [job.status for job in jobs] == [202, 202], jobs
        for number in range(BACKUPS):
            time.sleep(PAUSE_S)
            before = {
                note for writer in writers for account in [*writer.kept.values()] for note in [*account.notes]
            }
            file = tmp_path / f"backup-{number}.db"
            podwright(data_dir, "backup", file)
            backups.append((before, file))
        ended.set()
        for thread in threads:
            thread.join()
        assert [fault for writer in writers for fault in writer.faults] == []
        for writer in writers:
            for id, account in writer.kept.items():
                assert notes_of(ports[1], id) == account.notes
        for job in jobs:
            deadline = time.monotonic() + 60
            while (found := ask(ports[0], "GET", job.headers["location"]).content)["state"] != "done":
                assert time.monotonic() < deadline, found
                time.sleep(0.2)
            assert (found["done"], found["total"]) == (4, 4)
    assert_whole(data_dir)
    for number, (before, file) in enumerate(backups):
        assert before <= notes_in(file)
        restored = tmp_path / f"restored-{number}"
        restored.mkdir()
        podwright(restored, "restore", file)
        assert notes_in(restored / FILE) == notes_in(file)
        assert_whole(restored)
    record_property(
        "saved", sum(len(account.notes) for writer in writers for account in writer.kept.values())
    )
    record_property("backups", len(backups))


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={ROOM_MB}m", "tmpfs", str(place)]
    if sys.platform != "linux" or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount a file system")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill_up(file: Path) -> None:
    """Until not a byte is left."""
    with file.open("wb", buffering=0) as opened:
        for size in (65536, 512):
            try:
                while opened.write(bytes(size)):
                    pass
            except OSError:
                continue


def test_a_disk_that_runs_full_loses_nothing(
    seeded_data_dir: Path, small_disk: Path, document: dict[str, Any]
) -> None:
    data_dir = Path(shutil.copytree(seeded_data_dir, small_disk / "data"))
    filling = small_disk / "filling"
    quiet = {"PODWRIGHT_RUN_JOBS": "false"}
    with running_server(data_dir, settings=quiet) as server:
        port = port_of(server)
        path = ask(port, "POST", f"{SCENARIOS}?note=first", document).headers["location"]
        fill_up(filling)
        answer = ask(port, "PUT", f"{path}?note=second", document, {"if-match": "*"})
        assert (answer.status, answer.content["type"]) == (507, "/docs/problems#storage-full")
        assert "free some space on its disk and save again" in answer.content["detail"]
        assert ask(port, "GET", path).content["note"] == "first"
        filling.unlink()
        assert ask(port, "PUT", f"{path}?note=third", document, {"if-match": "*"}).status == 200
    fill_up(filling)
    with running_server(data_dir, settings=quiet) as server:  # as after a restart, which nobody wants then
        port = port_of(server)
        assert notes_of(port, path.rpartition("/")[2]) == ["first", "third"]
        assert ask(port, "GET", "/readyz").status == 200
        assert ask(port, "DELETE", path, None, {"if-match": "*"}).status == 507
        filling.unlink()
        assert ask(port, "PUT", f"{path}?note=fourth", document, {"if-match": "*"}).status == 200
    assert_whole(data_dir)
    assert os.listdir(data_dir)
