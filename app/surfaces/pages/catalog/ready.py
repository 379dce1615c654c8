"""Where the catalog pages get the catalog from."""

from __future__ import annotations

from fastapi import Request

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog, ready_engine
from app.teams.asking import asked


def workspace_catalog(request: Request) -> Catalog:
    """The catalog as the workspace that is asked for has it, its own rows over the built-in ones."""
    return catalog(request).of(asked().workspace_id)


def catalog(request: Request) -> Catalog:
    """The built-in catalog, as a dependency of routes; a database that is not ready is made so once.

    What is published of our accuracy is computed with it alone.
    """
    state = request.app.state
    if not getattr(state, "catalog_is_ready", False):
        ready_catalog(state.settings)
        state.catalog_is_ready = True
    return Catalog.open(ready_engine(state.settings))
