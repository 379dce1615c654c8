"""The seeded catalog."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog


@pytest.fixture(scope="package")
def catalog(seeded_data_dir: Path) -> Catalog:
    return ready_catalog()
