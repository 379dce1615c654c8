"""Transactions on people, with the same faults as those on saved work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property

from sqlalchemy import Engine
from sqlmodel import Session

from app.catalog.ready import ready_engine
from app.db.session import read_session, write_session
from app.saved.faults import refuse_other_schema, storage_faults
from app.settings import Settings
from app.teams.secrets import Secrets, secrets_of


class People:
    """The accounts and teams of one database, and the secrets with which they are known.

    Whatever is slow, such as the hash of a password, is done outside of the transactions.
    """

    def __init__(self, engine: Callable[[], Engine], secrets: Callable[[], Secrets]) -> None:
        self._engine = engine
        self._secrets = secrets

    @classmethod
    def of(cls, settings: Settings) -> People:
        """Those of a server; database and secret are opened when they are first needed."""
        return cls(lambda: ready_engine(settings), lambda: secrets_of(settings))

    @cached_property
    def engine(self) -> Engine:
        return self._engine()

    @cached_property
    def secrets(self) -> Secrets:
        return self._secrets()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """
        Raises
        ------
        StorageError : the database cannot be read
        """
        with storage_faults(self.engine), read_session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """
        Raises
        ------
        StorageError : the database cannot be written; nothing was
        """
        with storage_faults(self.engine), write_session(self.engine) as session:
            refuse_other_schema(session.connection(), self.engine)
            yield session
