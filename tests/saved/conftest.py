"""Saved work over an empty database, with the catalog of the seeded one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from app.catalog.lookup import Catalog
from app.db.migrate import migrate
from app.saved.store import SavedWork
from tests.databases import engine_in, freeze

OpenWork = Callable[[], SavedWork]


@pytest.fixture(scope="session")
def catalog(seeded_data_dir: Path) -> Catalog:
    """The built-in catalog, read once."""
    return Catalog.open(engine_in(seeded_data_dir))


@pytest.fixture(scope="session")
def empty_data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a migrated database; copied by who writes."""
    data_dir = tmp_path_factory.mktemp("empty")
    engine = engine_in(data_dir)
    migrate(engine)
    engine.dispose()
    freeze(data_dir)
    return data_dir


@pytest.fixture
def data_dir(empty_data_dir: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(empty_data_dir, tmp_path / "data"))


@pytest.fixture
def engine(data_dir: Path) -> Iterator[Engine]:
    opened = engine_in(data_dir)
    yield opened
    opened.dispose()


@pytest.fixture
def work(engine: Engine, catalog: Catalog) -> SavedWork:
    return SavedWork(engine, lambda: catalog)
