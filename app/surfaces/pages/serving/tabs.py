"""The tabs of serving, from what users wait for to where they are."""

from __future__ import annotations

from app.surfaces.pages.opened import Room, Tab

TABS: tuple[Tab, ...] = (
    Tab("latency", "Latency"),
    Tab("simulation", "Simulation"),
    Tab("roofline", "Roofline"),
    Tab("memory", "Memory"),
    Tab("sizing", "Sizing"),
    Tab("cost", "Cost of tokens"),
    Tab("edge", "Edge or cloud"),
)

SERVING = Room("serving", "Serving", TABS)
