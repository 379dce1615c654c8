"""Connections: SQLite with the pragmas that make it safe, or PostgreSQL with limits on how long it may take."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import URL, Connection, Engine, event
from sqlalchemy.pool import StaticPool

from app.db.address import read_address

SQLITE_PRAGMAS = {
    "journal_mode": "WAL",  # readers never wait for the writer
    "foreign_keys": "ON",  # off by default in SQLite
    "busy_timeout": "5000",  # milliseconds to wait for another writer
    # NORMAL is consistent after a power cut, but may have lost the last commits: FULL writes each one
    # through to the disk before it is acknowledged, so that what was said to be saved is saved.
    "synchronous": "FULL",
}
BULK_PATIENCE_MS = 120_000
POSTGRESQL_SETTINGS = {
    "timezone": "UTC",
    "statement_timeout": "60s",  # no page waits longer
    "lock_timeout": "30s",  # as long as writers wait for each other in one process
    "idle_in_transaction_session_timeout": "5min",  # who hangs lets go of what it holds
}
CONNECT_TIMEOUT_S = 10
CONNECTIONS = 20


def open_engine(database_url: str, *, connections: int = CONNECTIONS, json_as_text: bool = False) -> Engine:
    """An engine for an address such as `sqlite:///data/podwright.db` or `postgresql://user@host/podwright`.

    The folder of a SQLite file is made when it is missing. WAL needs shared memory: keep the file on a
    local volume. `connections` is how many one process opens to a server at most; `json_as_text` leaves
    JSON columns unread, as whoever copies rows wants them.

    Raises
    ------
    DatabaseAddressError : there is no such kind of database
    """
    url = read_address(database_url)
    options: dict[str, Any] = {}
    if json_as_text:
        options = {"json_serializer": _as_text, "json_deserializer": _as_text}
    return _sqlite(url, options) if url.get_backend_name() == "sqlite" else _server(url, connections, options)


def is_server(bind: Engine | Connection) -> bool:
    """Whether this is a database server, where many can write at the same time."""
    return bind.dialect.name != "sqlite"


def _as_text(stored: str | bytes) -> str:
    return stored.decode() if isinstance(stored, bytes) else stored


def _server(url: URL, connections: int, options: dict[str, Any]) -> Engine:
    """Connections are tried before use: a server that was started again is found again."""
    arguments: dict[str, Any] = {"connect_timeout": CONNECT_TIMEOUT_S, "application_name": "podwright"}
    arguments["options"] = " ".join(f"-c {name}={value}" for name, value in POSTGRESQL_SETTINGS.items())
    stated = {name: value for name, value in arguments.items() if name not in url.query}
    kept = (connections + 1) // 2  # the others are closed when nobody needs them
    return sqlalchemy.create_engine(
        url,
        pool_pre_ping=True,
        pool_size=kept,
        max_overflow=connections - kept,
        connect_args=stated,
        **options,
    )


def _sqlite(url: URL, options: dict[str, Any]) -> Engine:
    options = {**options, "connect_args": {"check_same_thread": False}}
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
    refuses even to read, unless it is told that nobody changes the file meanwhile. It says so in another
    way where whoever had it open last left an empty log behind.
    """
    connection: sqlite3.Connection = sqlite3.connect(arguments[0], **options)
    try:
        connection.execute("PRAGMA schema_version").close()  # looks at the file, which connecting does not
    except sqlite3.OperationalError as error:
        connection.close()
        left_empty = error.sqlite_errorcode == sqlite3.SQLITE_CANTOPEN and _is_empty(
            Path(f"{arguments[0]}-wal")
        )
        if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_DIRECTORY and not left_empty:
            raise
        address = f"{Path(arguments[0]).resolve().as_uri()}?immutable=1"
        connection = sqlite3.connect(address, uri=True, **options)
    return connection


def _is_empty(path: Path) -> bool:
    return path.exists() and path.stat().st_size == 0


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
    writes = connection.get_execution_options().get("writes")
    if writes == "bulk":  # another process may be filling the same database
        patience = connection.exec_driver_sql("PRAGMA busy_timeout").scalar_one()
        connection.exec_driver_sql(f"PRAGMA busy_timeout={BULK_PATIENCE_MS}")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        connection.exec_driver_sql(f"PRAGMA busy_timeout={patience}")
    else:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN DEFERRED")
