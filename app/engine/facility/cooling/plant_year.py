"""Both plants over a year: hour by hour for one design, by weighted bins for many samples."""

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

BLOCK = 65_536
"""Samples times hours that are held at once: a few arrays of half a megabyte stay in cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantYear:
    """Means over the year for each watt or joule of heat, and hours without any chiller."""

    coolant_flow_m3_per_j: Array
    liquid_pumps_w_per_w: Array
    liquid_rejection_w_per_w: Array
    liquid_chiller_w_per_w: Array
    liquid_economiser_hours: Array
    makeup_kg_per_j: Array
    hall_fans_w_per_w: Array
    air_pumps_w_per_w: Array
    air_rejection_w_per_w: Array
    air_chiller_w_per_w: Array
    air_economiser_hours: Array


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


@quantity(unit="kg/J", source="definition")
def makeup_mean_kg_per_j(*, makeup_kg_per_j: Array, hours: Array) -> Array:
    """Make-up water for each joule of liquid heat, mean over the year."""
    return year_mean(makeup_kg_per_j + 0 * hours, hours)


@quantity(unit="1", source="definition")
def air_chiller_mean_w_per_w(*, chiller_w_per_w: Array, hours: Array) -> Array:
    """Chiller power for each watt of air heat, mean over the year."""
    return year_mean(chiller_w_per_w, hours)


@quantity(unit="h", source="definition")
def air_economiser_hours(*, economiser_share: Array, hours: Array) -> Array:
    """Hours of the year in which the air plant needs no chiller."""
    return hours_with(np.where(economiser_share >= 1, 1.0, 0.0 * economiser_share), hours)


def plants_over(
    *, year: Year, plant: str, coolant_supply_c: Array, assumptions: FacilityAssumptions
) -> tuple[LiquidPlant, AirPlant]:
    """Both plants in every hour of `year`."""
    altitude_factor = fan_power_altitude_factor(
        pressure_pa=year.pressure_pa,
        hours=year.hours,
        standard_pressure_pa=assumptions.standard_pressure_pa,
        air_density_exponent=assumptions.air_density_exponent,
    )
    liquid = liquid_plant(
        year=year,
        plant=plant,
        coolant_supply_c=coolant_supply_c,
        altitude_factor=altitude_factor,
        assumptions=assumptions,
    )
    return liquid, air_plant(year=year, altitude_factor=altitude_factor, assumptions=assumptions)


def means_of(*, liquid: LiquidPlant, air: AirPlant, hours: Array) -> PlantYear:
    """The year's means of plants that were computed over `hours`."""
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
        makeup_kg_per_j=makeup_mean_kg_per_j(makeup_kg_per_j=liquid.makeup_kg_per_j, hours=hours),
        hall_fans_w_per_w=air.fans_w_per_w,
        air_pumps_w_per_w=air.pumps_w_per_w,
        air_rejection_w_per_w=air.rejection_w_per_w,
        air_chiller_w_per_w=air_chiller_mean_w_per_w(chiller_w_per_w=air.chiller_w_per_w, hours=hours),
        air_economiser_hours=air_economiser_hours(economiser_share=air.economiser_share, hours=hours),
    )


def means_of_samples(
    *, year: Year, plant: str, coolant_supply_c: Array, assumptions: FacilityAssumptions
) -> PlantYear:
    """The year's means for inputs of shape (s, 1), in blocks of samples that bound the memory."""
    inputs = _inputs(coolant_supply_c=coolant_supply_c, assumptions=assumptions)
    samples = sample_count(coolant_supply_c=coolant_supply_c, assumptions=assumptions)
    rows = max(1, BLOCK // year.hours.size)
    blocks = []
    for start in range(0, samples, rows):
        part = {
            name: value[start : start + rows] if value.size > 1 else value for name, value in inputs.items()
        }
        supply_c = part.pop("coolant_supply_c")
        liquid, air = plants_over(
            year=year,
            plant=plant,
            coolant_supply_c=supply_c,
            assumptions=FacilityAssumptions(**part),
        )
        blocks.append(means_of(liquid=liquid, air=air, hours=year.hours))
    if len(blocks) == 1:
        return blocks[0]
    return PlantYear(
        **{
            field.name: _joined([getattr(block, field.name) for block in blocks])
            for field in dataclasses.fields(PlantYear)
        }
    )


def sample_count(*, coolant_supply_c: Array, assumptions: FacilityAssumptions) -> int:
    """How many samples the inputs of the plants hold."""
    inputs = _inputs(coolant_supply_c=coolant_supply_c, assumptions=assumptions)
    return max(int(value.size) for value in inputs.values())


def _inputs(*, coolant_supply_c: Array, assumptions: FacilityAssumptions) -> dict[str, Array]:
    inputs = {
        field.name: getattr(assumptions, field.name) for field in dataclasses.fields(FacilityAssumptions)
    }
    return inputs | {"coolant_supply_c": coolant_supply_c}


def _joined(parts: list[Array]) -> Array:
    """Blocks of samples in a row; what does not vary between samples stays of shape (1,)."""
    return parts[0] if parts[0].ndim == 1 else np.concatenate(parts)
