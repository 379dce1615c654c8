from __future__ import annotations

from pathlib import Path

import pytest

from app.catalog.lookup import Catalog
from tests.databases import engine_in


@pytest.fixture(scope="session")
def catalog(seeded_data_dir: Path) -> Catalog:
    """The built-in catalog, read once."""
    return Catalog.open(engine_in(seeded_data_dir))
