"""Both plants over a year, and what they come to on average."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.air_plant import AirPlant, air_plant
from app.engine.facility.cooling.heat_rejection import fan_power_altitude_factor
from app.engine.facility.cooling.liquid_plant import LiquidPlant, liquid_plant
from app.engine.facility.cooling.year import Year, hours_with, year_mean
from app.engine.quantities import quantity
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantYear:
    """Means over the year for each watt or joule of heat, and hours without any chiller."""

    coolant_flow_m3_per_j: Array
    liquid_pumps_w_per_w: Array
    liquid_rejection_w_per_w: Array
    liquid_chiller_w_per_w: Array
    liquid_economiser_hours: Array
    liquid_free_share: Array
    makeup_kg_per_j: Array
    to_hall_w_per_w: Array
    hall_fans_w_per_w: Array
    air_pumps_w_per_w: Array
    air_rejection_w_per_w: Array
    air_chiller_w_per_w: Array
    air_economiser_hours: Array
    air_free_share: Array
    air_makeup_kg_per_j: Array


@quantity(unit="1", source="definition")
def liquid_rejection_mean_w_per_w(*, rejection_w_per_w: Array, hours: Array) -> Array:
    """Power of dry coolers or towers for each watt of liquid heat, mean over the year."""
    return year_mean(rejection_w_per_w, hours)


@quantity(unit="1", source="definition")
def trim_chiller_mean_w_per_w(*, chiller_w_per_w: Array, hours: Array) -> Array:
    """Trim-chiller power for each watt of liquid heat, mean over the year."""
    return year_mean(chiller_w_per_w, hours)


@quantity(unit="h", source="definition")
def liquid_economiser_hours(*, economiser_share: Array, hours: Array) -> Array:
    """Hours of the year in which the liquid plant needs no chiller."""
    return hours_with(np.where(economiser_share >= 1, 1.0, 0.0 * economiser_share), hours)


@quantity(unit="1", source="definition")
def liquid_free_share(*, economiser_share: Array, hours: Array) -> Array:
    """Share of the liquid plant's heat that needs no chiller, mean over the year."""
    return year_mean(economiser_share, hours)


@quantity(unit="1", source="definition")
def air_free_share(*, economiser_share: Array, hours: Array) -> Array:
    """Share of the air plant's heat that needs no chiller, mean over the year."""
    return year_mean(economiser_share, hours)


@quantity(unit="kg/J", source="definition")
def makeup_mean_kg_per_j(*, makeup_kg_per_j: Array, hours: Array) -> Array:
    """Make-up water for each joule of liquid heat, mean over the year."""
    return year_mean(makeup_kg_per_j + 0 * hours, hours)


@quantity(unit="1", source="definition")
def air_rejection_mean_w_per_w(*, rejection_w_per_w: Array, hours: Array) -> Array:
    """Power of the air plant's tower for each watt of air heat, mean over the year."""
    return year_mean(rejection_w_per_w, hours)


@quantity(unit="1", source="definition")
def air_chiller_mean_w_per_w(*, chiller_w_per_w: Array, hours: Array) -> Array:
    """Chiller power for each watt of air heat, mean over the year."""
    return year_mean(chiller_w_per_w, hours)


@quantity(unit="h", source="definition")
def air_economiser_hours(*, economiser_share: Array, hours: Array) -> Array:
    """Hours of the year in which the air plant needs no chiller."""
    return hours_with(np.where(economiser_share >= 1, 1.0, 0.0 * economiser_share), hours)


@quantity(unit="kg/J", source="definition")
def air_makeup_mean_kg_per_j(*, makeup_kg_per_j: Array, hours: Array) -> Array:
    """Make-up water for each joule of air heat, mean over the year."""
    return year_mean(makeup_kg_per_j + 0 * hours, hours)


@quantity(unit="1", source="definition")
def not_reused(*, per_heat: Array, heat_reuse_share: Array) -> Array:
    """Consumption of the liquid plant per unit of heat, after heat reuse."""
    return per_heat * (1 - heat_reuse_share)


