"""A facility with the price and the carbon of the electricity that its own supply gives it."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.hours.hours import hours_of
from app.engine.facility.power_supply.supply import SupplyYear, supply_year
from app.engine.facility.results import Cooling, Power
from app.engine.leaves import leaves
from app.engine.quantities import quantity
from app.engine.specs import Design, Facility
from app.engine.specs.power_supply import Battery, PowerSupply, Supplied
from app.engine.specs.terms import Climate
from app.engine.trace import Array, Traced, median_of, plain

_DISPATCH = "dispatch of 8,760 hours by cost at the margin, for the middle of the samples"


@quantity(unit="1", source=_DISPATCH, leaf=True)
def year_of_supply(*, supply: list[Array], utility_mean_w: Array, found: Array) -> Array:
    """Year of own supply for each kWh of load.

    Grid energy; cost other than grid energy [USD]; grid energy weighted by the hourly carbon intensity; carbon of fuel
    [kg]; share of the carbon that contracts offset.

    Parameters
    ----------
    supply, utility_mean_w : what it was computed from
    found : the five figures
    """
    return found


@quantity(unit="USD/kWh", source="definition")
def supplied_price_usd_per_kwh(
    *, electricity_price_usd_per_kwh: Array, grid_share: Array, beside_grid_usd_per_kwh: Array
) -> Array:
    """Price of electricity with own supply.

    The grid's price for its share; fuel and upkeep of own plant, contracts less what their hours are worth, and what
    the hours of the grid cost above its mean, less the credit of demand response. Capital of plant is not in it.
    """
    return electricity_price_usd_per_kwh * grid_share + beside_grid_usd_per_kwh


@quantity(
    unit="kg/kWh", source="[1] GHG Protocol Scope 2 Guidance (2015), location-based method; fuel: scope 1"
)
def supplied_carbon_kg_per_kwh(
    *, carbon_intensity_kg_per_kwh: Array, grid_share: Array, fuel_kg_per_kwh: Array
) -> Array:
    """Carbon of electricity with own supply: the grid's by the hour for its share, CO2 and methane of own fuel."""
    return carbon_intensity_kg_per_kwh * grid_share + fuel_kg_per_kwh


@quantity(unit="USD", source="definition")
def plant_usd(*, capacity_w: Array, spare_units: Array, unit_w: Array, capital_usd_per_kw: Array) -> Array:
    """Price of a source with its spare units."""
    return (capacity_w + spare_units * unit_w) / 1e3 * capital_usd_per_kw


@quantity(unit="USD", source="definition")
def battery_usd(
    *, power_w: Array, energy_wh: Array, capital_usd_per_kw: Array, capital_usd_per_kwh: Array
) -> Array:
    """Price of a battery: converters by power, cells by energy."""
    return power_w / 1e3 * capital_usd_per_kw + energy_wh / 1e3 * capital_usd_per_kwh


def supply_of(
    facility: Facility, power: Power, cooling: Cooling, assumptions: FacilityAssumptions
) -> SupplyYear | None:
    """The year of a facility's own supply; None where it has the grid alone."""
    if facility.power_supply is None:
        return None
    alone = dataclasses.replace(facility, power_supply=None, supplied=None)
    hours = hours_of(
        power=_middle(power),
        cooling=_middle(cooling),
        facility=_middle(alone),
        assumptions=_middle(assumptions),
    )
    return supply_year(
        supply=facility.power_supply,
        facility=facility,
        load_w=plain(hours.utility_w),
        peak_w=median_of(power.utility_peak_w),
    )


