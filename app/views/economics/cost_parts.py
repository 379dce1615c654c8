"""Of what the cost of a pod is made, part by part, and where the price of each part comes from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.engine.trace import first_of
from app.scenarios.resolve import Resolved

CAPITAL, RUNNING = "capital", "running"

BRANCHES = {
    "equipment": "IT equipment",
    "building": "Building",
    "utilities": "Electricity and water",
    "upkeep": "Running the cluster",
}
"""The branches of the tree in their order."""


class PartKind(NamedTuple):
    """A part: `places` are where in the design its price may stand, the first that is known says its source."""

    part: str
    branch: str
    title: str
    kind: str
    places: tuple[str, ...]
    said: str


def _assumed(name: str) -> tuple[str, ...]:
    return (f"assumptions.economics.{name}",)


SUPERNODE_PRICES = ("supernode.price_usd", "supernode.accelerator.price_usd")
PARTS = (
    PartKind("servers", "equipment", "SuperNodes", CAPITAL, SUPERNODE_PRICES, "price of a SuperNode"),
    PartKind("spares", "equipment", "Spares", CAPITAL, SUPERNODE_PRICES, "price of a SuperNode"),
    PartKind("network", "equipment", "Scale-out network", CAPITAL, ("pod.fabric.switch.price_usd",),
             "price of a switch; the bill of the fabric has every price"),
    PartKind("storage", "equipment", "Storage", CAPITAL, ("operations.storage.price_usd_per_tb",),
             "price of capacity"),
    PartKind("installation", "equipment", "Installation", CAPITAL, _assumed("installation_share"),
             "share of the equipment's price"),
    PartKind("facility", "building", "Shell and plant", CAPITAL, _assumed("facility_price_usd_per_mw"),
             "price of critical power"),
    PartKind("land", "building", "Land", CAPITAL, _assumed("land_price_usd_per_acre"), "price of an acre"),
    PartKind("colocation", "building", "Colocation", RUNNING, ("economics.colocation_usd_per_kw_month",),
             "price of provisioned power"),
    PartKind("maintenance", "building", "Maintenance", RUNNING, _assumed("maintenance_share_per_year"),
             "share of the building's price"),
    PartKind("staff", "building", "Facility staff", RUNNING, _assumed("staff_usd_per_mw_year"),
             "cost of critical power"),
    PartKind("property_tax", "building", "Property tax", RUNNING, _assumed("property_tax_share_per_year"),
             "share of the price of building and land"),
    PartKind("electricity", "utilities", "Electricity", RUNNING,
             ("facility.site.electricity_price_usd_per_kwh",), "price of energy"),
    PartKind("demand", "utilities", "Demand charges", RUNNING, _assumed("demand_charge_usd_per_kw_month"),
             "price of peak power"),
    PartKind("water", "utilities", "Water", RUNNING, ("facility.site.water_price_usd_per_m3",),
             "price of water"),
    PartKind("support", "upkeep", "Support and repair", RUNNING, _assumed("support_share_per_year"),
             "share of the equipment's price"),
    PartKind("engineers", "upkeep", "Cluster engineers", RUNNING,
             _assumed("cluster_engineers_per_accelerator"), "engineers an accelerator"),
    PartKind("software", "upkeep", "Software", RUNNING, _assumed("software_usd_per_accelerator_hour"),
             "price of an accelerator-hour"),
    PartKind("insurance", "upkeep", "Insurance", RUNNING, _assumed("insurance_share_per_year"),
             "share of the insured value"),
)  # fmt: skip
OF_OWNERS = ("facility", "land", "maintenance", "staff", "property_tax")
OF_TENANTS = ("colocation",)
OF_ALL_IT = ("network", "storage")


def parts_of(owns_building: bool) -> tuple[PartKind, ...]:
    """The parts that there are in a building of one's own, or in colocation."""
    elsewhere = OF_TENANTS if owns_building else OF_OWNERS
    return tuple(part for part in PARTS if part.part not in elsewhere)


class PartSource(NamedTuple):
    """Source of the price of a part: `basis` is the kind of the value, such as assumption."""

    basis: str
    source: str
    as_of: str


def part_source(kind: PartKind, resolved: Resolved) -> PartSource:
    """Source of the price of a part; unknown where no place has one."""
    if kind.part in OF_ALL_IT and first_of(resolved.design.supernode.price_includes_network) > 0:
        return PartSource("derived", "in the price of the SuperNodes, which is of all IT", "")
    for place in kind.places:
        value, origin = resolved.values.get(place), resolved.origins.get(place)
        if value is None or origin is None or np.isnan(value).all():
            continue
        if origin.kind == "scenario":
            return PartSource("scenario", f"{kind.said}: stated in {origin.field or place}", "")
        return PartSource(origin.kind, f"{kind.said}: {origin.source}", origin.date)
    return PartSource("unknown", f"{kind.said}: not published", "")
