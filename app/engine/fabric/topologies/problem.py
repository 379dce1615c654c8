"""A problem of a count of a topology: what it is, what it may be, and by how much it misses that."""

from __future__ import annotations

from typing import Literal

from app.engine.problems import Fix, Problem


def counted_problem(
    *,
    kind: Literal["infeasible", "warning"] = "infeasible",
    field: str,
    constraint: str,
    message: str,
    value: float | None,
    limit: float | None,
    fix: Fix | None,
    affects: tuple[str, ...] = ("fabric",),
) -> Problem:
    """A problem in numbers of things; None where there is no number to it."""
    known = value is not None and limit is not None
    return Problem(
        kind=kind,
        field=field,
        constraint=constraint,
        message=message,
        value=None if value is None else float(value),
        limit=None if limit is None else float(limit),
        missed_by=abs(float(value) - float(limit)) if known else None,  # type: ignore[arg-type]
        unit="1",
        fix=fix,
        affects=affects,
    )
