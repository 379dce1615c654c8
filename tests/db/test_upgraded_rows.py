"""Every table of every released schema keeps its rows through the upgrade, also one that is killed half-way."""

from __future__ import annotations

import os
import signal
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, event

from app.db.engine import open_engine
from app.db.migrate import HEAD, alembic_config, current_revision, migrate
from app.db.session import write_connection
from app.saved.check import check_database
from tests.databases import address_in, engine_in
from tests.db.released import fill

pytestmark = pytest.mark.slow

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC)
RENAMED = {("scenario", "archived_at"): "deleted_at"}
LEFT_OUT = {("scenario_revision", "resolved")}  # nothing ever read it
REVISIONS = sorted(
    script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()
)

Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def fill_every_table(engine: Engine) -> None:
    """A row in each table that has none, with something in every column."""
    found = sa.MetaData()
    with write_connection(engine) as connection:
        found.reflect(connection)
        for table in found.sorted_tables:
            if table.name != "alembic_version" and connection.execute(sa.select(table)).first() is None:
                connection.execute(table.insert().values(_row(connection, table)))


def _row(connection: sa.Connection, table: sa.Table) -> dict[str, Any]:
    values = {}
    for column in table.columns:
        key = next(iter(column.foreign_keys), None)
        if key is not None:
            values[column.name] = connection.execute(sa.select(key.column)).scalars().first()
        else:
            values[column.name] = _value(table.name, column)
    return values


def _value(table: str, column: sa.Column[Any]) -> Any:
    kind = column.type
    if isinstance(kind, sa.Boolean):
        return True
    if isinstance(kind, sa.Integer):
        return 1
    if isinstance(kind, sa.Numeric | sa.Float):
        return 0.1 + 0.2
    if isinstance(kind, sa.DateTime):
        return MOMENT
    if isinstance(kind, sa.Date):
        return date(2026, 1, 2)
    if isinstance(kind, sa.JSON):
        return {"tokens": 15.6e12, "name": "Öld 😀"}
    if isinstance(kind, sa.LargeBinary):
        return bytes(range(256))
    return f"Ö{table}.{column.name}"[: getattr(kind, "length", None) or 200]


def rows(engine: Engine) -> Rows:
    found = sa.MetaData()
    with engine.connect() as connection:
        found.reflect(connection)
        return {
            table.name: sorted(
                (
                    {
                        name: bytes(value) if isinstance(value, memoryview) else value
                        for name, value in row.items()
                    }
                    for row in connection.execute(sa.select(table)).mappings()
                ),
                key=repr,
            )
            for table in found.sorted_tables
            if table.name != "alembic_version"
        }


def assert_kept(before: Rows, after: Rows) -> None:
    for table, kept in before.items():
        names = [name for name in (kept[0] if kept else ()) if (table, name) not in LEFT_OUT]
        today = [RENAMED.get((table, name), name) for name in names]
        found = after[table]
        assert len(found) == len(kept), table
        assert sorted(repr([row[name] for name in today]) for row in found) == sorted(
            repr([row[name] for name in names]) for row in kept
        ), table


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_row_of_every_table_is_kept(folder: Path, revision: str) -> None:
    engine = engine_in(folder)
    with write_connection(engine) as connection:
        command.upgrade(alembic_config(connection), revision)
    fill_every_table(engine)
    before = rows(engine)
    assert all(before.values()), "a table without rows shows nothing"
    assert migrate(engine) is (revision != HEAD)
    assert_kept(before, rows(engine))


@pytest.mark.parametrize("revision", ["0001", "0005"])
@pytest.mark.parametrize("part", [0.05, 0.5, 0.95])
def test_an_upgrade_that_is_killed_begins_again(folder: Path, revision: str, part: float) -> None:
    for place in (folder / "counted", folder):
        engine = engine_in(place)
        fill(engine, revision)
        before = rows(engine)
        engine.dispose()
    statements = _killed_at(folder / "counted", None)
    assert _killed_at(folder, 1 + int(part * statements)) == -signal.SIGKILL
    engine = engine_in(folder)
    with engine.connect() as connection:
        assert current_revision(connection) == revision
    assert rows(engine) == before
    assert migrate(engine) is True
    assert check_database(engine) == []
    assert_kept(before, rows(engine))


def _killed_at(folder: Path, statement: int | None) -> int:
    """Upgrade in a process that is killed at a statement; how many statements there are where it is not."""
    address = address_in(folder)
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        count = 0

        def struck(*_: object) -> None:
            nonlocal count
            count += 1
            if count == statement:
                os.kill(os.getpid(), signal.SIGKILL)

        engine = open_engine(address)
        event.listen(engine, "before_cursor_execute", struck)
        try:
            migrate(engine)
            os.write(writing, str(count).encode())
        finally:
            engine.dispose()
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        said = told.read()
    _, status = os.waitpid(pid, 0)
    return int(said) if said else os.waitstatus_to_exitcode(status)
