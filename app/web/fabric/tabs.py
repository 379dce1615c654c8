"""The tabs of the fabric pages, in the order in which a design is drawn up."""

from __future__ import annotations

from typing import NamedTuple


class Tab(NamedTuple):
    key: str
    title: str


TABS: tuple[Tab, ...] = (
    Tab("topology", "Topology"),
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
