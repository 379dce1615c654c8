"""Connections: pragmas, foreign keys, write transactions."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, OperationalError

from app.db.engine import POSTGRESQL_SETTINGS, SQLITE_PRAGMAS, open_engine
from app.db.migrate import migrate
from app.db.session import read_connection, read_session, write_connection, write_session
from app.db.tables import ScenarioRow, WorkspaceRow
from tests.databases import address_in, engine_in, only_on_postgresql, only_on_sqlite

pytestmark = pytest.mark.slow


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """With the pragmas of the product, which other tests have not."""
    monkeypatch.setattr("app.db.engine.SQLITE_PRAGMAS", SQLITE_PRAGMAS)
    opened = engine_in(tmp_path / "deep")
    migrate(opened)
    return opened


@only_on_sqlite("PostgreSQL has settings instead, below")
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


@only_on_postgresql()
@pytest.mark.parametrize(("name", "value"), [*POSTGRESQL_SETTINGS.items(), ("application_name", "podwright")])
def test_settings_hold_on_every_connection(engine: Engine, name: str, value: str) -> None:
    with engine.connect() as first, engine.connect() as second:
        for connection in (first, second):
            assert connection.execute(text(f"SHOW {name}")).scalar() in (value, value.replace("60s", "1min"))


@only_on_postgresql()
def test_the_address_may_state_them_otherwise(tmp_path: Path) -> None:
    stated = make_url(address_in(tmp_path)).update_query_dict({"options": "-c statement_timeout=7s"})
    engine = open_engine(stated.render_as_string(hide_password=False))
    with engine.connect() as connection:
        assert connection.execute(text("SHOW statement_timeout")).scalar() == "7s"
    engine.dispose()


@only_on_postgresql()
def test_no_more_connections_than_stated(tmp_path: Path) -> None:
    engine = open_engine(address_in(tmp_path), connections=3)
    assert (engine.pool.size(), engine.pool._max_overflow) == (2, 1)  # type: ignore[attr-defined]


@only_on_postgresql()
def test_a_connection_that_was_dropped_is_made_again(engine: Engine) -> None:
    with engine.connect() as connection:
        number = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
    with open_engine(str(engine.url.render_as_string(False))).connect() as other:
        other.execute(text("SELECT pg_terminate_backend(:number)"), {"number": number})
    with engine.connect() as connection:
        assert connection.execute(text("SELECT pg_backend_pid()")).scalar_one() != number


@only_on_postgresql()
def test_readers_see_one_moment(engine: Engine) -> None:
    with read_session(engine) as session, read_connection(engine) as connection:
        count = text("SELECT count(*) FROM setting")
        assert session.execute(count).scalar() == connection.execute(count).scalar() == 0
        with write_session(engine) as writer:
            writer.connection().execute(text("INSERT INTO setting VALUES ('a', 'b')"))
        assert session.execute(count).scalar() == connection.execute(count).scalar() == 0
    with read_session(engine) as session:
        assert session.execute(count).scalar() == 1


@only_on_postgresql()
def test_writers_of_different_rows_do_not_wait(engine: Engine) -> None:
    with write_session(engine) as first, write_session(engine) as second:
        first.connection().execute(text("INSERT INTO setting VALUES ('a', 'b')"))
        second.connection().execute(text("INSERT INTO setting VALUES ('c', 'd')"))
    with read_session(engine) as session:
        assert session.execute(text("SELECT count(*) FROM setting")).scalar() == 2


@only_on_sqlite("there, writers of different rows do not wait, above")
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
