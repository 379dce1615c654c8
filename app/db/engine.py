"""Connections: SQLite with the pragmas that make it safe, or PostgreSQL with limits on how long it may take."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import URL, Connection, Engine, event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.exc import DisconnectionError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, StaticPool

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
LEAST_ROOM_BYTES = 64 * 1024
CONNECTIONS = 20


class DatabaseFolderError(OSError):
    """The folder of a database is not there and cannot be made; the message says what to do."""


class DamagedValueError(SQLAlchemyError):
    """A column of JSON holds what is none: nothing of ours wrote that."""


def open_engine(database_url: str, *, connections: int = CONNECTIONS, json_as_text: bool = False) -> Engine:
    """An engine for an address such as `sqlite:///data/podwright.db` or `postgresql://user@host/podwright`.

    The folder of a SQLite file is made when it is missing. WAL needs shared memory: keep the file on a
    local volume. `connections` is how many one process opens to a server at most; `json_as_text` leaves
    JSON columns unread, as the copying of rows needs them.

    Raises
    ------
    DatabaseAddressError : there is no such kind of database
    DatabaseFolderError : the folder of a file is missing, and cannot be made
    """
    url = read_address(database_url)
    options: dict[str, Any] = {"json_deserializer": _read_json}
    if json_as_text:
        options = {"json_serializer": _as_text, "json_deserializer": _as_text}
    is_file = url.get_backend_name() == "sqlite"
    engine = _sqlite(url, options) if is_file else _server(url, connections, options)

    def say_where(context: ExceptionContext) -> None:
        if context.sqlalchemy_exception is not None:
            context.sqlalchemy_exception.database = url  # type: ignore[attr-defined]

    event.listen(engine, "handle_error", say_where)
    return engine


def database_of(error: Exception) -> URL | None:
    """The address of the database that an error came from, where one did."""
    found: URL | None = getattr(error, "database", None)
    return found


def is_server(bind: Engine | Connection) -> bool:
    """Return whether this is a database server, where many can write at the same time."""
    return bind.dialect.name != "sqlite"


def _as_text(stored: str | bytes) -> str:
    return stored.decode() if isinstance(stored, bytes) else stored


def _read_json(stored: str | bytes) -> Any:
    try:
        return json.loads(stored)
    except ValueError as error:
        raise DamagedValueError(f"a column of JSON cannot be read: {error}") from None


def _server(url: URL, connections: int, options: dict[str, Any]) -> Engine:
    """Connections are tried before use: a server that was started again is found again."""
    arguments: dict[str, Any] = {"connect_timeout": CONNECT_TIMEOUT_S, "application_name": "podwright"}
    arguments["options"] = " ".join(f"-c {name}={value}" for name, value in POSTGRESQL_SETTINGS.items())
    stated = {name: value for name, value in arguments.items() if name not in url.query}
    kept = (connections + 1) // 2  # the others are closed when no one needs them
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
    in_memory = url.database in (None, "", ":memory:")
    if in_memory:
        options["poolclass"] = StaticPool  # one connection, else each one sees its own empty database
    else:
        _make_folder(Path(str(url.database)).parent)
    engine = sqlalchemy.create_engine(url, **options)
    if not in_memory:
        file = _File(Path(str(url.database)))
        event.listen(engine, "do_connect", file.open)
        event.listen(engine, "connect", file.opened)
        event.listen(engine, "checkout", file.taken)
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin)
    return engine


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseFolderError(
            f"The folder {folder} of the database cannot be made ({error.strerror}): make it, or choose another."
        ) from None


@dataclass(slots=True)
class _File:
    """The database file behind an engine.

    A file that is deleted or replaced while open keeps its inode, and writes to it are lost when the last connection
    closes. Connections are therefore reopened when the path points to another inode, and only the first may create it.
    """

    path: Path
    is_there: bool = False  # it was opened before
    read_alone: bool = False  # the last connection is read-only

    def open(
        self, _dialect: object, _record: object, _arguments: object, options: dict[str, Any]
    ) -> sqlite3.Connection:
        """A connection, read-only where the file cannot be written.

        WAL needs two more files beside the database. Where they cannot be created (read-only folder, full disk), SQLite
        refuses to read as well unless the file is opened as immutable.
        """
        try:
            connection = self._connect("mode=rw" if self.is_there else "mode=rwc", options)
            self.read_alone = False
        except sqlite3.OperationalError as error:
            if not self._can_be_read_alone(error.sqlite_errorcode):
                raise
            connection = self._connect("immutable=1", options)
            self.read_alone = True
        self.is_there = True
        return connection

    def opened(self, _connection: object, record: ConnectionPoolEntry) -> None:
        record.info["file"], record.info["read_alone"] = self._identity(), self.read_alone

    def taken(self, _connection: object, record: ConnectionPoolEntry, _proxy: object) -> None:
        """Discard a pooled connection whose file was replaced, or whose read-only file can be written again."""
        if record.info["file"] != self._identity():
            raise DisconnectionError(f"{self.path} is another file than it was")
        if record.info["read_alone"] and self._can_be_opened():
            raise DisconnectionError(f"{self.path} can be written again")

    def _connect(self, how: str, options: dict[str, Any]) -> sqlite3.Connection:
        address = f"{self.path.resolve().as_uri()}?{how}"
        connection: sqlite3.Connection = sqlite3.connect(address, uri=True, **options)
        try:
            connection.execute("PRAGMA schema_version").close()  # looks at it, which connecting does not
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _can_be_opened(self) -> bool:
        try:
            self._connect("mode=rw", {}).close()
        except sqlite3.Error:
            return False
        return True

    def _can_be_read_alone(self, code: int) -> bool:
        """Return whether the file holds every commit, so that it can be opened as immutable: its write-ahead log is empty."""
        if code == sqlite3.SQLITE_READONLY_DIRECTORY:
            return True
        log = Path(f"{self.path}-wal")
        if code == sqlite3.SQLITE_CANTOPEN:  # an empty log of the last process is left
            return log.exists() and not log.stat().st_size
        is_out_of_room = code & 0xFF == sqlite3.SQLITE_IOERR and not has_room(self.path)
        return is_out_of_room and not (log.exists() and log.stat().st_size)

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self.path)
        except OSError:
            return None
        return found.st_dev, found.st_ino


def has_room(file: Path) -> bool:
    """Return whether the disk of a file takes what SQLite puts beside a database while it is open."""
    try:
        return shutil.disk_usage(file.parent).free >= LEAST_ROOM_BYTES
    except OSError:
        return True  # it is something else that is wrong


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
