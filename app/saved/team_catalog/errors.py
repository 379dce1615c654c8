"""Why own rows of a workspace were not changed."""

from __future__ import annotations

from collections.abc import Sequence

from app.catalog.own.planning import Line
from app.scenarios.errors import InputError, ScenarioError


class RefusedLinesError(ScenarioError):
    """Lines that cannot be used. Nothing was written."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = tuple(lines)
        super().__init__(
            InputError(
                path=fault.column,
                value=fault.value,
                rule=fault.rule,
                message=fault.message,
                hint=fault.hint,
                line=line.place.line or None,
            )
            for line in lines
            for fault in line.faults
        )


class RowChangedError(Exception):
    """The row was changed meanwhile. Nothing was written."""

    def __init__(self, kind: str, key: str) -> None:
        self.kind, self.key = kind, key
        super().__init__(f"{kind}/{key} was changed meanwhile. Nothing was changed; read it again.")


class NotOwnError(Exception):
    """There is no own row of this key."""

    def __init__(self, kind: str, key: str) -> None:
        self.kind, self.key = kind, key
        super().__init__(f"The workspace has no row {kind}/{key} of its own; built-in rows stay as they are.")
