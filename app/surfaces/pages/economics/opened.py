"""A design whose money and carbon are looked at."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from app.surfaces.pages.designs import DesignsDep
from app.surfaces.pages.opened import OpenedDesign, Room, Tab, opened_design
from app.surfaces.pages.saved.rights import ReadDep


def opened_economics(key: str, source: DesignsDep, work: ReadDep, s: str = "") -> OpenedDesign:
    """The design of an address, as a dependency of the routes of its tabs."""
    return opened_design(ECONOMICS, key, source, work, s)


TABS: tuple[Tab, ...] = (
    Tab("cost", "Build-up"),
    Tab("cash", "Cash flow"),
    Tab("build_out", "Build-out"),
    Tab("rent", "Own or rent"),
    Tab("decision", "Decision"),
    Tab("runs", "Cost of a run"),
    Tab("time", "Cost against time"),
    Tab("carbon", "Carbon"),
    Tab("difference", "Difference"),
    Tab("uncertainty", "How sure"),
)

ECONOMICS = Room("economics", "Money and carbon", TABS)
"""The pages of a design's money, carbon and uncertainty: a tab each."""


OpenedDep = Annotated[OpenedDesign, Depends(opened_economics)]
