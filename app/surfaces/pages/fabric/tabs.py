"""The tabs of the fabric pages, in the order in which a design is drawn up."""

from __future__ import annotations

from app.surfaces.pages.opened import Room, Tab

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
