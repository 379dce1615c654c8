"""Units of work: read one moment, or write all or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from sqlalchemy import Connection, Engine, text
from sqlmodel import Session

from app.db.engine import is_server
from app.db.turns import turns_of

BULK_WORK = 7_205_330  # the number of an advisory lock; any that nothing else locks
# a transaction of SQLite always sees one moment; a server otherwise shows each question another
ONE_MOMENT = {"isolation_level": "REPEATABLE READ"}


@contextmanager
def read_session(engine: Engine) -> Iterator[Session]:
    """A session that only reads, and sees one moment however many questions it asks."""
    with Session(engine, expire_on_commit=False) as session:
        if is_server(engine):
            session.connection(execution_options=ONE_MOMENT)
        yield session


@contextmanager
def read_connection(engine: Engine) -> Iterator[Connection]:
    """The same without objects."""
    with engine.connect() as connection:
        yield connection.execution_options(**ONE_MOMENT) if is_server(engine) else connection


@contextmanager
def write_session(engine: Engine) -> Iterator[Session]:
    """A session that commits at the end. Compute before, write inside.

    SQLite takes the write lock at once; on a server, rows that must not change meanwhile are to be locked.

    Raises
    ------
    TurnTimeoutError : another writer of this process holds the lock for too long
    """
    with (
        _turn(engine),
        Session(engine.execution_options(writes=True), expire_on_commit=False) as session,
        session.begin(),
    ):
        yield session


@contextmanager
def write_connection(engine: Engine) -> Iterator[Connection]:
    """A connection for bulk work and migrations, which one process does at a time and which may take long."""
    with _turn(engine), engine.execution_options(writes="bulk").begin() as connection:
        if is_server(connection):
            for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
                connection.execute(text(f"SET LOCAL {name} = 0"))
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": BULK_WORK})
        yield connection


def _turn(engine: Engine) -> AbstractContextManager[None]:
    # a server lets those who write different rows in together, and has the others wait in order itself
    return nullcontext() if is_server(engine) else turns_of(engine).turn()
