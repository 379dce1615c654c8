"""Bringing a backup back into a database."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from app.db.address import place_of
from app.db.backup import BackupError, opened_backup, write_backup
from app.db.copying import NotEmptyError, copy_database, holds_work, up_to_date
from app.db.engine import is_server, open_engine
from app.saved.check import check_database

COMPANIONS = ("", "-wal", "-shm")  # SQLite keeps them beside the file


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """How many rows came back, and where what was there before is kept; None where there was nothing."""

    rows: int
    kept: Path | None


def restore_backup(file: Path, address: str, *, folder: Path, replace: bool = False) -> Restored:
    """Put the content of a backup into a database, all of it or nothing.

    A backup of an older version is brought up to date; the file itself stays as it is. What is replaced
    is kept as a backup in `folder`, a damaged file is put aside there.

    Raises
    ------
    BackupError : the file is no backup, or is damaged
    NewerDatabaseError : it is of a newer version
    NotEmptyError : the database holds work, and that is not to be replaced
    """
    with opened_backup(file) as copied:
        up_to_date(copied)
        _refuse_damage(file, copied)
        kept = _put_aside(address, folder, replace=replace)
        counts = copy_database(copied, address, replace=True)
    return Restored(rows=sum(counts.values()), kept=kept)


def _refuse_damage(file: Path, copied: str) -> None:
    engine = open_engine(copied)
    try:
        errors = [finding for finding in check_database(engine) if finding.severity == "error"]
    finally:
        engine.dispose()
    if errors:
        raise BackupError(
            f"{file} is damaged, and nothing was restored: {errors[0].place}: {errors[0].message}"
        )


def _put_aside(address: str, folder: Path, *, replace: bool) -> Path | None:
    """Keep what is there; a database that is not there, or holds no one's work, needs no keeping."""
    engine = open_engine(address)
    moment = f"{datetime.now(UTC):%Y%m%d-%H%M%S}"
    try:
        if not is_server(engine) and not Path(str(engine.url.database)).exists():
            return None
        up_to_date(address)
        with engine.connect() as connection:
            if not holds_work(connection):
                return None
        if not replace:
            raise NotEmptyError(place_of(engine.url))
        kept = _free(folder / f"podwright-before-restore-{moment}.db")
        write_backup(address, kept)
        return kept
    except (BackupError, DBAPIError):
        if is_server(engine) or not replace:
            raise
        return _put_file_aside(engine, _free(folder / f"podwright-damaged-{moment}.db"))
    finally:
        engine.dispose()


def _free(file: Path) -> Path:
    """The file, or another alongside it where there was a restore in the same second."""
    others = (file.with_stem(f"{file.stem}-{number}") for number in itertools.count(2))
    return next(place for place in itertools.chain([file], others) if not place.exists())


def _put_file_aside(engine: Engine, kept: Path) -> Path:
    engine.dispose()
    for ending in COMPANIONS:
        file = Path(f"{engine.url.database}{ending}")
        if file.exists():
            file.replace(f"{kept}{ending}")
    return kept
