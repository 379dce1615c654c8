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
    "synchronous": "NORMAL",  # safe in WAL, and much faster than FULL
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
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin)
    return engine


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
