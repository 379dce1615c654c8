"""The tables of each kind of saved work, and their rows as records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from app.db.tables import (
    DesignRevisionRow,
    DesignRow,
    DesignTagRow,
    FleetRevisionRow,
    FleetRow,
    FleetTagRow,
    ProjectionRevisionRow,
    ProjectionRow,
    ProjectionTagRow,
    ScenarioRevisionRow,
    ScenarioRow,
    ScenarioTagRow,
    StudyRevisionRow,
    StudyRow,
    StudyTagRow,
    table_of,
)
from app.saved.records import Kind, Revision, Saved
from app.saved.summaries import UNKNOWN

HeadRow = ScenarioRow | DesignRow | ProjectionRow | StudyRow | FleetRow
RevisionRow = (
    ScenarioRevisionRow | DesignRevisionRow | ProjectionRevisionRow | StudyRevisionRow | FleetRevisionRow
)
TagRow = ScenarioTagRow | DesignTagRow | ProjectionTagRow | StudyTagRow | FleetTagRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """Row classes of a kind. A tag and a revision name their head in the column `owner`."""

    head: type[HeadRow]
    revision: type[RevisionRow]
    tag: type[TagRow]
    owner: str

    @property
    def heads(self) -> sa.Table:
        return table_of(self.head)

    @property
    def revisions(self) -> sa.Table:
        return table_of(self.revision)

    @property
    def tags(self) -> sa.Table:
        return table_of(self.tag)


SCENARIOS = Tables(head=ScenarioRow, revision=ScenarioRevisionRow, tag=ScenarioTagRow, owner="scenario_id")
DESIGNS = Tables(head=DesignRow, revision=DesignRevisionRow, tag=DesignTagRow, owner="design_id")
PROJECTIONS = Tables(
    head=ProjectionRow, revision=ProjectionRevisionRow, tag=ProjectionTagRow, owner="projection_id"
)
STUDIES = Tables(head=StudyRow, revision=StudyRevisionRow, tag=StudyTagRow, owner="study_id")
FLEETS = Tables(head=FleetRow, revision=FleetRevisionRow, tag=FleetTagRow, owner="fleet_id")
ALL_TABLES = (SCENARIOS, DESIGNS, PROJECTIONS, STUDIES, FLEETS)
TABLES: dict[Kind, Tables] = {
    "scenario": SCENARIOS,
    "supernode": DESIGNS,
    "pod": DESIGNS,
    "projection": PROJECTIONS,
    "study": STUDIES,
    "fleet": FLEETS,
}


def saved_record(kind: Kind, head: Any, document: dict[str, Any], note: str) -> Saved:
    """A head, an object or a row of a query, with what its newest revision holds."""
    return Saved(
        id=head.id,
        kind=kind,
        name=head.name,
        revision=head.revision,
        version=head.version,
        tags=tuple(head.tags),
        note=note,
        document=document,
        summary=summary_of(kind, head.summary),
        created_at=head.created_at,
        updated_at=head.updated_at,
        deleted_at=head.deleted_at,
        forked_from_id=head.forked_from_id,
        workspace_id=head.workspace_id,
        created_by=head.created_by,
        is_template=head.is_template,
    )


def revision_record(kind: Kind, id: str, row: Any) -> Revision:
    """A revision, an object or a row of a query."""
    return Revision(
        id=id,
        kind=kind,
        revision=row.revision,
        note=row.note,
        created_at=row.created_at,
        schema_version=row.schema_version,
        engine_version=row.engine_version,
        catalog_revision=row.catalog_revision,
        document=row.document,
        summary=summary_of(kind, row.summary),
        created_by=row.created_by,
    )


def summary_of(kind: Kind, summary: dict[str, Any]) -> dict[str, Any]:
    return UNKNOWN | summary if kind == "scenario" else dict(summary)
