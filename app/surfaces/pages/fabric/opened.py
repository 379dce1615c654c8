"""A design whose fabric is looked at."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.opened import OpenedDesign, Room, Tab, opened_design
from app.surfaces.pages.saved.rights import ReadDep


def opened_fabric(key: str, source: DesignsDep, work: ReadDep, s: str = "") -> OpenedDesign:
    """The design of an address, as a dependency of the routes of its tabs."""
    return opened_design(FABRIC, key, source, work, s)


TABS: tuple[Tab, ...] = (
    Tab("topology", "Topology"),
    Tab("supernode", "SuperNode"),
    Tab("sizes", "Sizes"),
    Tab("growth", "Growth"),
    Tab("bandwidth", "Bandwidth"),
    Tab("networks", "Networks"),
    Tab("bill", "Bill"),
    Tab("floor", "Floor"),
    Tab("cables", "Cables"),
    Tab("faults", "Faults"),
    Tab("sharing", "Sharing"),
)

FABRIC = Room("fabric", "Fabric", TABS)


OpenedDep = Annotated[OpenedDesign, Depends(opened_fabric)]
