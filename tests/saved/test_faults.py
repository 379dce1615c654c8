"""A database that cannot: a clear message with a way out, and nothing half written."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from sqlalchemy import Engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError

from app.catalog.lookup import Catalog
from app.db.address import place_of
from app.db.engine import open_engine
from app.db.session import write_session
from app.db.turns import turns_of
from app.saved import faults
from app.saved.errors import StorageError, StorageReason
from app.saved.faults import reason_of
from app.saved.store import SavedWork
from tests.databases import FILE, engine_in, only_on_sqlite
from tests.saved.support import document, supernode_design

TABLES = ("scenario", "scenario_revision", "scenario_tag", "catalog_snapshot", "idempotency_key")


on_sqlite = only_on_sqlite("its file and locks; tests/saved/test_server_faults.py has those of a server")


def rows(data_dir: Path) -> dict[str, int]:
    with engine_in(data_dir).connect() as connection:
        return {name: connection.scalar(text(f"SELECT count(*) FROM {name}")) or 0 for name in TABLES}


def refused(work: SavedWork, save: Callable[[], object]) -> StorageError:
    with pytest.raises(StorageError) as caught:
        save()
    assert "Nothing was saved" in caught.value.message
    assert place_of(work._sessions.engine.url) in caught.value.message
    return caught.value


@on_sqlite
def test_a_full_disk(work: SavedWork, engine: Engine, data_dir: Path) -> None:
    saved = work.create("scenario", document())
    before = rows(data_dir)

    @event.listens_for(engine, "connect")
    def no_room(connection: sqlite3.Connection, _record: object) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")  # SQLITE_FULL, as by a disk without room

    engine.dispose()
    error = refused(work, lambda: [work.create("scenario", document(f"Pod {n}")) for n in range(50)])
    assert error.reason == "full"
    assert "free some space" in error.message
    added = rows(data_dir)
    assert added["scenario"] == added["scenario_revision"]  # whole ones only
    assert work.get("scenario", saved.id) == saved
    event.remove(engine, "connect", no_room)
    engine.dispose()
    assert work.replace("scenario", saved.id, document(), version=1).revision == 2
    assert before["scenario"] == 1


@on_sqlite
def test_a_read_only_database(work: SavedWork, engine: Engine, data_dir: Path) -> None:
    saved = work.create("scenario", document())
    before = rows(data_dir)

    @event.listens_for(engine, "connect")
    def read_only(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA query_only = ON")  # SQLITE_READONLY, as by a file without permission

    engine.dispose()
    for save in (
        lambda: work.create("scenario", document()),
        lambda: work.replace("scenario", saved.id, document(), version=1),
        lambda: work.update("scenario", saved.id, version=1, tags=["a"]),
        lambda: work.delete("scenario", saved.id, version=1),
        lambda: work.idempotent("key", "hash", lambda: work.create("scenario", document())),
    ):
        error = refused(work, save)
        assert error.reason == "read_only"
        assert "make the file and its folder writable" in error.message
    assert rows(data_dir) == before
    assert work.get("scenario", saved.id) == saved
    assert work.listed("scenario").items == (saved,)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
@on_sqlite
def test_a_file_without_permission(work: SavedWork, engine: Engine, data_dir: Path) -> None:
    saved = work.create("scenario", document())
    engine.dispose()
    (data_dir / FILE).chmod(0o444)
    assert refused(work, lambda: work.delete("scenario", saved.id, version=1)).reason == "read_only"


@on_sqlite
def test_another_program_that_writes(work: SavedWork, engine: Engine, data_dir: Path) -> None:
    @event.listens_for(engine, "connect")
    def impatient(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA busy_timeout = 1")

    engine.dispose()
    with sqlite3.connect(data_dir / FILE, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        error = refused(work, lambda: work.create("supernode", supernode_design()))
        assert error.reason == "busy"
        assert work.listed("supernode").items == ()  # readers do not wait
        other.execute("COMMIT")
    assert work.create("supernode", supernode_design()).revision == 1


@on_sqlite
def test_another_thread_that_does_not_finish(
    work: SavedWork, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = turns_of(engine)
    patient = turns.turn
    with turns.turn():
        monkeypatch.setattr(turns, "turn", lambda: patient(patience_s=0.01))
        assert refused(work, lambda: work.create("supernode", supernode_design())).reason == "busy"


def test_every_connection_in_use(work: SavedWork, engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine.pool, "_timeout", 0.01)
    with contextlib.ExitStack() as held:
        for _ in range(engine.pool.size() + engine.pool._max_overflow):  # type: ignore[attr-defined]
            held.enter_context(engine.connect())
        assert refused(work, lambda: work.listed("supernode")).reason == "busy"
    assert work.listed("supernode").items == ()


@on_sqlite
def test_a_damaged_database(work: SavedWork, engine: Engine, data_dir: Path) -> None:
    for number in range(5):
        work.create("scenario", document(f"Pod {number}"))
    with engine.connect() as connection:
        connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
    engine.dispose()
    database = data_dir / FILE
    content = bytearray(database.read_bytes())
    for page in range(2, len(content) // 4096):  # the head stays, so that it opens
        content[page * 4096 : page * 4096 + 200] = b"\xff" * 200
    database.write_bytes(content)
    error = refused(work, lambda: work.listed("scenario"))
    assert error.reason == "damaged"
    assert "podwright db check" in error.message
    assert refused(work, lambda: work.create("scenario", document())).reason == "damaged"


@on_sqlite
def test_what_is_no_database(tmp_path: Path, catalog: Catalog) -> None:
    path = tmp_path / "podwright.db"
    path.write_bytes(b"not a database at all, and long enough to be looked at" * 100)
    work = SavedWork(open_engine(f"sqlite:///{path}"), lambda: catalog)
    assert refused(work, lambda: work.listed("scenario")).reason == "damaged"


def test_a_database_that_a_newer_version_took_over(work: SavedWork, engine: Engine, data_dir: Path) -> None:
    saved = work.create("scenario", document())
    before = rows(data_dir)
    with write_session(engine) as session:
        session.connection().execute(text("UPDATE alembic_version SET version_num = '9999'"))
    error = refused(work, lambda: work.replace("scenario", saved.id, document(), version=1))
    assert error.reason == "newer"
    assert "start that version" in error.message
    assert rows(data_dir) == before
    # a table that it took away is told from a fault of the program
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE scenario RENAME COLUMN tags TO labels"))
    assert refused(work, lambda: work.listed("scenario")).reason == "newer"


def test_a_fault_of_the_program_is_no_storage_error(work: SavedWork, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE scenario RENAME COLUMN tags TO labels"))
    with pytest.raises(DBAPIError, match=r"no such column|does not exist"):
        work.listed("scenario")


class ServerError(Exception):
    """What psycopg raises: an error with the state of the SQL standard."""

    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate
        super().__init__(sqlstate)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ("25006", "read_only"),
        ("53100", "full"),
        ("53300", "busy"),
        ("40001", "busy"),
        ("57014", "busy"),
        ("XX001", "damaged"),
        ("57P01", "lost"),
        ("08006", "lost"),
        ("23505", None),
        ("42P01", None),
    ],
)
def test_states_of_a_database_server(state: str, reason: str | None) -> None:
    kind = IntegrityError if reason is None else DBAPIError
    assert reason_of(kind("SELECT 1", {}, ServerError(state)), make_url("postgresql://nowhere/db")) == reason


def test_every_reason_has_a_message_with_a_way_out() -> None:
    assert set(faults.MESSAGES) == set(get_args(StorageReason))
    for message in (*faults.MESSAGES.values(), *faults.SERVER_MESSAGES.values()):
        assert "{place}" in message
        assert ":" in message


def test_a_password_is_never_told() -> None:
    engine = open_engine("postgres://me:secret@nowhere/db")
    for reason in faults.MESSAGES:
        message = faults.storage_error(reason, engine.url).message
        assert "secret" not in message
        assert "db on nowhere" in message