def supplied(
    facility: Facility, power: Power, cooling: Cooling, assumptions: FacilityAssumptions
) -> Facility:
    """The facility at the price and the carbon that its own supply comes to; the same where it has none."""
    year, supply = supply_of(facility, power, cooling, assumptions), facility.power_supply
    if year is None or supply is None:
        return facility
    site = facility.site
    middle_price = median_of(site.electricity_price_usd_per_kwh)
    of_hours_usd = year.grid_usd - year.grid_kwh * middle_price  # of the grid, above its mean
    if not year.grid_kwh:
        of_hours_usd = 0.0
    intensity = median_of(site.carbon_intensity_kg_per_kwh)
    weighed = year.grid_kg / intensity if intensity else year.grid_kwh
    found = year_of_supply(
        supply=[figure for _, figure in leaves(supply)],
        utility_mean_w=power.utility_mean_w,
        found=np.array(
            [
                year.grid_kwh / year.load_kwh,
                (year.beside_grid_usd + of_hours_usd) / year.load_kwh,
                weighed / year.load_kwh,
                year.fuel_kg / year.load_kwh,
                _taken_off(year, facility),
            ]
        ),
    )
    share = facility.clean_energy_share
    return dataclasses.replace(
        facility,
        site=dataclasses.replace(
            site,
            electricity_price_usd_per_kwh=supplied_price_usd_per_kwh(
                electricity_price_usd_per_kwh=site.electricity_price_usd_per_kwh,
                grid_share=found[0:1],
                beside_grid_usd_per_kwh=found[1:2],
            )
            if year.grid_kwh
            else found[1:2],
            carbon_intensity_kg_per_kwh=supplied_carbon_kg_per_kwh(
                carbon_intensity_kg_per_kwh=site.carbon_intensity_kg_per_kwh,
                grid_share=found[2:3],
                fuel_kg_per_kwh=found[3:4],
            )
            if year.grid_kwh
            else found[3:4],
        ),
        clean_energy_share=found[4:5] if supply.purchases or share is not None else None,
        power_supply=None,
        supplied=Supplied(plant_usd=_plant_usd(supply), grid_peak_w=np.array([year.grid_peak_w])),
    )


def as_supplied(design: Design, power: Power, cooling: Cooling) -> Facility:
    """The facility of a design as its cost and carbon were computed."""
    with np.errstate(invalid="ignore", divide="ignore"):  # unknown inputs are NaN
        return supplied(design.facility, power, cooling, design.assumptions.rooms["facility"])


def _taken_off(year: SupplyYear, facility: Facility) -> float:
    """Share of the carbon that contracts for clean energy of the grid take off, over the year."""
    whole = year.grid_kg + year.fuel_kg
    if not whole or not year.grid_kwh:
        return 0.0
    given = 0.0 if facility.clean_energy_share is None else median_of(facility.clean_energy_share)
    return min(given + year.purchased_kwh / year.grid_kwh, 1.0) * year.grid_kg / whole


def _plant_usd(supply: PowerSupply) -> Array:
    total = np.zeros(1)
    for source in supply.sources:
        total = total + plant_usd(
            capacity_w=source.capacity_w,
            spare_units=source.spare_units,
            unit_w=source.unit_w,
            capital_usd_per_kw=source.capital_usd_per_kw,
        )
    return total if supply.battery is None else total + _battery_usd(supply.battery)


def _battery_usd(battery: Battery) -> Array:
    return battery_usd(
        power_w=battery.power_w,
        energy_wh=battery.energy_wh,
        capital_usd_per_kw=battery.capital_usd_per_kw,
        capital_usd_per_kwh=battery.capital_usd_per_kwh,
    )


def _middle(item: Any) -> Any:
    """A record with the middle of the samples of each figure; the hours of a climate as they are."""
    if isinstance(item, np.ndarray | Traced):
        return np.array([median_of(item)])
    if isinstance(item, Climate):
        return dataclasses.replace(
            item, **{field.name: plain(getattr(item, field.name)) for field in dataclasses.fields(item)}
        )
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        return dataclasses.replace(
            item, **{field.name: _middle(getattr(item, field.name)) for field in dataclasses.fields(item)}
        )
    if isinstance(item, dict):
        return {name: _middle(part) for name, part in item.items()}
    return item
