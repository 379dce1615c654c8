"""Where the pod's heat leaves: dry coolers, towers, condensers, the halls' exhaust, a network, a sea or a lake.

Means over the year. What moves heat on ends where that heat does: fans and pumps of an economiser with what
goes through it, a compressor at the condenser.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.figures import for_heat
from app.engine.facility.cooling.plant_year import PlantYear
from app.engine.facility.cooling.plants import PLANTS, WITHOUT_LIQUID_PLANT
from app.engine.quantities import quantity
from app.engine.trace import Array

DRY_COOLERS = "dry_coolers"
TOWERS = "towers"
CONDENSERS = "chiller_condensers"
EXHAUST = "hall_exhaust"
NETWORK = "heat_network"
WATER_BODY = "sea_or_lake"
SINKS = (DRY_COOLERS, TOWERS, CONDENSERS, EXHAUST, NETWORK, WATER_BODY)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatSink:
    """Heat that leaves by one sink, by where it comes from. The sinks of a design add up to its utility mean."""

    sink: str
    liquid_heat_w: Array
    air_heat_w: Array
    cooling_power_w: Array
    uncooled_w: Array
    total_w: Array


@quantity(unit="W", source="first law", at="cooling.heat_sinks[].liquid_heat_w")
def liquid_heat_to_sink_w(*, liquid_heat_w: Array, liquid_share: Array) -> Array:
    """Heat from the coolant rejected by this sink."""
    return for_heat(liquid_heat_w, liquid_share)


@quantity(unit="W", source="first law", at="cooling.heat_sinks[].air_heat_w")
def air_heat_to_sink_w(*, air_heat_w: Array, air_share: Array) -> Array:
    """Heat from hall air rejected by this sink."""
    return air_heat_w * air_share


@quantity(unit="W", source="first law", at="cooling.heat_sinks[].cooling_power_w")
def cooling_power_to_sink_w(
    *, liquid_heat_w: Array, liquid_power_w_per_w: Array, air_heat_w: Array, air_power_w_per_w: Array
) -> Array:
    """Cooling power rejected by this sink."""
    return for_heat(liquid_heat_w, liquid_power_w_per_w) + air_heat_w * air_power_w_per_w


@quantity(unit="W", source="first law", at="cooling.heat_sinks[].uncooled_w")
def uncooled_to_sink_w(
    *, electrical_losses_w: Array, electrical_loss_share_in_hall: Array, house_load_w: Array, sink: str
) -> Array:
    """Losses outside cooled rooms and house load: they leave with the exhaust air, by no other sink."""
    uncooled_w = electrical_losses_w * (1 - electrical_loss_share_in_hall) + house_load_w
    return np.where(sink == EXHAUST, uncooled_w, 0.0)


@quantity(unit="W", source="first law", at="cooling.heat_sinks[].total_w")
def heat_to_sink_w(
    *, liquid_heat_w: Array, air_heat_w: Array, cooling_power_w: Array, uncooled_w: Array
) -> Array:
    """Total heat rejected by this sink."""
    return liquid_heat_w + air_heat_w + cooling_power_w + uncooled_w


class _Path(NamedTuple):
    """Share of a plant's heat that one sink takes, and the power that goes with it for each watt of all heat."""

    share: Array
    power_w_per_w: Array


NOTHING = _Path(np.zeros(1), np.zeros(1))


def heat_sinks(
    *,
    plant: str,
    year: PlantYear,
    heat_reuse_share: Array | None,
    liquid_w: Array,
    air_w: Array,
    losses_w: Array,
    house_w: Array,
    assumptions: FacilityAssumptions,
) -> tuple[HeatSink, ...]:
    """Every sink of a plant, those without heat included; a network, a sea or a lake only where it has one."""
    liquid = _liquid_paths(plant, year, heat_reuse_share, assumptions.tower_trim_water_cooled)
    air = _air_paths(plant, year)
    there = {NETWORK: heat_reuse_share is not None, WATER_BODY: PLANTS[plant].by_water_body}
    names = tuple(name for name in SINKS if there.get(name, True))
    return tuple(
        _sink(
            name,
            liquid.get(name, NOTHING),
            air.get(name, NOTHING),
            liquid_w=liquid_w,
            air_w=air_w,
            uncooled_w=uncooled_to_sink_w(
                electrical_losses_w=losses_w,
                electrical_loss_share_in_hall=assumptions.electrical_loss_share_in_hall,
                house_load_w=house_w,
                sink=name,
            ),
        )
        for name in names
    )


