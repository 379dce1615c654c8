"""A study of designs that are there: each a column, and the search over what they are made of."""

from __future__ import annotations

from typing import Any

from app.saved.store import SavedWork
from app.surfaces.pages.designs import Designs
from app.surfaces.pages.saved.compare.asked import Compared
from app.surfaces.pages.saved.compare.sides import NoSideError, Side, side
from app.surfaces.pages.studio.state import MISSING, decode_state, value_at

WORKLOADS = ("training", "serving")
"""Kinds of workloads that a study has, each under its name."""


def study_of(asked: Compared, source: Designs, work: SavedWork) -> dict[str, Any]:
    """The values of a study that has the designs as its columns, the first as its base case.

    Raises
    ------
    NoSideError : there is no such design, it cannot be evaluated, or a study has no such workload
    """
    sides = [
        side(ref, decode_state(state) if state else None, state, source, work)
        for ref, state in ((asked.a, asked.t), (asked.b, asked.s))
        if ref
    ]
    if not sides:
        raise NoSideError("The address names no design.")
    workload = sides[0].values.get("workload")
    kind = workload.get("kind") if isinstance(workload, dict) else None
    if kind not in WORKLOADS:
        raise NoSideError("A study trains or serves one model; this design does other work.")
    names = _names(sides)
    return {
        "name": " or ".join(names)[:200],
        "workload": {kind: workload},
        "candidates": {
            "systems": _each(sides, "supernode.system") or "search",
            "sites": _each(sides, "facility.site") or "search",
        },
        "chosen": [{"name": name, "scenario": one.values} for name, one in zip(names, sides, strict=True)],
        "base": names[0],
    }


def _names(sides: list[Side]) -> list[str]:
    """A name for each that no other has."""
    names = [one.name[:90] or "Design" for one in sides]
    return (
        names
        if len(set(names)) == len(names)
        else [f"{name} ({place})" for place, name in enumerate(names, 1)]
    )


def _each(sides: list[Side], path: str) -> list[str]:
    """What the designs have at a place, each once; what is written out is no key of the catalog."""
    found = (value_at(one.values, path) for one in sides)
    return list(dict.fromkeys(value for value in found if value is not MISSING and isinstance(value, str)))
