"""Where the catalog pages get the catalog from."""

from __future__ import annotations

from fastapi import Request

from app.catalog.lookup import Catalog
from app.surfaces.pages.saved.ready import service_asked


def workspace_catalog(request: Request) -> Catalog:
    """The catalog as the workspace that is asked for has it, its own rows over the built-in ones."""
    return service_asked(request.app).catalog()


def catalog(request: Request) -> Catalog:
    """The built-in catalog, as a dependency of routes.

    What is published of our accuracy is computed with it alone.
    """
    return service_asked(request.app).builtin_catalog()
