"""Both loops of a plant from the racks to the sky: temperatures, flows, and what lies between them.

Sized for all SuperNodes at rated power. What a loop joins is in its order: racks first, the sky last.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.loops.pipes import loop_flow_l_per_min
from app.engine.facility.cooling.plants import IMMERSED, PLANTS, WITHOUT_CHILLED_WATER
from app.engine.facility.cooling.source_water import source_water_c
from app.engine.facility.racks.kind import air_density_kg_per_m3, rack_air_flow_m3_per_s
from app.engine.trace import Array, first_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """What goes round: it leaves the cold end at `cold_c` and comes back at `hot_c`."""

    name: str
    fluid: str
    cold_c: float
    hot_c: float
    flow: float
    flow_unit: str  # L/min, or m3/s of air
    heat_w: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A heat exchanger between two loops, or between the last loop and outdoor air.

    NaN: it has no approach.
    """

    name: str
    approach_k: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """Liquid or air side: `exchanges[i]` gives the heat of `loops[i]` on. It ends in outdoor air."""

    name: str
    loops: tuple[Loop, ...]
    exchanges: tuple[Exchange, ...]
    outdoors: str  # dry bulb | wet bulb
    outdoors_c: float  # of the hottest such hour


AIR_HANDLERS = {"perimeter": "Air handlers", "in_row": "In-row coolers", "rear_door": "Rear doors"}
OUTDOORS = {
    "dry": ("Dry coolers and trim chillers", "dry_cooler_approach_k"),
    "adiabatic": ("Wetted dry coolers and trim chillers", "dry_cooler_approach_k"),
    "chiller": ("Air-cooled chillers", "chiller_condenser_approach_air_k"),
    "source": ("Sea or lake water and trim chillers", "source_water_approach_k"),
}


def sides_of(
    *,
    plant: str,
    air_handling: str,
    coolant: str,
    coolant_supply_c: Array,
    coolant_flow_l_per_min: Array | None,
    liquid_heat_w: Array,
    facility_heat_w: Array,
    air_heat_w: Array,
    dry_bulb_c: Array,
    wet_bulb_c: Array,
    pressure_pa: Array,
    assumptions: FacilityAssumptions,
) -> tuple[Side, ...]:
    """The liquid side, where there is one, and the air side.

    Parameters
    ----------
    liquid_heat_w, facility_heat_w : of the coolant, and of the facility water with the pumps' heat [W]
    air_heat_w : that the air plant is sized for [W]
    dry_bulb_c, wet_bulb_c : of the climate year, of which the hottest hour is shown [degC]
    """
    a = assumptions
    made = PLANTS[plant]
    source_c = source_water_c(
        mean_dry_bulb_c=np.mean(dry_bulb_c, keepdims=True),
        source_water_over_air_k=a.source_water_over_air_k,
        source_water_least_c=a.source_water_least_c,
        hours=np.zeros(1),
    )
    outdoors = {
        "dry bulb": float(np.max(dry_bulb_c)),
        "wet bulb": float(np.max(wet_bulb_c)),
        "sea or lake water": first_of(source_c),
    }
    racks = Loop(
        name="Tanks" if plant in IMMERSED else "Racks",
        fluid="dielectric oil" if plant in IMMERSED else coolant,
        cold_c=first_of(coolant_supply_c),
        hot_c=first_of(coolant_supply_c + a.coolant_temperature_rise_k),
        flow=0.0 if coolant_flow_l_per_min is None else first_of(coolant_flow_l_per_min),
        flow_unit="L/min",
        heat_w=first_of(liquid_heat_w),
    )
    hall = _hall(air_heat_w, pressure_pa, a)
    chilled = _water(
        "Chilled water",
        supply_c=a.chilled_water_supply_c,
        rise_k=a.chilled_water_return_c - a.chilled_water_supply_c,
        heat_w=air_heat_w,
        a=a,
    )
    handlers = Exchange(name=AIR_HANDLERS[air_handling], approach_k=hall.cold_c - chilled.cold_c)
    air_last, air_sky = _air_outdoors(made.air, a)
    with_water = plant not in WITHOUT_CHILLED_WATER
    air = Side(
        name="Air",
        loops=(hall, chilled) if with_water else (hall,),
        exchanges=(handlers, air_last) if with_water else (air_last,),
        outdoors=air_sky,
        outdoors_c=outdoors[air_sky],
    )
    if made.liquid == "none" or not racks.heat_w > 0:
        return (air,)
    if made.liquid == "hall":
        to_hall = Exchange(name="Liquid-to-air CDUs", approach_k=first_of(a.cdu_to_air_approach_k))
        whole = Side(
            name="Liquid to air",
            loops=(racks, hall, chilled),
            exchanges=(to_hall, handlers, air_last),
            outdoors=air_sky,
            outdoors_c=outdoors[air_sky],
        )
        return (whole,)
    return _liquid(made.liquid, racks, facility_heat_w, coolant_supply_c, outdoors, a), air


