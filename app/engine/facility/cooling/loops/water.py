"""Heat and water of the loops at rated power."""

from __future__ import annotations

from app.engine.facility.cooling.figures import for_heat
from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="W", source="definition")
def facility_heat_design_w(*, liquid_heat_design_w: Array, liquid_pumps_w_per_w: Array) -> Array:
    """Heat that facility water is sized for: the coolant's, and that of the pumps."""
    return for_heat(liquid_heat_design_w, 1 + liquid_pumps_w_per_w)


@quantity(unit="W", source="definition")
def air_heat_design_w(
    *,
    it_power_design_w: Array,
    liquid_heat_design_w: Array,
    to_hall_w_per_w: Array,
    electrical_losses_w: Array,
    electrical_loss_share_in_hall: Array,
) -> Array:
    """Heat that the air plant is sized for: all SuperNodes at rated power, electrical losses as at the mean."""
    back_w = for_heat(liquid_heat_design_w, to_hall_w_per_w)
    losses_w = electrical_losses_w * electrical_loss_share_in_hall
    return it_power_design_w - liquid_heat_design_w + back_w + losses_w


@quantity(unit="L/min", source="heat balance V = Q / (rho cp dT)")
def loop_flow_l_per_min(
    *, heat_w: Array, density_kg_per_m3: Array, heat_capacity_j_per_kg_k: Array, temperature_rise_k: Array
) -> Array:
    """Flow of water that carries a heat."""
    return heat_w / (density_kg_per_m3 * heat_capacity_j_per_kg_k * temperature_rise_k) * 60e3


@quantity(unit="L/min", source="definition")
def rack_coolant_l_per_min(*, coolant_flow_l_per_min: Array, racks: Array) -> Array:
    """Coolant through one rack, mean of all racks of SuperNodes."""
    return coolant_flow_l_per_min / racks


@quantity(unit="L/(min kW)", source="heat balance V = Q / (rho cp dT)")
def flow_for_a_kilowatt(*, coolant_flow_l_per_min: Array, liquid_heat_design_w: Array) -> Array:
    """Coolant for each kilowatt that it carries; 1.5 L/min is the rule of the OCP guideline at 10 K."""
    return coolant_flow_l_per_min / (liquid_heat_design_w / 1e3)


@quantity(unit="W", source="definition")
def chiller_heat_w(
    *, facility_heat_w: Array, liquid_economiser_share: Array, air_heat_w: Array, air_economiser_share: Array
) -> Array:
    """Heat that the chillers of both plants take in each hour, all SuperNodes at rated power."""
    liquid_w = for_heat(facility_heat_w, 1 - liquid_economiser_share)
    return liquid_w + air_heat_w * (1 - air_economiser_share)
