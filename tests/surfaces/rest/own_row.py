"""An own row of the catalog that requests can meet."""

from __future__ import annotations

import contextlib

from sqlalchemy import Engine

from app.catalog.lookup import Catalog
from app.db.tables import PERSONAL_WORKSPACE_ID
from app.saved.access import LOCAL
from app.saved.team_catalog.errors import NotOwnError
from app.saved.team_catalog.service import TeamCatalog
from app.surfaces.rest.team_catalog import EXAMPLE_ROW
from app.surfaces.rest.team_catalog_models import OwnRow, entries_of

ROW = ("accelerators", "acme_accelerator")
YEAR = ("climate", "graz_2023")


def keep_own_row(engine: Engine) -> None:
    """State it, where it is not there."""
    team = _team(engine)
    if not team.rows("accelerators"):
        team.put(entries_of(*ROW, OwnRow.model_validate(EXAMPLE_ROW)), None)


def remove_own_row(engine: Engine) -> None:
    """Remove it, where it is there: whatever is computed afterwards is so with built-in rows alone."""
    for row in (ROW, YEAR):
        with contextlib.suppress(NotOwnError):
            _team(engine).remove(*row, None)


def _team(engine: Engine) -> TeamCatalog:
    return TeamCatalog(engine, lambda: Catalog.open(engine), PERSONAL_WORKSPACE_ID, LOCAL)
