"""Saved SuperNode and SuperPOD designs, which scenarios share, and their revisions."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, String, UniqueConstraint, event
from sqlmodel import Field

from app.db.tables.saved import RevisionColumns, SavedColumns, TagColumns, refuse_change, saved_indexes


class DesignRow(SavedColumns, table=True):
    __tablename__ = "design"
    __table_args__ = saved_indexes("design", "kind")

    kind: str = Field(max_length=16)  # supernode | pod
    forked_from_id: str | None = Field(default=None, foreign_key="design.id", max_length=32)


class DesignRevisionRow(RevisionColumns, table=True):
    __tablename__ = "design_revision"
    __table_args__ = (UniqueConstraint("design_id", "revision"),)

    saved_id: str = Field(sa_column=Column("design_id", String(32), ForeignKey("design.id"), nullable=False))


class DesignTagRow(TagColumns, table=True):
    __tablename__ = "design_tag"
    __table_args__ = (
        Index("ix_design_tag_by_update", "workspace_id", "deleted", "tag", "updated_at", "design_id"),
    )

    saved_id: str = Field(
        sa_column=Column("design_id", String(32), ForeignKey("design.id"), primary_key=True)
    )


_refuse = refuse_change("design")
event.listen(DesignRevisionRow, "before_update", _refuse)
event.listen(DesignRevisionRow, "before_delete", _refuse)
