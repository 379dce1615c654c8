"""The catalog of a team as the caller may change it; what they change is written down."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Engine
from sqlmodel import Session

from app.catalog.lookup import Catalog
from app.catalog.own.planning import Plan
from app.saved.team_catalog.service import TeamCatalog
from app.teams.asking import Asking
from app.teams.audit import audit

MOST_NAMED = 20


def team_catalog(engine: Engine, builtin: Callable[[], Catalog], asking: Asking) -> TeamCatalog:
    """The own rows of the workspace that is asked for."""

    def noted(session: Session, action: str, plan: Plan) -> None:
        rows = [f"{write.kind}/{write.key}" for write in plan.writes]
        audit(
            session,
            asking,
            f"catalog.{action}",
            kind="catalog",
            workspace_id=asking.workspace_id,
            count=len(rows),
            rows=rows[:MOST_NAMED],
        )

    return TeamCatalog(engine, builtin, asking.workspace_id, asking.actor, noted)
