"""What the database says when it cannot, in words that name a way out.

Every error of a database becomes a StorageError here and nowhere else: inside of `storage_faults` at once, elsewhere by
`storage_fault` where a page, the API or the command line answers.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import DataError, DBAPIError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.db.address import place_of
from app.db.engine import DamagedValueError, DatabaseFolderError, database_of, has_room
from app.db.migrate import HEAD, NewerDatabaseError
from app.db.turns import TurnTimeoutError
from app.saved.errors import StorageError, StorageReason
from app.scenarios.errors import refuse

DATABASE_ERRORS: tuple[type[Exception], ...] = (
    StorageError,
    SQLAlchemyError,
    TurnTimeoutError,
    NewerDatabaseError,
    DatabaseFolderError,
)
"""What a database raises, whether someone has put it into words or not."""

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
FILE_MESSAGES: dict[StorageReason, str] = {
    "unreachable": "The database {place} cannot be opened: see whether the file and its folder are there, and bring them "
    "back, or go back to a backup. Nothing was saved.",
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
NO_ROOM_EITHER = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
"""What SQLite also says of a full disk, where it cannot make the files that it keeps beside the database."""
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


TO_BE_UPGRADED = "The database is to be brought up to date first. "
LOOKED_EVERY_S = 60.0

_damaged: dict[str, float] = {}  # places of databases, and from when on they may be looked over again


def storage_error(reason: StorageReason, url: URL) -> StorageError:
    """The error with its message; the address is named without its password."""
    others = FILE_MESSAGES if url.get_backend_name() == "sqlite" else SERVER_MESSAGES
    place = place_of(url)
    if reason == "damaged":
        _damaged.setdefault(place, time.monotonic())
    return StorageError(reason, (MESSAGES | others)[reason].format(place=place))


def storage_fault(error: Exception, url: URL) -> StorageError | None:
    """The storage error behind a database exception; None for a programming error.

    `url` is the database where the error does not know it. What cannot be written outside of `storage_faults` is what a
    start brings up to date: the schema and the catalog.
    """
    url = database_of(error) or url
    match error:
        case StorageError():
            return error
        case NewerDatabaseError():
            return StorageError("newer", f"{str(error)[:1].upper()}{str(error)[1:]}.")
        case DatabaseFolderError():
            return StorageError("unreachable", "The folder of the database is not there and cannot be made.")
        case _:
            reason = reason_of(error, url)
    if reason is None:
        return None
    said = storage_error(reason, url)
    if reason in ("read_only", "full"):
        return StorageError(reason, TO_BE_UPGRADED + said.message)
    return said


def known_damage(engine: Engine) -> StorageError | None:
    """The damage that this process met in a database, until the file is found whole again."""
    place = place_of(engine.url)
    moment = time.monotonic()
    if place not in _damaged:
        return None
    if moment >= _damaged[place]:
        if _is_whole(engine):
            del _damaged[place]
            return None
        _damaged[place] = moment + LOOKED_EVERY_S
    return storage_error("damaged", engine.url)


def _is_whole(engine: Engine) -> bool:
    """Return whether SQLite's quick check passes; a database server reports damage when it is read."""
    if engine.dialect.name != "sqlite":
        return True
    with engine.connect() as connection:
        return bool(connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() == "ok")


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
    except (SQLAlchemyError, TurnTimeoutError) as error:
        if isinstance(error, DataError) and "NUL" in str(error.orig):
            raise refuse("The text holds the character NUL.", rule="plain_text", hint=NO_NUL) from None
        reason = reason_of(error, engine.url)
        if reason is None and isinstance(error, DBAPIError) and _is_other_schema(engine):
            reason = "newer"
        if reason is None:
            raise
        if reason == "read_only":
            engine.dispose()  # connections made from now on find out whether it can be written again
        raise storage_error(reason, engine.url) from error


def reason_of(error: Exception, url: URL) -> StorageReason | None:
    """Why the database at an address refused; None for what is a fault of the program."""
    match error:
        case TurnTimeoutError() | PoolTimeoutError():
            return "busy"
        case DamagedValueError():
            return "damaged"
        case DBAPIError():
            return _reason_of_driver(error, url)
    return None


def _reason_of_driver(error: DBAPIError, url: URL) -> StorageReason | None:
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is not None:
        file = Path(str(url.database))
        if code & 0xFF in NO_ROOM_EITHER and not has_room(file):
            return "full"
        if code & 0xFF == sqlite3.SQLITE_CANTOPEN and not file.exists():
            return "unreachable"
        return SQLITE_REASONS.get(code & 0xFF)
    if isinstance(error.orig, sqlite3.OperationalError) and "decode to UTF-8" in str(error.orig):
        return "damaged"  # whatever Podwright writes is UTF-8
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
        raise storage_error("newer", engine.url)


def _is_other_schema(engine: Engine) -> bool:
    try:
        with engine.connect() as connection:
            refuse_other_schema(connection, engine)
    except StorageError:
        return True
    except DBAPIError:
        return False
    return False
