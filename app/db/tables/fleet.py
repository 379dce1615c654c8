"""Saved fleets, and their revisions."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, LargeBinary, String, UniqueConstraint, event
from sqlmodel import Field

from app.db.tables.saved import RevisionColumns, SavedColumns, TagColumns, refuse_change, saved_indexes


class FleetRow(SavedColumns, table=True):
    __tablename__ = "fleet"
    __table_args__ = saved_indexes("fleet")

    forked_from_id: str | None = Field(default=None, foreign_key="fleet.id", max_length=32)


class FleetRevisionRow(RevisionColumns, table=True):
    """A save of a fleet, with the answer of its run where one was kept."""

    __tablename__ = "fleet_revision"
    __table_args__ = (UniqueConstraint("fleet_id", "revision"),)

    saved_id: str = Field(sa_column=Column("fleet_id", String(32), ForeignKey("fleet.id"), nullable=False))
    results: bytes | None = Field(default=None, sa_type=LargeBinary, nullable=True)  # compressed JSON


class FleetTagRow(TagColumns, table=True):
    __tablename__ = "fleet_tag"
    __table_args__ = (
        Index("ix_fleet_tag_by_update", "workspace_id", "deleted", "tag", "updated_at", "fleet_id"),
    )

    saved_id: str = Field(sa_column=Column("fleet_id", String(32), ForeignKey("fleet.id"), primary_key=True))


_refuse = refuse_change("fleet")
event.listen(FleetRevisionRow, "before_update", _refuse)
event.listen(FleetRevisionRow, "before_delete", _refuse)
