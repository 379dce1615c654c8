"""Where the catalog pages get the catalog from."""

from __future__ import annotations

from fastapi import Request

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog, ready_engine


def catalog(request: Request) -> Catalog:
    """The catalog as it is now, as a dependency of routes; a database that is not ready is made so once."""
    state = request.app.state
    if not getattr(state, "catalog_is_ready", False):
        ready_catalog(state.settings)
        state.catalog_is_ready = True
    return Catalog.open(ready_engine(state.settings))
