"""The own rows of the workspace that is asked for."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from app.catalog.ready import ready_engine
from app.scenarios.team_catalog.service import TeamCatalog
from app.teams.asking import asked
from app.teams.catalog import team_catalog
from app.web.saved.ready import catalog_of


def team(request: Request) -> TeamCatalog:
    """The own rows of the workspace that is asked for, as a dependency of routes."""
    app = request.app
    catalog_of(app)  # a database that is not ready is made so
    return team_catalog(ready_engine(app.state.settings), lambda: catalog_of(app), asked())


TeamDep = Annotated[TeamCatalog, Depends(team)]
