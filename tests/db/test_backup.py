"""Backups while others write: one moment of the database, with all that was acknowledged before it."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from app.db.backup import BackupError, write_backup
from app.db.migrate import migrate
from app.db.session import write_session
from tests.databases import address_in, engine_in, only_on_sqlite

pytestmark = pytest.mark.slow

WRITERS = 3
BACKUPS = 4
ADDED = text("INSERT INTO setting VALUES (:name, :value)")


def test_a_backup_holds_all_that_was_acknowledged_before_it(tmp_path: Path) -> None:
    engine = engine_in(tmp_path / "data")
    migrate(engine)
    acknowledged: list[str] = []
    done = threading.Event()

    def write(writer: int) -> None:
        number = 0
        while not done.is_set():
            name = f"{writer}-{number}"
            with write_session(engine) as session:  # two rows, or none
                session.connection().execute(ADDED, {"name": f"a {name}", "value": "x" * 5000})
                session.connection().execute(ADDED, {"name": f"b {name}", "value": "x" * 5000})
            acknowledged.append(name)
            number += 1

    writers = [threading.Thread(target=write, args=(writer,)) for writer in range(WRITERS)]
    for writer in writers:
        writer.start()
    held = []
    try:
        for number in range(BACKUPS):
            while len(acknowledged) < 20 * (number + 1):
                done.wait(0.005)
            before = set(acknowledged)
            file = tmp_path / f"{number}.db"
            write_backup(address_in(tmp_path / "data"), file)
            held.append((before, file))
    finally:
        done.set()
        for writer in writers:
            writer.join()
    for before, file in held:
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            names = {name for (name,) in connection.execute("SELECT name FROM setting")}
        first, second = ({name[2:] for name in names if name.startswith(begin)} for begin in ("a ", "b "))
        assert before <= first
        assert first == second
    assert len(held[-1][0]) > len(held[0][0])


@only_on_sqlite("a backup is written to a file of this machine, whatever the database")
def test_a_backup_that_has_no_room_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_in(tmp_path / "data")
    migrate(engine)
    connect = sqlite3.connect

    def small(file: str | Path, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(file, **options)  # type: ignore[call-overload]
        connection.execute("PRAGMA max_page_count = 8")
        return connection

    kept = tmp_path / "backup.db"
    kept.write_text("an older one")
    monkeypatch.setattr("app.db.backup.sqlite3.connect", small)
    with pytest.raises(BackupError, match="is full"):
        write_backup(address_in(tmp_path / "data"), kept, replace=True)
    assert kept.read_text() == "an older one"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup.db", "data"]
