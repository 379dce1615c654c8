"""A design whose failures, spares and checkpoints are looked at."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.opened import OpenedDesign, Room, Tab, opened_design
from app.surfaces.pages.saved.rights import ReadDep

OPERATIONS = Room(
    "operations",
    "Operations",
    (
        Tab("goodput", "Goodput"),
        Tab("size", "Failures by size"),
        Tab("checkpoints", "Checkpoints"),
        Tab("run", "Simulated run"),
        Tab("spares", "Spares"),
        Tab("shared_parts", "Shared parts"),
        Tab("storage", "Storage"),
        Tab("calibrate", "Calibrate"),
    ),
)


def opened_operations(key: str, source: DesignsDep, work: ReadDep, s: str = "") -> OpenedDesign:
    """The design of an address, as a dependency of the routes of its tabs."""
    return opened_design(OPERATIONS, key, source, work, s)


OpenedDep = Annotated[OpenedDesign, Depends(opened_operations)]
