"""Where pages get saved work from: each request sees what the caller may see."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, FastAPI, Request

from app.saved.store import SavedWork
from app.service import Service
from app.teams.asking import asked


def service_asked(app: FastAPI) -> Service:
    """The service of the application for the caller."""
    service: Service = app.state.service
    return service.of(asked())


def work_asked(app: FastAPI) -> SavedWork:
    """Saved work as the caller may see it, from the workspace that they ask for."""
    return service_asked(app).saved


def readable(request: Request) -> SavedWork:
    """Saved work to look at."""
    return work_asked(request.app)


def writable(request: Request) -> SavedWork:
    """Saved work to change; what may be changed is asked where it is."""
    return work_asked(request.app)


ReadDep = Annotated[SavedWork, Depends(readable)]
WriteDep = Annotated[SavedWork, Depends(writable)]
