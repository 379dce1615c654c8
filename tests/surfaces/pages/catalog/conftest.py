"""The catalog behind the pages, and the pages themselves: they are only read."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog
from app.settings import Settings
from tests.asgi import AsgiClient
from tests.surfaces.pages.catalog.support import PAGE


@pytest.fixture(scope="session")
def catalog(seeded_data_dir: Path, own_settings: Path) -> Catalog:
    return ready_catalog(Settings(data_dir=own_settings))


@pytest.fixture(scope="session")
def status_of(reading_client: AsgiClient) -> Callable[[str], int]:
    """How an address answers. Most pages have many links in common, and each is followed once."""

    @functools.cache
    def status(path: str) -> int:
        return reading_client.get(path, headers=PAGE).status_code

    return status
