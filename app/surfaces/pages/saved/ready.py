"""Where pages get saved work from: each request sees what whoever asks may see."""

from __future__ import annotations

import threading
from typing import Annotated

from fastapi import Depends, FastAPI, Request

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog, ready_engine
from app.saved.store import SavedWork
from app.settings import Settings
from app.teams.asking import asked

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


def work_asked(app: FastAPI) -> SavedWork:
    """Saved work as whoever asks may see it, from the workspace that they ask for."""
    asking = asked()
    return work_of(app).of(asking.actor, asking.workspace_id)


def readable(request: Request) -> SavedWork:
    """Saved work to look at."""
    return work_asked(request.app)


def writable(request: Request) -> SavedWork:
    """Saved work to change; what may be changed is asked where it is."""
    return work_asked(request.app)


ReadDep = Annotated[SavedWork, Depends(readable)]
WriteDep = Annotated[SavedWork, Depends(writable)]
