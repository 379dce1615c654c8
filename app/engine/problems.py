"""Problems of a design, by how much, and the smallest change that fixes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from app.engine.trace import Suggestion


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A change of one scenario field that would fix the problem."""

    field: str
    value: float | str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """`infeasible` makes a design infeasible; `missing_input` leaves figures unknown; `warning` informs.

    `field` is the scenario field it is about ("parallelism.tp"), `constraint` names what binds
    ("memory", "layers", ...), `message` is one sentence for people. `value`, `limit` and
    `missed_by` share `unit`.
    """

    kind: Literal["infeasible", "missing_input", "warning"]
    field: str
    constraint: str
    message: str
    value: float | None = None
    limit: float | None = None
    missed_by: float | None = None
    unit: str = ""
    fix: Fix | None = None
    alternatives: tuple[Fix, ...] = ()  # other single changes, each sufficient
    suggested_assumption: Suggestion | None = None
    affects: tuple[str, ...] = ()

    @property
    def fixes(self) -> tuple[Fix, ...]:
        """Every change that fixes it, the smallest first."""
        return (*((self.fix,) if self.fix else ()), *self.alternatives)

    def with_fixes(self, fixes: Sequence[Fix]) -> Problem:
        """The same with these changes in place of its own."""
        return replace(self, fix=fixes[0] if fixes else None, alternatives=tuple(fixes[1:]))
