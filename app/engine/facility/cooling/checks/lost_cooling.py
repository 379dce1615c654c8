"""Every loss of flow or of cooling in turn: how long the loops last, and how long they would have to.

How long heat has somewhere to go when flow or chillers are lost: t = m cp dT / Q.

Seconds in the racks, minutes in the loops; a buffer tank adds what it holds between return and supply.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.assumptions import CoolingAssumptions
from app.engine.facility.racks.kind import HEAT_CAPACITY_OF_AIR_J_PER_KG_K, air_density_kg_per_m3
from app.engine.quantities import quantity
from app.engine.trace import Array, first_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What the loops of a pod hold against its heat. Heat and powers at rated power."""

    liquid_heat_w: Array
    air_heat_w: Array
    has_facility_water: bool
    coolant_density_kg_per_m3: Array
    coolant_heat_capacity_j_per_kg_k: Array
    pressure_pa: Array
    coolant_pumps_w: Array
    facility_pumps_w: Array
    hall_fans_w: Array
    chilled_water_pumps_w: Array
    has_chilled_water: bool
    liquid_chilled: bool  # the plant runs chillers in its hottest hour
    tank_m3: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class LostCooling:
    """One thing that stops. `tank_m3` of cold water bridges what is missing; NaN where no tank would help."""

    lost: str
    lasts_s: float
    to_last_s: float
    power_w: float  # of what stops; NaN where it is chillers or coolers, which no UPS carries
    holds: bool
    answer: str  # rides through | on the UPS | tank
    tank_m3: float


def lose_cooling(
    *,
    contents: Contents,
    facility: FacilityAssumptions,
    detail: CoolingAssumptions,
    generator_start_s: Array,
) -> tuple[LostCooling, ...]:
    """What can be lost, from the racks outwards; nothing of a side that carries no heat."""
    found: list[LostCooling] = []
    if first_of(contents.liquid_heat_w) > 0:
        found += _liquid(contents, facility, detail, generator_start_s)
    if first_of(contents.air_heat_w) > 0:
        found += _air(contents, facility, detail, generator_start_s)
    return tuple(found)


def _liquid(
    c: Contents, facility: FacilityAssumptions, detail: CoolingAssumptions, start_s: Array
) -> list[LostCooling]:
    coolant = {
        "density_kg_per_m3": c.coolant_density_kg_per_m3,
        "heat_capacity_j_per_kg_k": c.coolant_heat_capacity_j_per_kg_k,
    }
    in_all_m3 = detail.coolant_in_rack_m3_per_w + detail.coolant_in_loop_m3_per_w
    in_rack_s = ride_through_s(
        volume_m3_per_w=detail.coolant_in_rack_m3_per_w, rise_k=detail.ride_through_coolant_rise_k, **coolant
    )
    found = [_pumped("Coolant stops in the racks", in_rack_s, start_s, c.coolant_pumps_w)]
    if not c.has_facility_water:
        return found
    in_loop_s = ride_through_s(
        volume_m3_per_w=in_all_m3, rise_k=detail.ride_through_coolant_rise_k, **coolant
    )
    warming_s = ride_through_s(volume_m3_per_w=in_all_m3, rise_k=detail.ride_through_water_rise_k, **coolant)
    water_s = _water_s(detail.facility_water_in_loop_m3_per_w, facility, detail)
    tank = _tank(c.liquid_heat_w, facility.facility_water_temperature_rise_k, facility)
    to_last_s = start_s + (detail.chiller_restart_s if c.liquid_chilled else 0.0)
    lasts_s = warming_s + water_s + buffer_tank_s(tank_m3=c.tank_m3, **tank)
    return [
        *found,
        _pumped("Facility water stops, coolant runs on", in_loop_s, start_s, c.facility_pumps_w),
        _cooled("Heat rejection stops, all water runs on", lasts_s, to_last_s, tank),
    ]


def _air(
    c: Contents, facility: FacilityAssumptions, detail: CoolingAssumptions, start_s: Array
) -> list[LostCooling]:
    air_s = ride_through_s(
        volume_m3_per_w=detail.hall_air_m3_per_w,
        density_kg_per_m3=air_density_kg_per_m3(pressure_pa=c.pressure_pa, air_c=facility.hall_air_supply_c),
        heat_capacity_j_per_kg_k=np.array([HEAT_CAPACITY_OF_AIR_J_PER_KG_K]),
        rise_k=detail.ride_through_air_rise_k,
    )
    if not c.has_chilled_water:
        return [_pumped("Fans of the hall stop", air_s, start_s, c.hall_fans_w)]
    water_s = _water_s(detail.chilled_water_in_loop_m3_per_w, facility, detail)
    rise_k = facility.chilled_water_return_c - facility.chilled_water_supply_c
    tank = _tank(c.air_heat_w, rise_k, facility)
    if not c.has_facility_water:
        water_s = water_s + buffer_tank_s(tank_m3=c.tank_m3, **tank)
    return [
        _pumped("Air handlers stop", air_s, start_s, c.hall_fans_w + c.chilled_water_pumps_w),
        _cooled(
            "Chillers stop, air and chilled water run on", water_s, start_s + detail.chiller_restart_s, tank
        ),
    ]


def _water_s(volume_m3_per_w: Array, facility: FacilityAssumptions, detail: CoolingAssumptions) -> Array:
    return ride_through_s(
        volume_m3_per_w=volume_m3_per_w,
        density_kg_per_m3=facility.facility_water_density_kg_per_m3,
        heat_capacity_j_per_kg_k=facility.facility_water_heat_capacity_j_per_kg_k,
        rise_k=detail.ride_through_water_rise_k,
    )


def _tank(heat_w: Array, rise_k: Array, facility: FacilityAssumptions) -> dict[str, Array]:
    return {
        "heat_w": heat_w,
        "density_kg_per_m3": facility.facility_water_density_kg_per_m3,
        "heat_capacity_j_per_kg_k": facility.facility_water_heat_capacity_j_per_kg_k,
        "temperature_rise_k": rise_k,
    }


def _pumped(lost: str, lasts_s: Array, to_last_s: Array, power_w: Array) -> LostCooling:
    """Pumps and fans are small: what does not last until generators run goes on the UPS."""
    holds = first_of(lasts_s) >= first_of(to_last_s)
    return LostCooling(
        lost=lost,
        lasts_s=first_of(lasts_s),
        to_last_s=first_of(to_last_s),
        power_w=first_of(power_w),
        holds=holds,
        answer="passes" if holds else "on the UPS",
        tank_m3=float("nan"),
    )


def _cooled(lost: str, lasts_s: Array, to_last_s: Array, tank: dict[str, Array]) -> LostCooling:
    """Chillers are too large for a UPS: cold water in a tank bridges the time until they cool again."""
    missing_s = np.maximum(to_last_s - lasts_s, 0.0)
    holds = first_of(missing_s) == 0
    return LostCooling(
        lost=lost,
        lasts_s=first_of(lasts_s),
        to_last_s=first_of(to_last_s),
        power_w=float("nan"),
        holds=holds,
        answer="passes" if holds else "tank",
        tank_m3=first_of(tank_needed_m3(missing_s=missing_s, **tank)),
    )


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
