"""A PostgreSQL server to time, where there is one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.engine import make_url

from tests.postgres import VARIABLE, running_postgres, server_programs

NAME = "podwright_bench"


@contextmanager
def postgres_address() -> Iterator[str | None]:
    """The address of an empty database: on the server that is named, else on one that is installed.

    It writes each commit through to the disk, as SQLite does. None where there is no server.
    """
    if os.environ.get(VARIABLE):
        with psycopg.connect(os.environ[VARIABLE], autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {NAME}")
            yield make_url(os.environ[VARIABLE]).set(database=NAME).render_as_string(hide_password=False)
            connection.execute(f"DROP DATABASE {NAME} WITH (FORCE)")
    elif server_programs():
        with running_postgres(durable=True) as server:
            yield server.address
    else:
        yield None
