"""Where pages get the shares of saved work from."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, FastAPI, Request

from app.settings import Settings
from app.surfaces.pages.saved.ready import service_asked
from app.teams.secrets import Secrets
from app.teams.sharing import Sharing


def secrets_in(app: FastAPI) -> Secrets:
    """Those of the server; its file is read once."""
    return service_asked(app).secrets()


def sharing(request: Request) -> Sharing:
    """Shares as the caller may see and change them."""
    return service_asked(request.app).sharing


SharingDep = Annotated[Sharing, Depends(sharing)]


def server_address(request: Request) -> str:
    """What the addresses of links begin with."""
    settings: Settings = request.app.state.settings
    return settings.public_url or str(request.base_url).rstrip("/")
