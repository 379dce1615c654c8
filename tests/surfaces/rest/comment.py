"""The comment that examples of the API speak of."""

from __future__ import annotations

from sqlalchemy import Engine

from app.db.session import write_session
from app.db.tables import PERSONAL_WORKSPACE_ID, CommentRow
from app.saved.records import Kind
from app.surfaces.rest.saved.comments import EXAMPLE_COMMENT
from app.surfaces.rest.saved.declared import EXAMPLE_ID
from app.teams.together.presence import LOCAL_ID


def keep_comment(engine: Engine, address: str) -> None:
    """It is there, on what an address is about, whatever was done with it before."""
    kind: Kind = "scenario"
    if "/designs" in address:
        kind = "supernode"
    elif "/saved-projections" in address:
        kind = "projection"
    elif "/saved-studies" in address:
        kind = "study"
    elif "/saved-fleets" in address:
        kind = "fleet"
    with write_session(engine) as session:
        session.merge(
            CommentRow(
                id=EXAMPLE_COMMENT,
                workspace_id=PERSONAL_WORKSPACE_ID,
                kind=kind,
                saved_id=EXAMPLE_ID,
                revision=1,
                anchor_kind="whole",
                anchor="",
                body="Is ten per cent what finance uses?",
                author_id=LOCAL_ID,
                author_name="You",
                resolved_at=None,
                deleted_at=None,
            )
        )
