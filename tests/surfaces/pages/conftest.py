"""Pages of designs in every state, without catalog or database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.main import create_app
from tests.asgi import AsgiClient, asgi_client_of
from tests.surfaces.pages.states import StateDesigns


@pytest.fixture(scope="module")
def client(seeded_data_dir: Path) -> Iterator[AsgiClient]:
    app = create_app()
    app.state.designs = StateDesigns()
    with asgi_client_of(app) as found:
        yield found