def _liquid(
    kind: str,
    racks: Loop,
    heat_w: Array,
    coolant_supply_c: Array,
    outdoors: dict[str, float],
    a: FacilityAssumptions,
) -> Side:
    supply_c, rise_k = coolant_supply_c - a.cdu_approach_k, a.facility_water_temperature_rise_k
    water = _water("Facility water", supply_c=supply_c, rise_k=rise_k, heat_w=heat_w, a=a)
    cdus = Exchange(name="CDUs", approach_k=first_of(a.cdu_approach_k))
    if kind != "tower":
        name, approach = OUTDOORS[kind]
        last = Exchange(name=name, approach_k=first_of(getattr(a, approach)))
        sky = "sea or lake water" if kind == "source" else "dry bulb"
        return Side(
            name="Liquid",
            loops=(racks, water),
            exchanges=(cdus, last),
            outdoors=sky,
            outdoors_c=outdoors[sky],
        )
    tower = _water(
        "Tower water", supply_c=supply_c - a.tower_plate_approach_k, rise_k=rise_k, heat_w=heat_w, a=a
    )
    return Side(
        name="Liquid",
        loops=(racks, water, tower),
        exchanges=(
            cdus,
            Exchange(name="Plate exchanger", approach_k=first_of(a.tower_plate_approach_k)),
            Exchange(name="Towers and trim chillers", approach_k=first_of(a.tower_approach_k)),
        ),
        outdoors="wet bulb",
        outdoors_c=outdoors["wet bulb"],
    )


def _air_outdoors(kind: str, a: FacilityAssumptions) -> tuple[Exchange, str]:
    if kind == "tower":
        approach = first_of(a.tower_approach_k + a.tower_plate_approach_k)
        return Exchange(name="Towers, wet economiser and chillers", approach_k=approach), "wet bulb"
    if kind == "outdoor":
        return Exchange(name="Wet pads and direct expansion", approach_k=0.0), "dry bulb"
    if kind == "indirect":
        approach = first_of(a.outdoor_air_rise_k * (1 / a.indirect_exchanger_effectiveness - 1))
        return Exchange(name="Wetted air exchangers and direct expansion", approach_k=approach), "dry bulb"
    if kind == "source":
        approach = first_of(a.source_water_approach_k)
        return Exchange(name="Sea or lake water and chillers", approach_k=approach), "sea or lake water"
    return Exchange(
        name="Dry economiser and chillers", approach_k=first_of(a.air_economiser_approach_k)
    ), "dry bulb"


def _hall(heat_w: Array, pressure_pa: Array, a: FacilityAssumptions) -> Loop:
    density = air_density_kg_per_m3(
        pressure_pa=np.mean(pressure_pa, keepdims=True), air_c=a.hall_air_supply_c
    )
    flow = rack_air_flow_m3_per_s(
        air_heat_w=heat_w, air_density_kg_per_m3=density, air_rise_k=a.rack_air_rise_k
    )
    return Loop(
        name="Hall air",
        fluid="air",
        cold_c=first_of(a.hall_air_supply_c),
        hot_c=first_of(a.hall_air_supply_c + a.rack_air_rise_k),
        flow=first_of(flow),
        flow_unit="m3/s",
        heat_w=first_of(heat_w),
    )


def _water(name: str, *, supply_c: Array, rise_k: Array, heat_w: Array, a: FacilityAssumptions) -> Loop:
    return Loop(
        name=name,
        fluid="water",
        cold_c=first_of(supply_c),
        hot_c=first_of(supply_c + rise_k),
        flow=first_of(
            loop_flow_l_per_min(
                heat_w=heat_w,
                density_kg_per_m3=a.facility_water_density_kg_per_m3,
                heat_capacity_j_per_kg_k=a.facility_water_heat_capacity_j_per_kg_k,
                temperature_rise_k=rise_k,
            )
        ),
        flow_unit="L/min",
        heat_w=first_of(heat_w),
    )