def _sink(
    name: str, liquid: _Path, air: _Path, *, liquid_w: Array, air_w: Array, uncooled_w: Array
) -> HeatSink:
    parts = {
        "liquid_heat_w": liquid_heat_to_sink_w(liquid_heat_w=liquid_w, liquid_share=liquid.share),
        "air_heat_w": air_heat_to_sink_w(air_heat_w=air_w, air_share=air.share),
        "cooling_power_w": cooling_power_to_sink_w(
            liquid_heat_w=liquid_w,
            liquid_power_w_per_w=liquid.power_w_per_w,
            air_heat_w=air_w,
            air_power_w_per_w=air.power_w_per_w,
        ),
        "uncooled_w": uncooled_w,
    }
    return HeatSink(sink=name, total_w=heat_to_sink_w(**parts), **parts)


def _liquid_paths(
    plant: str, year: PlantYear, heat_reuse_share: Array | None, trim_water_cooled: Array
) -> dict[str, _Path]:
    """Paths of the coolant's heat; none where it goes to the hall's air or there is no coolant."""
    if plant in WITHOUT_LIQUID_PLANT:
        return {}
    word = PLANTS[plant].liquid
    pumps, fans, chiller = (
        year.liquid_pumps_w_per_w,
        year.liquid_rejection_w_per_w,
        year.liquid_chiller_w_per_w,
    )
    outdoors = np.ones(1) if heat_reuse_share is None else 1 - heat_reuse_share
    free, chilled = outdoors * year.liquid_free_share, outdoors * (1 - year.liquid_free_share)
    if word == "chiller":
        paths = {CONDENSERS: _Path(chilled, chilled * pumps + fans + chiller)}
    elif word == "source":
        paths = {WATER_BODY: _Path(outdoors * np.ones(1), outdoors * pumps + fans + chiller)}
    elif word == "tower":
        beside = 1 - trim_water_cooled  # of the trim chiller: what does not condense at the tower
        to_tower = free + trim_water_cooled * chilled
        paths = {
            TOWERS: _Path(to_tower, to_tower * pumps + fans + trim_water_cooled * chiller),
            CONDENSERS: _Path(beside * chilled, beside * (chilled * pumps + chiller)),
        }
    else:
        paths = {
            DRY_COOLERS: _Path(free, free * pumps + fans),
            CONDENSERS: _Path(chilled, chilled * pumps + chiller),
        }
    if heat_reuse_share is not None:
        paths[NETWORK] = _Path(heat_reuse_share, heat_reuse_share * pumps)
    return paths


def _air_paths(plant: str, year: PlantYear) -> dict[str, _Path]:
    """Paths of the hall's heat; fans outdoors are the economiser's and the condenser's in turn."""
    moved = year.hall_fans_w_per_w + year.air_pumps_w_per_w
    fans, chiller = year.air_rejection_w_per_w, year.air_chiller_w_per_w
    if PLANTS[plant].air == "tower":
        return {TOWERS: _Path(np.ones(1), moved + fans + chiller)}
    if PLANTS[plant].air == "source":
        return {WATER_BODY: _Path(np.ones(1), moved + fans + chiller)}
    free, chilled = year.air_free_share, 1 - year.air_free_share
    if PLANTS[plant].air in ("outdoor", "indirect"):
        return {
            EXHAUST: _Path(free, free * (moved + fans)),
            CONDENSERS: _Path(chilled, chilled * (moved + fans) + chiller),
        }
    return {
        DRY_COOLERS: _Path(free, free * (moved + fans)),
        CONDENSERS: _Path(chilled, chilled * (moved + fans) + chiller),
    }
