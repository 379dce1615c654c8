"""The claims of the seeded catalog, computed once."""

from __future__ import annotations

import pytest

from app.catalog.lookup import Catalog
from app.validation.claims.judge import Claims


@pytest.fixture(scope="session")
def claims(catalog: Catalog) -> Claims:
    return Claims(catalog)
