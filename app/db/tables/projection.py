"""Saved projections of scaling laws, and their revisions."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, LargeBinary, String, UniqueConstraint, event
from sqlmodel import Field

from app.db.tables.saved import RevisionColumns, SavedColumns, TagColumns, refuse_change, saved_indexes


class ProjectionRow(SavedColumns, table=True):
    __tablename__ = "projection"
    __table_args__ = saved_indexes("projection")

    forked_from_id: str | None = Field(default=None, foreign_key="projection.id", max_length=32)


class ProjectionRevisionRow(RevisionColumns, table=True):
    """A save of a projection, with what it came to."""

    __tablename__ = "projection_revision"
    __table_args__ = (UniqueConstraint("projection_id", "revision"),)

    saved_id: str = Field(
        sa_column=Column("projection_id", String(32), ForeignKey("projection.id"), nullable=False)
    )
    results: bytes = Field(sa_type=LargeBinary, nullable=False)  # compressed JSON


class ProjectionTagRow(TagColumns, table=True):
    __tablename__ = "projection_tag"
    __table_args__ = (
        Index("ix_projection_tag_by_update", "workspace_id", "deleted", "tag", "updated_at", "projection_id"),
    )

    saved_id: str = Field(
        sa_column=Column("projection_id", String(32), ForeignKey("projection.id"), primary_key=True)
    )


_refuse = refuse_change("projection")
event.listen(ProjectionRevisionRow, "before_update", _refuse)
event.listen(ProjectionRevisionRow, "before_delete", _refuse)
