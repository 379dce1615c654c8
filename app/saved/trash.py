"""Deleted items: by whom, and how it goes for good."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Session

from app.db.tables import (
    ChangeRow,
    CommentRow,
    MentionRow,
    NotificationRow,
    PresenceRow,
    ProjectionRevisionRow,
    ProjectionRow,
    ReviewStepRow,
    RevisionNameRow,
    ScenarioDesignRow,
    ScenarioRevisionRow,
    ScenarioRow,
    ShareGrantRow,
    ShareLinkRow,
    table_of,
)
from app.saved.expand import DESIGN_KINDS
from app.saved.records import WORDS, Kind
from app.saved.rows import ALL_TABLES, FLEETS, STUDIES, TABLES, HeadRow
from app.scenarios.errors import refuse

CHANGE, COMMENT = table_of(ChangeRow), table_of(CommentRow)
BESIDE = (
    table_of(RevisionNameRow),
    table_of(ShareGrantRow),
    table_of(ShareLinkRow),
    table_of(PresenceRow),
    table_of(ReviewStepRow),
    table_of(NotificationRow),
)
"""What is kept beside saved work under its id."""
NAMED = 3  # uses that a refusal names


def deleted_by(session: Session, ids: Sequence[str]) -> dict[str, str]:
    """Who deleted each, by id, as they were called then; items without a record are left out."""
    last = (
        sa.select(sa.func.max(CHANGE.c.id))
        .where(CHANGE.c.saved_id.in_(ids), CHANGE.c.event == "deleted")
        .group_by(CHANGE.c.saved_id)
    )
    rows = session.execute(sa.select(CHANGE.c.saved_id, CHANGE.c.actor).where(CHANGE.c.id.in_(last)))
    return {id: actor for id, actor in rows if actor}


def refuse_in_use(session: Session, kind: Kind, head: HeadRow) -> None:
    """Nothing, where no other saved work needs it.

    Raises
    ------
    ScenarioError : some does; a revision of it could not be opened any more
    """
    names = uses(session, kind, head.id)
    if not names:
        return
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    raise refuse(
        f"The {WORDS[kind]} {head.name!r} is used by {', '.join(names[:NAMED])}{more}.",
        rule="in_use",
        hint="Delete those for good first: their older revisions count too.",
    )


def uses(session: Session, kind: Kind, id: str) -> list[str]:
    """Names of other saved work that has a revision which names it."""
    if kind in DESIGN_KINDS:
        use, revision, head = (table_of(row) for row in (ScenarioDesignRow, ScenarioRevisionRow, ScenarioRow))
        query = (
            sa.select(head.c.name)
            .join(revision, revision.c.scenario_id == head.c.id)
            .join(use, use.c.scenario_revision_id == revision.c.id)
            .where(use.c.design_id == id)
        )
    elif kind == "scenario":
        revision, head = table_of(ProjectionRevisionRow), table_of(ProjectionRow)
        names_it = revision.c.document["scenario"].as_string() == id
        query = sa.select(head.c.name).join(revision, revision.c.projection_id == head.c.id).where(names_it)
        names = set(session.execute(query).scalars())
        for tables in (STUDIES, FLEETS):
            heads, revisions = tables.heads, tables.revisions
            # an id is found in no other place of a document: it has 32 digits and letters that no one types
            holds_it = sa.cast(revisions.c.document, sa.String).contains(id)
            of_it = revisions.c[tables.owner] == heads.c.id
            names |= set(
                session.execute(sa.select(heads.c.name).join(revisions, of_it).where(holds_it)).scalars()
            )
        return sorted(names)
    else:
        return []
    return list(session.execute(query.distinct().order_by(head.c.name)).scalars())


def erase(session: Session, kind: Kind, id: str) -> None:
    """Every row of something saved. Statements of SQL, as rows of revisions cannot be changed otherwise."""
    tables = TABLES[kind]
    revisions = sa.select(tables.revisions.c.id).where(tables.revisions.c[tables.owner] == id)
    comments = sa.select(COMMENT.c.id).where(COMMENT.c.saved_id == id)
    use, mention = table_of(ScenarioDesignRow), table_of(MentionRow)
    if kind == "scenario":
        session.execute(use.delete().where(use.c.scenario_revision_id.in_(revisions)))
    session.execute(mention.delete().where(mention.c.comment_id.in_(comments)))
    session.execute(COMMENT.delete().where(COMMENT.c.saved_id == id, COMMENT.c.thread_id.is_not(None)))
    session.execute(COMMENT.delete().where(COMMENT.c.saved_id == id))
    for table in BESIDE:
        session.execute(table.delete().where(table.c.saved_id == id))
    session.execute(tables.tags.delete().where(tables.tags.c[tables.owner] == id))
    heads = tables.heads
    session.execute(heads.update().where(heads.c.forked_from_id == id).values(forked_from_id=None))
    session.execute(tables.revisions.delete().where(tables.revisions.c[tables.owner] == id))
    session.execute(heads.delete().where(heads.c.id == id))
    session.expire_all()


def deleted_before(session: Session, moment: datetime) -> list[tuple[Kind, str]]:
    """What was deleted longest ago, fleets, studies, projections and scenarios before the designs that they
    name."""
    found: list[tuple[Kind, str]] = []
    for tables in sorted(
        ALL_TABLES,
        key=lambda each: ("fleet", "study", "projection", "scenario", "design").index(each.heads.name),
    ):
        heads = tables.heads
        kind = heads.c.kind if "kind" in heads.c else sa.literal(heads.name).label("kind")
        query = sa.select(kind, heads.c.id).where(
            heads.c.deleted_at.is_not(None), heads.c.deleted_at < moment
        )
        found += [(row[0], row[1]) for row in session.execute(query.order_by(heads.c.deleted_at, heads.c.id))]
    return found
