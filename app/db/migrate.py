"""Bringing a database to the newest schema, cheaply when it is there already."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, inspect, text

from app.db.address import place_of
from app.db.engine import is_server
from app.db.session import write_connection

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).resolve().parent / "migrations"
HEAD = "0010"
"""Revision id of the newest migration. Known here so that a start need not import Alembic; a test compares."""

ONE_AT_A_TIME = threading.Lock()  # Alembic keeps what it works on for the whole process


class NewerDatabaseError(RuntimeError):
    """The database was migrated by a newer version of Podwright."""


def migrate(engine: Engine) -> bool:
    """Upgrade to the newest schema. True when something was done.

    Several processes may start at once: the write lock is taken before looking a second time.
    """
    with engine.connect() as connection:
        if current_revision(connection) == HEAD:
            return False
    from alembic import command
    from alembic.script import ScriptDirectory

    with ONE_AT_A_TIME, write_connection(engine) as connection:
        if is_server(connection) and inspect(connection).has_table("alembic_version"):
            # who writes reads the revision first: all let go before it changes, and none begins meanwhile
            connection.execute(text("LOCK TABLE alembic_version IN ACCESS EXCLUSIVE MODE"))
        current = current_revision(connection)
        if current == HEAD:
            return False
        config = alembic_config(connection)
        known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
        if current is not None and current not in known:
            raise NewerDatabaseError(
                f"the database {place_of(engine.url)} has schema {current}, which this version (schema {HEAD}) does not know; "
                "use the newer version, or another database"
            )
        command.upgrade(config, "head")
    return True


def current_revision(connection: Connection) -> str | None:
    """The schema revision of a database, None when it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def alembic_config(connection: Connection | None = None, url: str | None = None) -> Config:
    """Alembic's configuration, without an ini file: the scripts travel inside the package."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    config.attributes["url"] = url
    return config
