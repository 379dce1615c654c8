"""Headers: the smallest standard pipe in which the water is not too fast."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.cooling.figures import for_heat
from app.engine.quantities import quantity
from app.engine.trace import Array, first_of

BORES_M = {
    "DN 25": 0.0266, "DN 32": 0.0351, "DN 40": 0.0409, "DN 50": 0.0525, "DN 65": 0.0627, "DN 80": 0.0779,
    "DN 100": 0.1023, "DN 125": 0.1282, "DN 150": 0.1541, "DN 200": 0.2027, "DN 250": 0.2545,
    "DN 300": 0.3032, "DN 350": 0.3334, "DN 400": 0.3810, "DN 450": 0.4286, "DN 500": 0.4778,
    "DN 600": 0.5747,
}  # fmt: skip
"""Bore of standard steel pipes: ASME B36.10, schedule 40."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """A main of one loop. `pipes` run side by side where the largest standard pipe is too small."""

    name: str
    flow_l_per_min: float
    size: str
    pipes: int
    velocity_m_per_s: float
    limit_m_per_s: float


@quantity(unit="m/s", source="continuity")
def water_velocity_m_per_s(*, flow_l_per_min: Array, bore_m: Array, pipes: Array) -> Array:
    """Velocity of the water in a header."""
    return flow_l_per_min / pipes / 60e3 / (np.pi / 4 * bore_m**2)


def header(*, name: str, flow_l_per_min: Array, velocity_limit_m_per_s: Array) -> Header:
    """The smallest standard pipe that holds the limit, or several of the largest.

    Unknown flow gives no size.
    """
    flow, limit = first_of(flow_l_per_min), first_of(velocity_limit_m_per_s)
    sizes, bores = list(BORES_M), np.array(list(BORES_M.values()))
    if np.isnan(flow):
        return Header(
            name=name, flow_l_per_min=flow, size="", pipes=0, velocity_m_per_s=flow, limit_m_per_s=limit
        )
    one = water_velocity_m_per_s(flow_l_per_min=np.array(flow), bore_m=bores, pipes=np.ones(1))
    fitting = np.flatnonzero(one <= limit)
    chosen = int(fitting[0]) if fitting.size else len(sizes) - 1
    pipes = 1 if fitting.size else int(np.ceil(one[-1] / limit))
    return Header(
        name=name,
        flow_l_per_min=flow,
        size=sizes[chosen],
        pipes=pipes,
        velocity_m_per_s=float(one[chosen] / pipes),
        limit_m_per_s=limit,
    )


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
