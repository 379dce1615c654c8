"""How long heat has somewhere to go when flow or chillers are lost: t = m cp dT / Q.

Seconds in the racks, minutes in the loops; a buffer tank adds what it holds between return and supply.
"""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

HEAT_BALANCE = "heat balance t = m cp dT / Q"


@quantity(unit="s", source=HEAT_BALANCE)
def ride_through_s(
    *,
    volume_m3_per_w: Array,
    density_kg_per_m3: Array,
    heat_capacity_j_per_kg_k: Array,
    rise_k: Array,
) -> Array:
    """Time in which the contents of a loop warm by what is allowed, with its heat and no cooling."""
    return volume_m3_per_w * density_kg_per_m3 * heat_capacity_j_per_kg_k * rise_k


@quantity(unit="s", source=HEAT_BALANCE)
def buffer_tank_s(
    *,
    tank_m3: Array,
    density_kg_per_m3: Array,
    heat_capacity_j_per_kg_k: Array,
    temperature_rise_k: Array,
    heat_w: Array,
) -> Array:
    """Time that a tank of cold water in layers carries a loop's heat, from supply to return temperature."""
    return tank_m3 * density_kg_per_m3 * heat_capacity_j_per_kg_k * temperature_rise_k / heat_w


@quantity(unit="m3", source=HEAT_BALANCE)
def tank_needed_m3(
    *,
    missing_s: Array,
    heat_w: Array,
    density_kg_per_m3: Array,
    heat_capacity_j_per_kg_k: Array,
    temperature_rise_k: Array,
) -> Array:
    """Tank of cold water in layers that bridges the seconds that a loop alone does not."""
    return missing_s * heat_w / (density_kg_per_m3 * heat_capacity_j_per_kg_k * temperature_rise_k)
