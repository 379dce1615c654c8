"""Processes that start at the same moment over one empty database: one fills it, the others wait."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from sqlalchemy import text

from app.db.migrate import HEAD, current_revision
from app.saved.check import check_database
from tests.databases import engine_in
from tests.running_server import PROGRAM, environment_of

pytestmark = pytest.mark.slow

PROCESSES = 4


def test_all_find_it_ready_and_it_is_filled_once(tmp_path: Path) -> None:
    environment = environment_of(tmp_path)
    started = [
        subprocess.Popen(
            [PROGRAM, "seed"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        for _ in range(PROCESSES)
    ]
    said = [process.communicate(timeout=120)[0] for process in started]
    assert [process.returncode for process in started] == [0] * PROCESSES, said
    engine = engine_in(tmp_path)
    assert check_database(engine) == []
    with engine.connect() as connection:
        assert current_revision(connection) == HEAD
        assert connection.execute(text("SELECT count(*) FROM workspace")).scalar() == 1
        doubled = "SELECT kind, key FROM part GROUP BY kind, key HAVING count(*) > 1"
        assert connection.execute(text(doubled)).all() == []
