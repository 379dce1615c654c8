"""What the database says when it cannot, in words that name a way out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.db.migrate import HEAD
from app.db.turns import TurnTimeoutError
from app.scenarios.saved.errors import StorageError, StorageReason

MESSAGES: dict[StorageReason, str] = {
    "read_only": "The database {place} cannot be written: make the file and its folder writable, or "
    "choose another data folder. Nothing was saved.",
    "full": "There is no room left for the database {place}: free some space on its disk and save again. "
    "Nothing was saved.",
    "busy": "Another program is writing to the database {place}: wait a moment and save again. "
    "Nothing was saved.",
    "damaged": "The database {place} is damaged or its disk fails: stop Podwright, keep a copy of the file, "
    "look at it with `podwright db check` and go back to a backup. Nothing was saved.",
    "newer": "The database {place} was written by a newer version of Podwright: start that version, or "
    "choose another database. Nothing was saved.",
}

# The low byte is the kind of failure, https://sqlite.org/rescode.html
SQLITE_REASONS: dict[int, StorageReason] = {
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_CANTOPEN: "read_only",
    sqlite3.SQLITE_PERM: "read_only",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_BUSY: "busy",
    sqlite3.SQLITE_LOCKED: "busy",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_IOERR: "damaged",
}
# https://www.postgresql.org/docs/current/errcodes-appendix.html
POSTGRESQL_REASONS: dict[str, StorageReason] = {
    "25006": "read_only",
    "42501": "read_only",
    "53100": "full",
    "55P03": "busy",
    "40001": "busy",
    "40P01": "busy",
    "XX001": "damaged",
    "XX002": "damaged",
}


def storage_error(reason: StorageReason, engine: Engine) -> StorageError:
    """The error with its message; the address is named without its password."""
    place = engine.url.database if engine.url.get_backend_name() == "sqlite" else engine.url.host
    return StorageError(reason, MESSAGES[reason].format(place=place or "in memory"))


@contextmanager
def storage_faults(engine: Engine) -> Iterator[None]:
    """Whatever the database cannot do inside becomes a StorageError.

    Raises
    ------
    StorageError : read-only, full, busy, damaged, or of a newer version
    """
    try:
        yield
    except (TurnTimeoutError, PoolTimeoutError):
        raise storage_error("busy", engine) from None
    except DBAPIError as error:
        reason = reason_of(error)
        if reason is None and _is_other_schema(engine):
            reason = "newer"
        if reason is None:
            raise
        if reason == "read_only":
            engine.dispose()  # connections made from now on find out whether it can be written again
        raise storage_error(reason, engine) from error


def reason_of(error: DBAPIError) -> StorageReason | None:
    """Why the database refused; None for what is a fault of the program."""
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        return SQLITE_REASONS.get(code & 0xFF)
    return POSTGRESQL_REASONS.get(str(getattr(error.orig, "sqlstate", "")))


def refuse_other_schema(connection: Connection, engine: Engine) -> None:
    """A newer version may bring the schema up to date while this one runs; its tables are not ours to write.

    Raises
    ------
    StorageError : the schema is another one
    """
    if connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() != HEAD:
        raise storage_error("newer", engine)


def _is_other_schema(engine: Engine) -> bool:
    try:
        with engine.connect() as connection:
            refuse_other_schema(connection, engine)
    except StorageError:
        return True
    except DBAPIError:
        return False
    return False
