"""Addresses of databases as people write them."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

POSTGRESQL = "postgresql+psycopg"
SPELLINGS = {"postgresql": POSTGRESQL, "postgres": POSTGRESQL, POSTGRESQL: POSTGRESQL, "sqlite": "sqlite"}


class DatabaseAddressError(ValueError):
    """An address that no database can be opened with; the message never tells its password."""


def read_address(text: str) -> URL:
    """An address as SQLAlchemy takes it; PostgreSQL is always spoken to by psycopg 3.

    Raises
    ------
    DatabaseAddressError : it is none, or of another kind of database
    """
    way_out = "write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/DATABASE"
    try:
        url = make_url(text.strip())
    except ArgumentError:
        raise DatabaseAddressError(f"the address of the database cannot be read; {way_out}") from None
    if url.drivername not in SPELLINGS:
        raise DatabaseAddressError(f"{url.drivername!r} is no database that Podwright works with; {way_out}")
    return url.set(drivername=SPELLINGS[url.drivername])


def address_or_file(text: str) -> str:
    """An address as it is; anything else is the path of a SQLite file."""
    return text if "://" in text else f"sqlite:///{Path(text).expanduser().resolve()}"


def place_of(url: URL) -> str:
    """Where a database is, as people are told: the file, or server and name without the password."""
    if url.get_backend_name() == "sqlite":
        return url.database or "in memory"
    server = url.host or url.query.get("host") or "this machine"
    return f"{url.database or url.username or 'postgres'} on {server}"
