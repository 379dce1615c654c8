"""A design whose power and cooling are looked at."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.facility.tabs import FACILITY
from app.surfaces.pages.opened import OpenedDesign, opened_design
from app.surfaces.pages.saved.ready import ReadDep


def opened_facility(key: str, source: DesignsDep, work: ReadDep, s: str = "") -> OpenedDesign:
    """The design of an address, as a dependency of the routes of its tabs."""
    return opened_design(FACILITY, key, source, work, s)


OpenedDep = Annotated[OpenedDesign, Depends(opened_facility)]
