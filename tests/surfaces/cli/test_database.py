"""db check and db upgrade: a clean bill, damage, and a database that is not there."""

from __future__ import annotations

import json
import shutil
import sqlite3

import pytest
from sqlalchemy import event

from app.catalog import ready
from app.settings import get_settings
from tests.databases import FILE, engine_in, only_on_sqlite


@pytest.fixture
def database(own_database, tmp_path, monkeypatch):
    """A copy of the database that a test may damage."""
    shutil.copytree(own_database, tmp_path / "data")
    monkeypatch.setenv("PODWRIGHT_DATA_DIR", str(tmp_path / "data"))
    get_settings.cache_clear()
    yield tmp_path / "data" / FILE
    get_settings.cache_clear()


def test_a_whole_database_is_well(run, database):
    code, out, err = run("db", "check")
    assert (code, err) == (0, "")
    assert out.endswith(": all is well.\n")
    assert json.loads(run("db", "check", "--json")[1])["findings"] == []


@only_on_sqlite("about the file; a server looks after its own")
def test_a_damaged_database_is_told_and_exits_1(run, database):
    content = bytearray(database.read_bytes())
    content[100_000:140_000] = bytes(40_000)
    database.write_bytes(content)
    code, out, _ = run("db", "check")
    assert code == 1
    assert "error: " in out
    assert "backup" in out


@only_on_sqlite("about the file; a server looks after its own")
def test_a_file_that_is_no_database_stops_every_command_with_one_message(run, database):
    database.write_bytes(b"not a database, and rather long " * 200)
    assert run("db", "check")[0] == 1
    code, out, err = run("scenarios")
    assert (code, out) == (2, "")
    assert "podwright db check" in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("command", [["scenarios"], ["seed"], ["serve"], ["db", "upgrade"]])
def test_a_newer_database_stops_every_command_with_one_message(run, database, command):
    engine = engine_in(database.parent)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    ready._engine.cache_clear()
    code, out, err = run(*command)
    assert (code, out) == (2, "")
    assert "schema 9999" in err
    assert len(err.strip().splitlines()) == 1


@only_on_sqlite("about the file; a server looks after its own")
@pytest.mark.parametrize(
    ("code", "words"),
    [
        (sqlite3.SQLITE_FULL, "free some space on its disk"),
        (sqlite3.SQLITE_READONLY, "make the file and its folder writable"),
        (sqlite3.SQLITE_BUSY, "Others are writing"),
        (sqlite3.SQLITE_CORRUPT, "podwright db check"),
    ],
)
def test_what_the_database_refuses_is_said_with_a_way_out(run, database, monkeypatch, code, words):
    def refused(*_: object) -> None:
        error = sqlite3.OperationalError("refused")
        error.sqlite_errorcode = code
        raise error

    database.unlink()  # so that it is to be filled
    monkeypatch.setattr("app.catalog.ready.migrate", lambda engine: _raised(engine, refused))
    ready._engine.cache_clear()
    exit_code, out, err = run("seed")
    assert (exit_code, out) == (2, "")
    assert words in err
    assert str(database) in err


def _raised(engine, refused):
    event.listen(engine, "before_cursor_execute", refused)
    with engine.connect() as connection:
        connection.exec_driver_sql("SELECT 1")


@only_on_sqlite("about the file; a server looks after its own")
def test_a_folder_that_cannot_be_made_is_named(run, database, monkeypatch):
    monkeypatch.setenv("PODWRIGHT_DATA_DIR", str(database / "below a file"))
    get_settings.cache_clear()
    code, out, err = run("seed")
    assert (code, out) == (2, "")
    assert "make it, or choose another" in err


@only_on_sqlite("about the file; a server looks after its own")
def test_a_database_that_is_not_there_is_not_made(run, database):
    database.unlink()
    code, _, err = run("db", "check")
    assert code == 2
    assert "podwright seed" in err
    assert not database.exists()


def test_upgrade_brings_the_schema_up_to_date(run, database):
    code, out, _ = run("db", "upgrade")
    assert code == 0
    assert "schema " in out
    assert run("db", "check")[0] == 0
