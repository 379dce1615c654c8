"""A design whose power and cooling are looked at."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.opened import OpenedDesign, Room, Tab, opened_design
from app.surfaces.pages.saved.rights import ReadDep


def opened_facility(key: str, source: DesignsDep, work: ReadDep, s: str = "") -> OpenedDesign:
    """The design of an address, as a dependency of the routes of its tabs."""
    return opened_design(FACILITY, key, source, work, s)


TABS: tuple[Tab, ...] = (
    Tab("it", "IT power"),
    Tab("electrical", "Electrical"),
    Tab("cooling", "Cooling"),
    Tab("hours", "Hours"),
    Tab("power_supply", "Power supply"),
    Tab("racks", "Racks"),
    Tab("sites", "Sites"),
    Tab("savings", "Savings"),
)

FACILITY = Room("facility", "Power and cooling", TABS)


OpenedDep = Annotated[OpenedDesign, Depends(opened_facility)]
