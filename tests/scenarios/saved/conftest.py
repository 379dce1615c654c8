"""Saved work over an empty database, with the catalog of the seeded one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app.catalog.lookup import Catalog
from app.db.engine import open_engine
from app.db.migrate import migrate
from app.scenarios.saved.store import SavedWork

OpenWork = Callable[[], SavedWork]


@pytest.fixture(scope="session")
def catalog(seeded_data_dir: Path) -> Catalog:
    """The built-in catalog, read once."""
    return Catalog.open(open_engine(f"sqlite:///{seeded_data_dir / 'podwright.db'}"))


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database; copied by who writes."""
    path = tmp_path_factory.mktemp("empty") / "podwright.db"
    engine = open_engine(f"sqlite:///{path}")
    migrate(engine)
    engine.dispose()
    return path


@pytest.fixture
def database(empty_database: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(empty_database, tmp_path / "podwright.db"))


@pytest.fixture
def engine(database: Path) -> Iterator[Engine]:
    opened = open_engine(f"sqlite:///{database}")
    yield opened
    opened.dispose()


@pytest.fixture
def work(engine: Engine, catalog: Catalog) -> SavedWork:
    return SavedWork(engine, lambda: catalog)
