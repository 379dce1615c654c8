"""Pre-cooling of a dry cooler's air by wet pads: when it is on, how cool the air gets, what water it takes.

Pads are wetted only as far as the cooler needs it: above a set point the air is held at the set point
as long as the pads can. So the cooler never draws more at a lower wet bulb, nor less at a higher dry bulb.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="degC", source="definition of the set point")
def pre_cooling_set_point_c(
    *, facility_supply_c: Array, dry_cooler_approach_k: Array, lead_k: Array, least_dry_bulb_c: Array
) -> Array:
    """Dry bulb above which the pads are wetted: a little before the dry cooler alone loses its supply."""
    return np.maximum(facility_supply_c - dry_cooler_approach_k - lead_k, least_dry_bulb_c)


@quantity(unit="degC", source="definition of the effectiveness of a wet pad")
def cooler_inlet_c(
    *, dry_bulb_c: Array, wet_bulb_c: Array, set_point_c: Array, effectiveness: Array
) -> Array:
    """Air that enters the dry cooler behind the pads, in each hour.

    T_in = T_db - eff (T_db - T_wb) at most, and no cooler than the set point.
    """
    coolest_c = dry_bulb_c - effectiveness * (dry_bulb_c - wet_bulb_c)
    return np.minimum(dry_bulb_c, np.maximum(set_point_c, coolest_c))


@quantity(unit="kg/J", source="m_air (w_out - w_in) along a line of constant wet bulb, cp dT / h_fg")
def pad_makeup_kg_per_j(
    *,
    dry_bulb_c: Array,
    cooler_inlet_c: Array,
    fan_power_share: Array,
    air_rise_k: Array,
    evaporation_heat_j_per_kg: Array,
    concentration_cycles: Array,
) -> Array:
    """Make-up water of wet pads for each joule of heat, in each hour.

    The air is that of the present fan speed; what it loses in temperature evaporates water, as
    m_air (w_out - w_in) does: on a line of constant wet bulb the two are the same within 2 %.
    Bleed keeps the dissolved solids at C times those of make-up water.
    """
    air_kg_k_per_j = np.cbrt(fan_power_share) / air_rise_k
    evaporated = air_kg_k_per_j * (dry_bulb_c - cooler_inlet_c) / evaporation_heat_j_per_kg
    return evaporated * concentration_cycles / (concentration_cycles - 1)
