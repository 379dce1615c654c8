"""The own rows of the workspace that is asked for."""

from __future__ import annotations

import dataclasses
from typing import Annotated

from fastapi import Depends, Request

from app.saved.team_catalog.service import TeamCatalog
from app.service import Service
from app.teams.asking import Workspace, asked


def team(request: Request) -> TeamCatalog:
    """The own rows of the workspace that is asked for, as a dependency of routes."""
    return team_in(request, asked().workspace)


def team_in(request: Request, workspace: Workspace | None) -> TeamCatalog:
    """The own rows of a workspace of the caller."""
    service: Service = request.app.state.service
    return service.of(dataclasses.replace(asked(), workspace=workspace)).team_catalog


TeamDep = Annotated[TeamCatalog, Depends(team)]
