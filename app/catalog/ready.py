"""A catalog ready to be read: the database opened, migrated and seeded when it needs to be."""

from __future__ import annotations

import functools
import threading

from sqlalchemy import Engine

from app.catalog.errors import CatalogLookupError
from app.catalog.load import load_catalog
from app.catalog.lookup import Catalog
from app.db.engine import open_engine
from app.db.migrate import migrate
from app.paths import seed_data
from app.settings import Settings, get_settings


def ready_engine(settings: Settings) -> Engine:
    """The database of these settings, at the newest schema; one engine a process and address."""
    with _opening:  # a cache alone lets two threads that ask at once open an engine each
        return _engine(settings.database_url, settings.database_connections)


def ready_catalog(settings: Settings | None = None) -> Catalog:
    """The built-in catalog. An empty or outdated database is brought up to date first."""
    found = settings or get_settings()
    engine = ready_engine(found)
    # the setting can leave climate years out; whether `podwright seed` did is remembered by the database
    ship = None if found.ship_climate_needing_check else False
    load_catalog(engine, seed_data(), ship_climate_needing_check=ship)
    return Catalog.open(engine)


def present_catalog(settings: Settings) -> Catalog:
    """The built-in catalog as the database has it; a database without one is filled first."""
    try:
        return Catalog.open(ready_engine(settings))
    except CatalogLookupError:
        return ready_catalog(settings)


def close_engine(settings: Settings) -> None:
    """Close the connections of these settings that no one uses; a later user opens a new one."""
    if engine := _opened.get(settings.database_url):
        engine.dispose()


_opened: dict[str, Engine] = {}
_opening = threading.Lock()


@functools.cache
def _engine(database_url: str, connections: int) -> Engine:
    engine = open_engine(database_url, connections=connections)
    _opened[database_url] = engine
    migrate(engine)
    return engine
