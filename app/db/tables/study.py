"""Saved studies, and their revisions."""

from __future__ import annotations

from sqlalchemy import Column, ForeignKey, Index, LargeBinary, String, UniqueConstraint, event
from sqlmodel import Field

from app.db.tables.saved import RevisionColumns, SavedColumns, TagColumns, refuse_change, saved_indexes


class StudyRow(SavedColumns, table=True):
    __tablename__ = "study"
    __table_args__ = saved_indexes("study")

    forked_from_id: str | None = Field(default=None, foreign_key="study.id", max_length=32)


class StudyRevisionRow(RevisionColumns, table=True):
    """A save of a study, with its board where one was computed."""

    __tablename__ = "study_revision"
    __table_args__ = (UniqueConstraint("study_id", "revision"),)

    saved_id: str = Field(sa_column=Column("study_id", String(32), ForeignKey("study.id"), nullable=False))
    results: bytes | None = Field(default=None, sa_type=LargeBinary, nullable=True)  # compressed JSON


class StudyTagRow(TagColumns, table=True):
    __tablename__ = "study_tag"
    __table_args__ = (
        Index("ix_study_tag_by_update", "workspace_id", "deleted", "tag", "updated_at", "study_id"),
    )

    saved_id: str = Field(sa_column=Column("study_id", String(32), ForeignKey("study.id"), primary_key=True))


_refuse = refuse_change("study")
event.listen(StudyRevisionRow, "before_update", _refuse)
event.listen(StudyRevisionRow, "before_delete", _refuse)
