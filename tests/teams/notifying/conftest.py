"""An empty database of its own."""

from __future__ import annotations

import pytest

from app.db.migrate import migrate
from tests.databases import engine_in


@pytest.fixture
def engine(tmp_path):
    opened = engine_in(tmp_path)
    migrate(opened)
    yield opened
    opened.dispose()