def plants_over(
    *,
    year: Year,
    plant: str,
    coolant_supply_c: Array,
    assumptions: FacilityAssumptions,
    heat_reuse_share: Array | None = None,
) -> tuple[LiquidPlant, AirPlant]:
    """Both plants in every hour of `year`; a network takes `heat_reuse_share` of the heat in each."""
    liquid = liquid_over(
        year=year,
        plant=plant,
        coolant_supply_c=coolant_supply_c,
        assumptions=assumptions,
        heat_reuse_share=heat_reuse_share,
    )
    return liquid, air_over(year=year, plant=plant, assumptions=assumptions)


def liquid_over(
    *,
    year: Year,
    plant: str,
    coolant_supply_c: Array,
    assumptions: FacilityAssumptions,
    heat_reuse_share: Array | None = None,
) -> LiquidPlant:
    """The liquid side alone."""
    liquid = liquid_plant(
        year=year,
        plant=plant,
        coolant_supply_c=coolant_supply_c,
        altitude_factor=_altitude_factor(year, assumptions),
        assumptions=assumptions,
    )
    if heat_reuse_share is not None:
        outdoors = ("rejection_w_per_w", "chiller_w_per_w", "makeup_kg_per_j")
        rest = {
            name: not_reused(per_heat=getattr(liquid, name), heat_reuse_share=heat_reuse_share)
            for name in outdoors
        }
        liquid = dataclasses.replace(liquid, **rest)
    return liquid


def air_over(*, year: Year, plant: str, assumptions: FacilityAssumptions) -> AirPlant:
    """The air side alone."""
    return air_plant(
        year=year,
        plant=plant,
        altitude_factor=_altitude_factor(year, assumptions),
        assumptions=assumptions,
    )


def _altitude_factor(year: Year, assumptions: FacilityAssumptions) -> Array:
    return fan_power_altitude_factor(
        pressure_pa=year.pressure_pa,
        hours=year.hours,
        standard_pressure_pa=assumptions.standard_pressure_pa,
        air_density_exponent=assumptions.air_density_exponent,
    )


def means_of(
    *, liquid: LiquidPlant, air: AirPlant, hours: Array, air_hours: Array | None = None
) -> PlantYear:
    """The year's means of plants that were computed over `hours`, the air side over `air_hours` where it has its own."""
    air_hours = hours if air_hours is None else air_hours
    return PlantYear(
        coolant_flow_m3_per_j=liquid.flow_m3_per_j,
        liquid_pumps_w_per_w=liquid.pumps_w_per_w,
        liquid_rejection_w_per_w=liquid_rejection_mean_w_per_w(
            rejection_w_per_w=liquid.rejection_w_per_w, hours=hours
        ),
        liquid_chiller_w_per_w=trim_chiller_mean_w_per_w(chiller_w_per_w=liquid.chiller_w_per_w, hours=hours),
        liquid_economiser_hours=liquid_economiser_hours(
            economiser_share=liquid.economiser_share, hours=hours
        ),
        liquid_free_share=liquid_free_share(economiser_share=liquid.economiser_share, hours=hours),
        makeup_kg_per_j=makeup_mean_kg_per_j(makeup_kg_per_j=liquid.makeup_kg_per_j, hours=hours),
        to_hall_w_per_w=liquid.to_hall_w_per_w,
        hall_fans_w_per_w=air.fans_w_per_w,
        air_pumps_w_per_w=air.pumps_w_per_w,
        air_rejection_w_per_w=_mean_where_hourly(air.rejection_w_per_w, air_hours),
        air_chiller_w_per_w=air_chiller_mean_w_per_w(chiller_w_per_w=air.chiller_w_per_w, hours=air_hours),
        air_economiser_hours=air_economiser_hours(economiser_share=air.economiser_share, hours=air_hours),
        air_free_share=air_free_share(economiser_share=air.economiser_share, hours=air_hours),
        air_makeup_kg_per_j=air_makeup_mean_kg_per_j(makeup_kg_per_j=air.makeup_kg_per_j, hours=air_hours),
    )


def _mean_where_hourly(rejection_w_per_w: Array, hours: Array) -> Array:
    """Condenser fans of an air-cooled plant draw the same in every hour, a tower does not."""
    if rejection_w_per_w.shape[-1] == 1:
        return rejection_w_per_w
    return air_rejection_mean_w_per_w(rejection_w_per_w=rejection_w_per_w, hours=hours)
