"""Units of work: read, or write all or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlmodel import Session

from app.db.turns import turns_of


@contextmanager
def read_session(engine: Engine) -> Iterator[Session]:
    """A session that only reads."""
    with Session(engine, expire_on_commit=False) as session:
        yield session


@contextmanager
def write_session(engine: Engine) -> Iterator[Session]:
    """A session that takes the write lock at once and commits at the end. Compute before, write inside.

    Raises
    ------
    TurnTimeoutError : another writer of this process holds the lock for too long
    """
    with (
        turns_of(engine).turn(),
        Session(engine.execution_options(writes=True), expire_on_commit=False) as session,
        session.begin(),
    ):
        yield session


@contextmanager
def write_connection(engine: Engine) -> Iterator[Connection]:
    """The same without objects, for bulk work and migrations."""
    with turns_of(engine).turn(), engine.execution_options(writes=True).begin() as connection:
        yield connection
