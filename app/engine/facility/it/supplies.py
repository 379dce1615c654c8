"""Power supplies of the nodes: how much of what they take they pass on."""

from __future__ import annotations

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.quantities import quantity
from app.engine.trace import Array

TITANIUM_LOADS = (0.1, 0.2, 0.5, 1.0)
"""Loads at which 80 PLUS Titanium states efficiencies."""


@quantity(unit="1", source="80 PLUS Titanium, interpolated between its test loads")
def power_supply_efficiency(
    *,
    power_utilisation: Array,
    power_supply_load_share: Array,
    efficiency_at_10_percent: Array,
    efficiency_at_20_percent: Array,
    efficiency_at_50_percent: Array,
    efficiency_at_100_percent: Array,
) -> Array:
    """Efficiency of the nodes' power supplies at their load.

    The load fraction is that of each supply after redundancy: power over rating of the node, times
    the load of a supply when its node is at its rating.
    """
    load = power_utilisation * power_supply_load_share
    ten, twenty, fifty, full = TITANIUM_LOADS
    low = (load - ten) / (twenty - ten)
    middle = (load - twenty) / (fifty - twenty)
    high = (load - fifty) / (full - fifty)
    return np.where(
        load < twenty,
        efficiency_at_10_percent + low * (efficiency_at_20_percent - efficiency_at_10_percent),
        np.where(
            load < fifty,
            efficiency_at_20_percent + middle * (efficiency_at_50_percent - efficiency_at_20_percent),
            efficiency_at_50_percent + high * (efficiency_at_100_percent - efficiency_at_50_percent),
        ),
    )


@quantity(unit="1", source="definition")
def node_power_utilisation(*, power_w: Array, max_power_w: Array) -> Array:
    """Power of a node over its rating."""
    return power_w / max_power_w


def supply_efficiency(power_w: Array, max_power_w: Array, assumptions: FacilityAssumptions) -> Array:
    """Of the supplies of a node at this power."""
    a = assumptions
    return power_supply_efficiency(
        power_utilisation=node_power_utilisation(power_w=power_w, max_power_w=max_power_w),
        power_supply_load_share=a.power_supply_load_share,
        efficiency_at_10_percent=a.power_supply_efficiency_at_10_percent,
        efficiency_at_20_percent=a.power_supply_efficiency_at_20_percent,
        efficiency_at_50_percent=a.power_supply_efficiency_at_50_percent,
        efficiency_at_100_percent=a.power_supply_efficiency_at_100_percent,
    )


DIRECT_CURRENT = "dc_800"


@quantity(unit="W", source="definition: what stands behind the power supplies draws the same")
def direct_current_power_w(
    *, power_w: Array, power_supply_efficiency: Array, rack_converter_efficiency: Array
) -> Array:
    """Power at the inlet of a rack that is fed direct current.

    Ratings and measured powers are at the inlet of power supplies. Without these, a converter in the rack
    feeds what stands behind them.
    """
    return power_w * power_supply_efficiency / rack_converter_efficiency


def at_inlet(
    power_w: Array, *, max_power_w: Array, distribution: str, assumptions: FacilityAssumptions
) -> Array:
    """A node's power as the rack is fed: as it is for alternating current."""
    if distribution != DIRECT_CURRENT:
        return power_w
    return direct_current_power_w(
        power_w=power_w,
        power_supply_efficiency=supply_efficiency(power_w, max_power_w, assumptions),
        rack_converter_efficiency=assumptions.rack_converter_efficiency,
    )
