"""Where pages get saved work from, and the question that is asked before they do."""

from __future__ import annotations

import threading
from typing import Annotated

from fastapi import Depends, FastAPI, Request

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog, ready_engine
from app.scenarios.saved.access import require
from app.scenarios.saved.store import SavedWork
from app.settings import Settings

_lock = threading.Lock()


def work_of(app: FastAPI) -> SavedWork:
    """The saved work of the application; its database is opened when it is first asked for."""
    with _lock:
        if not hasattr(app.state, "saved"):
            settings: Settings = app.state.settings
            app.state.saved = SavedWork(ready_engine(settings), lambda: catalog_of(app))
    work: SavedWork = app.state.saved
    return work


def catalog_of(app: FastAPI) -> Catalog:
    """The catalog as it is now; a database that is not ready is made so once."""
    settings: Settings = app.state.settings
    if not getattr(app.state, "catalog_is_ready", False):
        ready_catalog(settings)
        app.state.catalog_is_ready = True
    return Catalog.open(ready_engine(settings))


def readable(request: Request) -> SavedWork:
    """Saved work to look at."""
    require("read")
    return work_of(request.app)


def writable(request: Request) -> SavedWork:
    """Saved work to change."""
    require("write")
    return work_of(request.app)


ReadDep = Annotated[SavedWork, Depends(readable)]
WriteDep = Annotated[SavedWork, Depends(writable)]
