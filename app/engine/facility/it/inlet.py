"""Power at the rack's inlet where racks are fed direct current: no power supplies in the nodes, a converter before them."""

from __future__ import annotations

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.it.supplies import supply_efficiency
from app.engine.quantities import quantity
from app.engine.trace import Array

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
