"""Where pages get the shares of saved work from."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, FastAPI, Request

from app.settings import Settings
from app.surfaces.pages.saved.ready import work_asked
from app.teams.asking import asked
from app.teams.secrets import Secrets, secrets_of
from app.teams.sharing import Sharing


def secrets_in(app: FastAPI) -> Secrets:
    """Those of the server; its file is read once."""
    if not hasattr(app.state, "link_secrets"):
        settings: Settings = app.state.settings
        app.state.link_secrets = secrets_of(settings)
    found: Secrets = app.state.link_secrets
    return found


def sharing(request: Request) -> Sharing:
    """Shares as whoever asks may see and change them."""
    return Sharing(work_asked(request.app), lambda: secrets_in(request.app), asked())


SharingDep = Annotated[Sharing, Depends(sharing)]


def server_address(request: Request) -> str:
    """What the addresses of links begin with."""
    settings: Settings = request.app.state.settings
    return settings.public_url or str(request.base_url).rstrip("/")
