"""The own rows of the workspace that is asked for."""

from __future__ import annotations

import dataclasses
from typing import Annotated

from fastapi import Depends, Request

from app.catalog.ready import ready_engine
from app.saved.team_catalog.service import TeamCatalog
from app.surfaces.pages.saved.ready import catalog_of
from app.teams.asking import Workspace, asked
from app.teams.catalog import team_catalog


def team(request: Request) -> TeamCatalog:
    """The own rows of the workspace that is asked for, as a dependency of routes."""
    return team_in(request, asked().workspace)


def team_in(request: Request, workspace: Workspace | None) -> TeamCatalog:
    """The own rows of a workspace of whoever asks."""
    app, asking = request.app, dataclasses.replace(asked(), workspace=workspace)
    catalog_of(app)  # a database that is not ready is made so
    return team_catalog(ready_engine(app.state.settings), lambda: catalog_of(app), asking)


TeamDep = Annotated[TeamCatalog, Depends(team)]
