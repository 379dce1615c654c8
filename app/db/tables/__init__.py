"""Every table, imported here so that the metadata is whole.

Tables never parse outside input: `table=True` skips validation. Request and catalog models validate,
then rows are built from them.
"""

from __future__ import annotations

from app.db.tables.account import AccountIdentityRow, AccountRow, ApiTokenRow, SignInAttemptRow, SignInRow
from app.db.tables.base import metadata, table_of
from app.db.tables.catalog import ClimateYearRow, FactRow, PartRow, PriceRow, SourceRow
from app.db.tables.design import DesignRevisionRow, DesignRow, DesignTagRow
from app.db.tables.fleet import FleetRevisionRow, FleetRow, FleetTagRow
from app.db.tables.idempotency import IdempotencyKeyRow
from app.db.tables.job import JobBlockRow, JobRow
from app.db.tables.notification import NotificationRow
from app.db.tables.own_run import OwnRunRow
from app.db.tables.projection import ProjectionRevisionRow, ProjectionRow, ProjectionTagRow
from app.db.tables.review import ReviewStepRow
from app.db.tables.revision_name import RevisionNameRow
from app.db.tables.scenario import ScenarioDesignRow, ScenarioRevisionRow, ScenarioRow, ScenarioTagRow
from app.db.tables.setting import SettingRow
from app.db.tables.sharing import ShareGrantRow, ShareLinkRow
from app.db.tables.snapshot import CatalogSnapshotRow
from app.db.tables.study import StudyRevisionRow, StudyRow, StudyTagRow
from app.db.tables.team import AuditEntryRow, InvitationRow, MembershipRow
from app.db.tables.team_webhook import TeamWebhookRow
from app.db.tables.together import ChangeRow, CommentRow, MentionRow, PresenceRow
from app.db.tables.workspace import PERSONAL_WORKSPACE_ID, WorkspaceRow

__all__ = [
    "PERSONAL_WORKSPACE_ID",
    "AccountIdentityRow",
    "AccountRow",
    "ApiTokenRow",
    "AuditEntryRow",
    "CatalogSnapshotRow",
    "ChangeRow",
    "ClimateYearRow",
    "CommentRow",
    "DesignRevisionRow",
    "DesignRow",
    "DesignTagRow",
    "FactRow",
    "FleetRevisionRow",
    "FleetRow",
    "FleetTagRow",
    "IdempotencyKeyRow",
    "InvitationRow",
    "JobBlockRow",
    "JobRow",
    "MembershipRow",
    "MentionRow",
    "NotificationRow",
    "OwnRunRow",
    "PartRow",
    "PresenceRow",
    "PriceRow",
    "ProjectionRevisionRow",
    "ProjectionRow",
    "ProjectionTagRow",
    "ReviewStepRow",
    "RevisionNameRow",
    "ScenarioDesignRow",
    "ScenarioRevisionRow",
    "ScenarioRow",
    "ScenarioTagRow",
    "SettingRow",
    "ShareGrantRow",
    "ShareLinkRow",
    "SignInAttemptRow",
    "SignInRow",
    "SourceRow",
    "StudyRevisionRow",
    "StudyRow",
    "StudyTagRow",
    "TeamWebhookRow",
    "WorkspaceRow",
    "metadata",
    "table_of",
]
