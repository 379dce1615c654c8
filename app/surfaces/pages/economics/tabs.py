"""The tabs of money and carbon, from what is bought to how sure it is."""

from __future__ import annotations

from app.surfaces.pages.opened import Room, Tab

TABS: tuple[Tab, ...] = (
    Tab("cost", "Build-up"),
    Tab("cash", "Cash flow"),
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
