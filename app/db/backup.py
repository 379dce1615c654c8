"""Backups: one moment of a database as a SQLite file, made while others go on writing.

A file of SQLite whatever the database is: it can be looked at anywhere, and restored into either kind.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Engine

from app.db.address import place_of
from app.db.copying import copy_database
from app.db.engine import is_server, open_engine
from app.db.migrate import HEAD, current_revision

HEADER = b"SQLite format 3\0"


class BackupError(RuntimeError):
    """A backup cannot be made or read; the message says what to do."""


def write_backup(address: str, file: Path, *, replace: bool = False) -> None:
    """Write a backup. It is there whole, or not at all, and only its owner may read it.

    Raises
    ------
    BackupError : the file is there already, or the database is damaged or of another version
    """
    file = file.expanduser().resolve()
    if file.exists() and not replace:
        raise BackupError(f"{file} is there already; --replace overwrites it")
    if not file.parent.is_dir():
        raise BackupError(f"the folder {file.parent} is not there; make it first")
    engine = open_engine(address)
    if not is_server(engine) and file == Path(str(engine.url.database)).resolve():
        raise BackupError(f"{file} is the database itself; name another file")
    # alongside it, so that it can be renamed; mkstemp gives the rights to the owner alone
    handle, made = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
    os.close(handle)
    part = Path(made)
    try:
        _write(engine, address, part)
        _sync(part)
        part.replace(file)
        _sync(file.parent)
    finally:
        engine.dispose()
        for left in (part, *(part.with_name(part.name + ending) for ending in ("-wal", "-shm", "-journal"))):
            left.unlink(missing_ok=True)


@contextmanager
def opened_backup(file: Path) -> Iterator[str]:
    """The address of a copy of a backup that may be changed; the file itself stays as it is.

    Raises
    ------
    BackupError : it is no backup
    """
    if not file.is_file():
        raise BackupError(f"there is no file {file}")
    with file.open("rb") as opened:
        if opened.read(len(HEADER)) != HEADER:
            raise BackupError(f"{file} is no backup: backups are SQLite files")
    with tempfile.TemporaryDirectory(prefix="podwright-") as folder:
        copy = Path(folder) / "podwright.db"
        # not by an engine, which would make it a database that is in use
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as source:
            _copy_file(source, copy, file)
        yield f"sqlite:///{copy}"


def _write(engine: Engine, address: str, part: Path) -> None:
    if not is_server(engine):
        raw = engine.raw_connection()
        try:
            source = raw.driver_connection
            assert isinstance(source, sqlite3.Connection)
            _copy_file(source, part, engine.url.database)
        finally:
            raw.close()
        return
    with engine.connect() as connection:
        current = current_revision(connection)
    if current != HEAD:
        way_out = "`podwright db upgrade` brings it up to date, or the version that it is of backs it up"
        raise BackupError(f"the database {place_of(engine.url)} has schema {current}, not {HEAD}; {way_out}")
    copy_database(address, f"sqlite:///{part}")
    with closing(sqlite3.connect(part)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")  # all of it in one file


def _copy_file(source: sqlite3.Connection, part: Path, place: object) -> None:
    """SQLite's own way, which needs no pause of those who write."""
    try:
        with closing(sqlite3.connect(part)) as target:
            source.backup(target)
            (found,) = target.execute("PRAGMA quick_check(1)").fetchone()
            target.execute("PRAGMA journal_mode = DELETE")  # all of it in one file
    except sqlite3.Error as error:
        raise BackupError(f"{place} cannot be copied: {error}") from None
    if found != "ok":
        raise BackupError(f"{place} is damaged; `podwright db check` says where")


def _sync(place: Path) -> None:
    """What was written is on the disk before it is said to be there."""
    handle = os.open(place, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
