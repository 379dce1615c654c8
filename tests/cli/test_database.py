"""db check and db upgrade: a clean bill, damage, and a database that is not there."""

from __future__ import annotations

import json
import shutil

import pytest

from app.settings import get_settings
from tests.databases import FILE, only_on_sqlite


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
