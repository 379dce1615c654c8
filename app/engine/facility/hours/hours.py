"""What the pod's plants draw in every hour of its climate year, from the same plants as the annual figures.

IT power and electrical losses are constant while the job runs, so the hours differ by weather alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.air_plant import AirPlant
from app.engine.facility.cooling.figures import (
    chillers_w,
    cooling_fans_w,
    cooling_pumps_w,
    for_heat,
    heat_rejection_w,
    pue_by_hour,
)
from app.engine.facility.cooling.heat_reuse import share_reused
from app.engine.facility.cooling.liquid_plant import LiquidPlant
from app.engine.facility.cooling.plant_year import plants_over
from app.engine.facility.cooling.plants import WITHOUT_LIQUID_PLANT
from app.engine.facility.cooling.year import full_year
from app.engine.facility.results import Cooling, Power
from app.engine.quantities import quantity
from app.engine.specs import Facility
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Hours:
    """Arrays of 8,760, in local standard time from 1 January; unknown is NaN."""

    dry_bulb_c: Array
    wet_bulb_c: Array
    pue: Array
    utility_w: Array
    cooling_w: Array
    parts_w: dict[str, Array]  # of cooling_w, by the names of the evaluation's `cooling.breakdown_w`
    water_l_per_h: Array
    free_cooling_share: Array  # of the pod's heat
    main_free_cooling_share: Array  # of the main plant's heat, whose full hours the evaluation counts


@quantity(unit="L/h", source="definition")
def water_by_hour_l_per_h(
    *, liquid_heat_w: Array, makeup_kg_per_j: Array, air_heat_w: Array, air_makeup_kg_per_j: Array
) -> Array:
    """Make-up water of both plants in each hour; 1 L weighs 1 kg."""
    return (for_heat(liquid_heat_w, makeup_kg_per_j) + air_heat_w * air_makeup_kg_per_j) * 3600


@quantity(unit="1", source="definition")
def free_of_chillers_share(*, economiser_share: Array, heat_reuse_share: Array) -> Array:
    """Share of the liquid plant's heat that needs no chiller: what a network takes, and what the economiser does."""
    return heat_reuse_share + (1 - heat_reuse_share) * economiser_share


@quantity(unit="1", source="definition")
def free_cooling_share_by_hour(
    *,
    liquid_heat_w: Array,
    liquid_free_share: Array,
    air_heat_w: Array,
    air_economiser_share: Array,
    plant: str,
) -> Array:
    """Share of the pod's heat that leaves without a chiller, in each hour.

    What liquid-to-air CDUs give to the hall is the air plant's.
    """
    to_liquid_plant_w = np.where(plant in WITHOUT_LIQUID_PLANT, 0.0, liquid_heat_w)
    free_w = for_heat(to_liquid_plant_w, liquid_free_share) + air_heat_w * air_economiser_share
    share: Array = free_w / (to_liquid_plant_w + air_heat_w)
    return share


@quantity(unit="W", source="definition")
def utility_by_hour_w(
    *, it_power_mean_w: Array, electrical_losses_w: Array, cooling_by_hour_w: Array, house_load_w: Array
) -> Array:
    """Power at the utility meter in each hour while the job runs."""
    return it_power_mean_w + electrical_losses_w + cooling_by_hour_w + house_load_w


def hours_of(
    *, power: Power, cooling: Cooling, facility: Facility, assumptions: FacilityAssumptions
) -> Hours:
    """The hours of a design that `evaluate_facility` gave `power` and `cooling` of.

    One design at a time: means over the hours are the evaluation's annual figures. A network takes its share
    of the heat in every hour; leave `heat_reuse` out of `facility` to see the plants without it, as the
    evaluation does for the hottest hour.
    """
    reused = share_reused(facility=facility, plant=cooling.plant)
    year = full_year(facility.site.climate)
    liquid, air = plants_over(
        year=year,
        plant=cooling.plant,
        coolant_supply_c=facility.coolant_supply_c,
        assumptions=assumptions,
        heat_reuse_share=reused,
    )
    parts_w = _parts_w(cooling, liquid, air)
    cooling_w = sum(parts_w.values(), np.zeros(year.hours.size))
    heat = {"liquid_heat_w": cooling.liquid_heat_w, "air_heat_w": cooling.air_heat_w}
    liquid_free = liquid.economiser_share
    if reused is not None:
        liquid_free = free_of_chillers_share(
            economiser_share=liquid.economiser_share, heat_reuse_share=reused
        )
    share = free_cooling_share_by_hour(
        liquid_free_share=liquid_free,
        air_economiser_share=air.economiser_share,
        plant=cooling.plant,
        **heat,
    )
    return Hours(
        dry_bulb_c=year.dry_bulb_c,
        wet_bulb_c=year.wet_bulb_c,
        pue=_every_hour(
            pue_by_hour(
                it_power_mean_w=power.it_power_mean_w,
                electrical_losses_w=power.electrical_losses_w,
                house_load_w=power.house_load_w,
                liquid_pumps_w_per_w=liquid.pumps_w_per_w,
                liquid_rejection_w_per_w=liquid.rejection_w_per_w,
                liquid_chiller_w_per_w=liquid.chiller_w_per_w,
                hall_fans_w_per_w=air.fans_w_per_w,
                air_pumps_w_per_w=air.pumps_w_per_w,
                air_rejection_w_per_w=air.rejection_w_per_w,
                air_chiller_w_per_w=air.chiller_w_per_w,
                **heat,
            ),
            year.hours,
        ),
        utility_w=utility_by_hour_w(
            it_power_mean_w=power.it_power_mean_w,
            electrical_losses_w=power.electrical_losses_w,
            cooling_by_hour_w=cooling_w,
            house_load_w=power.house_load_w,
        ),
        cooling_w=cooling_w,
        parts_w={name: _every_hour(part_w, year.hours) for name, part_w in parts_w.items()},
        water_l_per_h=_every_hour(
            water_by_hour_l_per_h(
                makeup_kg_per_j=liquid.makeup_kg_per_j, air_makeup_kg_per_j=air.makeup_kg_per_j, **heat
            ),
            year.hours,
        ),
        free_cooling_share=_every_hour(share, year.hours),
        main_free_cooling_share=_every_hour(
            air.economiser_share if cooling.plant in WITHOUT_LIQUID_PLANT else liquid.economiser_share,
            year.hours,
        ),
    )


def _parts_w(cooling: Cooling, liquid: LiquidPlant, air: AirPlant) -> dict[str, Array]:
    """The evaluation's own formulas, for each hour in place of the year's means."""
    heat = {"liquid_heat_w": cooling.liquid_heat_w, "air_heat_w": cooling.air_heat_w}
    return {
        "fans": cooling_fans_w(air_heat_w=cooling.air_heat_w, hall_fans_w_per_w=air.fans_w_per_w),
        "pumps": cooling_pumps_w(
            liquid_pumps_w_per_w=liquid.pumps_w_per_w, air_pumps_w_per_w=air.pumps_w_per_w, **heat
        ),
        "chillers": chillers_w(
            liquid_chiller_w_per_w=liquid.chiller_w_per_w, air_chiller_w_per_w=air.chiller_w_per_w, **heat
        ),
        "heat_rejection": heat_rejection_w(
            liquid_rejection_w_per_w=liquid.rejection_w_per_w,
            air_rejection_w_per_w=air.rejection_w_per_w,
            **heat,
        ),
    }


def _every_hour(values: Array, hours: Array) -> Array:
    """A figure that is the same in all hours, once for each."""
    return np.broadcast_to(values, hours.shape)
