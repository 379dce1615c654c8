"""Who may do what: the one question that every route asks before it reads or writes."""

from __future__ import annotations

from typing import Literal

from app.db.tables import PERSONAL_WORKSPACE_ID

Action = Literal["read", "write"]


class ForbiddenError(PermissionError):
    """Whoever asks may not do this. What one may not see is answered as if it were not there."""


def require(action: Action, workspace_id: int = PERSONAL_WORKSPACE_ID) -> None:
    """Nothing, where `action` is allowed in a workspace.

    Until there are users, whoever sits at this machine may do everything in the personal workspace,
    and nothing in any other.

    Raises
    ------
    ForbiddenError : it is not allowed
    """
    if workspace_id != PERSONAL_WORKSPACE_ID:
        raise ForbiddenError(f"may not {action} in workspace {workspace_id}")
