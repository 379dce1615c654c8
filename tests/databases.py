"""The database of a data folder: the file in it, or a database of its own where tests run on PostgreSQL.

`python -m tests.postgres` sets PODWRIGHT_TEST_POSTGRES. Then each data folder has a database on that server,
made when it is first asked for. A folder that is frozen holds the name of what it begins with, and so does
every copy of the folder: tests copy seeded folders on either database.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from sqlalchemy import Engine
from sqlalchemy.engine import make_url

from app.db.engine import SQLITE_PRAGMAS, open_engine
from tests.postgres import VARIABLE

SERVER = os.environ.get(VARIABLE, "")
ON_POSTGRESQL = bool(SERVER)
FILE = "podwright.db"
MARKER = "begins-with.txt"
RUN = f"podwright_test_{secrets.token_hex(4)}"
HASTY = SQLITE_PRAGMAS | {"synchronous": "OFF"}
"""What tests of this process open SQLite with: none cuts the power, and waiting for the disk takes longer than the rest."""

_names: dict[Path, str] = {}
_engines: dict[Path, list[Engine]] = {}


def only_on_sqlite(reason: str) -> Callable[..., Any]:
    """For what is about SQLite's file itself; `reason` says what PostgreSQL has in its place."""
    import pytest  # here: `make bench` starts servers where only the product is installed

    return pytest.mark.skipif(ON_POSTGRESQL, reason=reason)


def only_on_postgresql() -> Callable[..., Any]:
    """For what a database server alone can do or fail at."""
    import pytest

    return pytest.mark.skipif(not ON_POSTGRESQL, reason=f"needs a server: {VARIABLE} is not set")


def address_in(folder: Path) -> str:
    """The address of the database of a data folder."""
    folder = folder.expanduser().resolve()
    if not ON_POSTGRESQL:
        return f"sqlite:///{folder / FILE}"
    if folder not in _names:
        marker = folder / MARKER
        _names[folder] = f"{RUN}_{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
        _create(_names[folder], marker.read_text() if marker.exists() else "template1")
    return make_url(SERVER).set(database=_names[folder]).render_as_string(hide_password=False)


def engine_in(folder: Path) -> Engine:
    """An engine on the database of a data folder."""
    engine = open_engine(address_in(folder))
    _engines.setdefault(folder.expanduser().resolve(), []).append(engine)
    return engine


def emptied(folder: Path) -> Engine:
    """An engine on the database of a data folder, in which there is nothing any more, not even tables."""
    if not ON_POSTGRESQL:
        (folder / FILE).unlink(missing_ok=True)
        return engine_in(folder)
    engine = engine_in(folder)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
    return engine


def refuse_rows(engine: Engine, table: str, state: str = "P0001") -> None:
    """From now on the database refuses new rows of a table, in the middle of whatever would add one.

    A server gives `state` as the reason, as if its disk were full (53100) or damaged (XX001).
    """
    with engine.begin() as connection:
        if not ON_POSTGRESQL:
            refusal = f"CREATE TRIGGER refused BEFORE INSERT ON {table} BEGIN SELECT RAISE(FAIL, 'no'); END"
            connection.exec_driver_sql(refusal)
            return
        refusal = f"BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '{state}'; END"
        connection.exec_driver_sql(
            f"CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS $$ {refusal} $$"
        )
        connection.exec_driver_sql(
            f"CREATE TRIGGER refused BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION refused()"
        )


def freeze(folder: Path) -> None:
    """What the database of a folder holds now is what copies of the folder begin with; no one may use it."""
    if ON_POSTGRESQL:
        folder = folder.resolve()
        template = f"{_names[folder]}_frozen"
        with _server() as connection:
            connection.execute(
                sql.SQL("ALTER DATABASE {} RENAME TO {}").format(
                    sql.Identifier(_names.pop(folder)), sql.Identifier(template)
                )
            )
        (folder / MARKER).write_text(template)


def drop_below(folder: Path) -> None:
    """Close and remove the databases of all data folders in a folder."""
    within = folder.resolve()
    for place in [place for place in {*_engines, *_names} if place.is_relative_to(within)]:
        for engine in _engines.pop(place, []):
            engine.dispose()
        if place in _names:
            _drop(_names.pop(place))


def drop_all() -> None:
    """Remove whatever this run has left on the server."""
    drop_below(Path("/"))
    if ON_POSTGRESQL:
        with _server() as connection:
            left = connection.execute(
                "SELECT datname FROM pg_database WHERE starts_with(datname, %s)", [RUN]
            ).fetchall()
        for (name,) in left:
            _drop(name)


@contextlib.contextmanager
def _server() -> Iterator[psycopg.Connection[Any]]:
    # not the database that tests may copy: nobody is to be connected to it
    with psycopg.connect(SERVER, autocommit=True) as connection:
        yield connection


def _create(name: str, template: str) -> None:
    with _server() as connection:
        statement = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        if connection.info.server_version >= 150000:  # not through its log: twice as quick
            statement = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
        connection.execute(statement.format(sql.Identifier(name), sql.Identifier(template)))


def _drop(name: str) -> None:
    with _server() as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
