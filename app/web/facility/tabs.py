"""The tabs of power and cooling, from the chip outwards."""

from __future__ import annotations

from app.web.opened import Room, Tab

TABS: tuple[Tab, ...] = ()

FACILITY = Room("facility", "Power and cooling", TABS)
