"""The air that carries what liquid leaves: its flow through a rack, and how warm it arrives."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.quantities import quantity
from app.engine.trace import Array, first_of

GAS_CONSTANT_OF_AIR_J_PER_KG_K = 287.055  # ISO 2533
HEAT_CAPACITY_OF_AIR_J_PER_KG_K = 1006.0  # dry air near 25 degC
FREEZING_K = 273.15
CFM_PER_M3_PER_S = 2118.88  # cubic feet a minute: 60 / 0.3048^3


@dataclass(frozen=True, slots=True, kw_only=True)
class RackAir:
    """The air of one rack at its rating. Unknown is NaN."""

    flow_m3_per_s: float
    flow_cfm: float
    density_kg_per_m3: float
    rise_k: float
    inlet_c: float
    supply_c: float  # of the hall's air handlers
    recirculation_share: float


@quantity(unit="kg/m3", source="ideal gas, ISO 2533 gas constant of dry air")
def air_density_kg_per_m3(*, pressure_pa: Array, air_c: Array) -> Array:
    """Density of air."""
    return pressure_pa / (GAS_CONSTANT_OF_AIR_J_PER_KG_K * (air_c + FREEZING_K))


@quantity(unit="m3/s", source="heat balance V = Q / (rho cp dT)")
def rack_air_flow_m3_per_s(*, air_heat_w: Array, air_density_kg_per_m3: Array, air_rise_k: Array) -> Array:
    """Air through a rack that carries its heat to air."""
    return air_heat_w / (air_density_kg_per_m3 * HEAT_CAPACITY_OF_AIR_J_PER_KG_K * air_rise_k)


@quantity(unit="ft3/min", source="definition")
def rack_air_flow_cfm(*, rack_air_flow_m3_per_s: Array) -> Array:
    """Air through a rack in cubic feet a minute."""
    return rack_air_flow_m3_per_s * CFM_PER_M3_PER_S


@quantity(unit="K", source="mixing: inlet = (1 - r) supply + r (inlet + rise)")
def recirculation_rise_k(*, recirculation_share: Array, air_rise_k: Array) -> Array:
    """How much warmer than the supply air arrives at the racks, because some of it has been through them."""
    return recirculation_share / (1 - recirculation_share) * air_rise_k


@quantity(unit="degC", source="definition")
def air_supply_for_inlet_c(*, rack_inlet_c: Array, recirculation_rise_k: Array) -> Array:
    """Air that the hall's air handlers supply, for racks to breathe what they are meant to."""
    return rack_inlet_c - recirculation_rise_k


def rack_air(*, air_heat_w: Array, pressure_pa: Array, assumptions: FacilityAssumptions) -> RackAir:
    """Air that one rack breathes at the altitude of its site."""
    a = assumptions
    density = air_density_kg_per_m3(pressure_pa=pressure_pa, air_c=a.hall_air_supply_c)
    flow = rack_air_flow_m3_per_s(
        air_heat_w=air_heat_w, air_density_kg_per_m3=density, air_rise_k=a.rack_air_rise_k
    )
    warmer = recirculation_rise_k(
        recirculation_share=a.containment_recirculation_share, air_rise_k=a.rack_air_rise_k
    )
    supply = air_supply_for_inlet_c(rack_inlet_c=a.hall_air_supply_c, recirculation_rise_k=warmer)
    return RackAir(
        flow_m3_per_s=first_of(flow),
        flow_cfm=first_of(rack_air_flow_cfm(rack_air_flow_m3_per_s=flow)),
        density_kg_per_m3=first_of(density),
        rise_k=first_of(a.rack_air_rise_k),
        inlet_c=first_of(a.hall_air_supply_c),
        supply_c=first_of(supply),
        recirculation_share=first_of(a.containment_recirculation_share),
    )
