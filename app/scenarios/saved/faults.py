"""What the database says when it cannot, in words that name a way out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.db.address import place_of
from app.db.engine import is_server
from app.db.migrate import HEAD
from app.db.turns import TurnTimeoutError
from app.scenarios.errors import refuse
from app.scenarios.saved.errors import StorageError, StorageReason

NO_NUL = "Databases cannot keep it: leave it out."

MESSAGES: dict[StorageReason, str] = {
    "read_only": "The database {place} cannot be written: make the file and its folder writable, or "
    "choose another data folder. Nothing was saved.",
    "full": "There is no room left for the database {place}: free some space on its disk and save again. "
    "Nothing was saved.",
    "busy": "Others are writing to the database {place}: wait a moment and save again. Nothing was saved.",
    "damaged": "The database {place} is damaged or its disk fails: stop Podwright, keep a copy of the file, "
    "look at it with `podwright db check` and go back to a backup. Nothing was saved.",
    "newer": "The database {place} was written by a newer version of Podwright: start that version, or "
    "choose another database. Nothing was saved.",
    "unreachable": "The database {place} cannot be reached: see whether its server runs, and whether address, "
    "name and password are right. Nothing was saved.",
    # if it was lost at the very end, only the server knows
    "lost": "The connection to the database {place} was lost: look whether your change is there before you "
    "save it again.",
}
SERVER_MESSAGES: dict[StorageReason, str] = {
    "read_only": "The database {place} takes no changes: it is a standby, or Podwright's role may only read. "
    "Nothing was saved.",
    "damaged": "The database {place} holds damaged data: see the log of its server, look at it with "
    "`podwright db check` and go back to a backup. Nothing was saved.",
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
# https://www.postgresql.org/docs/current/errcodes-appendix.html; two characters are a whole class
POSTGRESQL_REASONS: dict[str, StorageReason] = {
    "25006": "read_only",
    "42501": "read_only",
    "53100": "full",
    "53": "busy",  # out of memory or connections
    "55P03": "busy",
    "57014": "busy",  # took longer than statements may
    "40001": "busy",
    "40P01": "busy",
    "58030": "damaged",
    "XX001": "damaged",
    "XX002": "damaged",
    "08": "lost",
    "57P": "lost",  # the server is stopped, or starts
}


def storage_error(reason: StorageReason, engine: Engine) -> StorageError:
    """The error with its message; the address is named without its password."""
    messages = MESSAGES | SERVER_MESSAGES if is_server(engine) else MESSAGES
    return StorageError(reason, messages[reason].format(place=place_of(engine.url)))


@contextmanager
def storage_faults(engine: Engine) -> Iterator[None]:
    """Whatever the database cannot do inside becomes a StorageError.

    Raises
    ------
    ScenarioError : a text cannot be stored
    StorageError : read-only, full, busy, damaged, of a newer version, or out of reach
    """
    try:
        yield
    except (TurnTimeoutError, PoolTimeoutError):
        raise storage_error("busy", engine) from None
    except DBAPIError as error:
        if isinstance(error, DataError) and "NUL" in str(error.orig):
            raise refuse("The text holds the character NUL.", rule="plain_text", hint=NO_NUL) from None
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
    if error.connection_invalidated:
        return "lost"
    state = getattr(error.orig, "sqlstate", "")
    if state is None:  # no server has answered
        return "unreachable" if isinstance(error, OperationalError) else None
    lengths = (len(state), 3, 2)  # the state itself, else its class
    return next((POSTGRESQL_REASONS[state[:n]] for n in lengths if state[:n] in POSTGRESQL_REASONS), None)


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
