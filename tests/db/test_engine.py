"""Connections: pragmas, foreign keys, write transactions."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import IntegrityError, OperationalError

from app.db.engine import open_engine
from app.db.migrate import migrate
from app.db.session import read_session, write_connection, write_session
from app.db.tables import ScenarioRow, WorkspaceRow

pytestmark = pytest.mark.slow


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    opened = open_engine(f"sqlite:///{tmp_path / 'deep' / 'test.db'}")
    migrate(opened)
    return opened


@pytest.mark.parametrize(
    ("name", "value"),
    [("journal_mode", "wal"), ("foreign_keys", 1), ("busy_timeout", 5000), ("synchronous", 2)],
)
def test_pragmas_hold_on_every_connection(engine: Engine, name: str, value: object) -> None:
    with engine.connect() as first, engine.connect() as second:
        for connection in (first, second):
            assert connection.execute(text(f"PRAGMA {name}")).scalar() == value


def test_foreign_keys_are_enforced(engine: Engine) -> None:
    with pytest.raises(IntegrityError), write_session(engine) as session:
        session.add(ScenarioRow(workspace_id=999, name="orphan"))


def test_a_failed_unit_of_work_leaves_nothing(engine: Engine) -> None:
    def fail() -> None:
        with write_session(engine) as session:
            session.add(WorkspaceRow(key="team", name="Team", kind="team"))
            session.flush()
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        fail()
    with read_session(engine) as session:
        assert session.execute(text("SELECT count(*) FROM workspace")).scalar() == 1


def test_writers_wait_for_each_other(engine: Engine) -> None:
    def add(name: str) -> None:
        with write_connection(engine) as connection:
            count = connection.execute(text("SELECT count(*) FROM setting")).scalar()
            connection.execute(
                text("INSERT INTO setting VALUES (:name, :value)"), {"name": name, "value": str(count)}
            )

    threads = [threading.Thread(target=add, args=(f"n{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with engine.connect() as connection:
        values = connection.execute(text("SELECT value FROM setting")).scalars()
        # each saw all that were written before it: the lock is taken before the first read
        assert sorted(int(value) for value in values) == list(range(8))


def test_a_writer_holds_the_lock_from_its_start(engine: Engine) -> None:
    with write_connection(engine), engine.connect() as other:
        other.exec_driver_sql("PRAGMA busy_timeout=1")
        with pytest.raises(OperationalError, match="locked"):
            other.exec_driver_sql("DELETE FROM setting")
        other.exec_driver_sql("PRAGMA busy_timeout=5000")


def test_memory_database_is_one_database() -> None:
    engine = open_engine("sqlite://")
    assert migrate(engine)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM workspace")).scalar() == 1
