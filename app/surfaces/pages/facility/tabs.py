"""The tabs of power and cooling, from the chip outwards."""

from __future__ import annotations

from app.surfaces.pages.opened import Room, Tab

TABS: tuple[Tab, ...] = (
    Tab("it", "IT power"),
    Tab("electrical", "Electrical"),
    Tab("cooling", "Cooling"),
    Tab("hours", "Hours"),
    Tab("racks", "Racks"),
    Tab("sites", "Sites"),
    Tab("savings", "Savings"),
)

FACILITY = Room("facility", "Power and cooling", TABS)
