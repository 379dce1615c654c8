"""Connections: SQLite with the pragmas that make it safe, or any other database by its address."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.pool import StaticPool

SQLITE_PRAGMAS = {
    "journal_mode": "WAL",  # readers never wait for the writer
    "foreign_keys": "ON",  # off by default in SQLite
    "busy_timeout": "5000",  # milliseconds to wait for another writer
    # NORMAL is consistent after a power cut, but may have lost the last commits: FULL writes each one
    # through to the disk before it is acknowledged, so that what was said to be saved is saved.
    "synchronous": "FULL",
}


def open_engine(database_url: str) -> Engine:
    """An engine for an address such as `sqlite:///data/podwright.db` or `postgresql+psycopg://...`.

    The folder of a SQLite file is made when it is missing. WAL needs shared memory: keep the file on a
    local volume.
    """
    url = make_url(database_url)
    if url.get_backend_name() != "sqlite":
        return sqlalchemy.create_engine(url, pool_pre_ping=True)
    options: dict[str, Any] = {"connect_args": {"check_same_thread": False}}
    if url.database in (None, "", ":memory:"):
        options["poolclass"] = StaticPool  # one connection, else each one sees its own empty database
    else:
        Path(str(url.database)).parent.mkdir(parents=True, exist_ok=True)
    engine = sqlalchemy.create_engine(url, **options)
    event.listen(engine, "do_connect", _open_file)
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin)
    return engine


def _open_file(
    _dialect: object, _record: object, arguments: tuple[str, ...], options: dict[str, Any]
) -> sqlite3.Connection:
    """A connection to a file; one in a folder that cannot be written is opened to read only.

    WAL keeps two more files beside the database while it is open. Where they cannot be made, SQLite
    refuses even to read, unless it is told that nobody changes the file meanwhile.
    """
    connection: sqlite3.Connection = sqlite3.connect(arguments[0], **options)
    try:
        connection.execute("PRAGMA schema_version").close()  # looks at the file, which connecting does not
    except sqlite3.OperationalError as error:
        connection.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_DIRECTORY:
            raise
        address = f"{Path(arguments[0]).resolve().as_uri()}?immutable=1"
        connection = sqlite3.connect(address, uri=True, **options)
    return connection


def _set_pragmas(connection: sqlite3.Connection, _record: object) -> None:
    # The driver's own transaction handling commits before DDL; ours begins explicitly, below.
    connection.isolation_level = None
    cursor = connection.cursor()
    for name, value in SQLITE_PRAGMAS.items():
        cursor.execute(f"PRAGMA {name}={value}")
    cursor.close()


def _begin(connection: Connection) -> None:
    # A read transaction that turns into a write one fails at once with SQLITE_BUSY, whatever the
    # timeout; units of work that write take the lock at their start.
    mode = "IMMEDIATE" if connection.get_execution_options().get("writes") else "DEFERRED"
    connection.exec_driver_sql(f"BEGIN {mode}")
