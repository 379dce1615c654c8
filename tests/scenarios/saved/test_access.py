"""The one question that routes ask."""

from __future__ import annotations

import pytest

from app.scenarios.saved.access import ForbiddenError, require


def test_the_personal_workspace_may_do_everything() -> None:
    require("read")
    require("write")


def test_no_other_workspace_may_be_touched() -> None:
    for action in ("read", "write"):
        with pytest.raises(ForbiddenError, match=action):
            require(action, workspace_id=2)  # type: ignore[arg-type]
