"""What a year of a site's own supply comes to: energy, money, carbon and firm power, of each source and in all.

One year is dispatched for the middle of the samples; prices and intensities of all samples weigh its energies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from app.engine.facility.power_supply.dispatch import NO_STORE, Dispatch, Running, Store, dispatch
from app.engine.facility.power_supply.plant import (
    firm_w,
    fuel_w,
    methane_kg_per_kwh,
    plant_units,
    power_derating,
    running_share,
)
from app.engine.specs import Facility
from app.engine.specs.power_supply import PowerSource, PowerSupply
from app.engine.trace import Array, first_of, median_of, plain

WH_PER_KWH = 1e3


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceYear:
    """A source over a year: energies in kWh, money in USD, carbon in kg of CO2 and of its like."""

    kind: str
    rated_w: float
    units: float  # with spares
    firm_w: float  # hottest hour, at the site's height, spares out of service
    energy_kwh: float
    fuel_kwh: float
    running_usd: float  # fuel and upkeep
    capital_usd: float
    life_years: float
    lead_time_years: float
    co2_kg: float
    methane_kg: float

    def usd_per_kwh(self, capital_recovery_factor: float) -> float:
        """Levelised cost of its energy; not known where it gives none."""
        if not self.energy_kwh:
            return math.nan
        return (self.capital_usd * capital_recovery_factor + self.running_usd) / self.energy_kwh


@dataclass(frozen=True, slots=True, kw_only=True)
class BatteryYear:
    """A battery over a year; it lasts until its cycles are used up or its calendar life ends."""

    charged_kwh: float
    discharged_kwh: float
    cycles: float
    life_years: float
    capital_usd: float
    running_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyYear:
    """A site's year. Money is of a year; `load` is what the pod asks for before any demand response."""

    hours: Dispatch
    price_usd_per_kwh: Array  # of the grid, by hour
    sources_w: tuple[Array, ...]  # by hour, sun and wind as generated
    sources: tuple[SourceYear, ...]
    battery: BatteryYear | None
    load_kwh: float
    grid_kwh: float
    grid_peak_w: float
    grid_usd: float
    grid_kg: float
    purchased_kwh: float
    purchased_usd: float  # price of the contract less what the hours are worth
    shed_kwh: float
    credit_usd: float
    matched_share: float  # of the load, by clean energy of the same hour
    annual_matched_share: float
    firm_w: float  # with the grid, without the battery
    ready_years: float  # until the peak can be carried; infinite where it never is
    unmet_kwh: float
    short_hours: int

    @property
    def beside_grid_usd(self) -> float:
        """Yearly cost of all but the grid's energy and the capital."""
        battery = 0.0 if self.battery is None else self.battery.running_usd
        running = sum(source.running_usd for source in self.sources)
        return running + battery + self.purchased_usd - self.credit_usd

    @property
    def fuel_kg(self) -> float:
        return sum(source.co2_kg + source.methane_kg for source in self.sources)


def supply_year(*, supply: PowerSupply, facility: Facility, load_w: Array, peak_w: float) -> SupplyYear:
    """A year of a site.

    Parameters
    ----------
    load_w : at the meter in each of 8,760 hours
    peak_w : at the meter in the hottest hour
    """
    site = facility.site
    dry_bulb_c = plain(site.climate.dry_bulb_c)
    price = median_of(site.electricity_price_usd_per_kwh) + plain(supply.price_deviation_usd_per_kwh)
    limit_w = 0.0
    if supply.connected:
        limit_w = math.inf if facility.utility_limit_w is None else median_of(facility.utility_limit_w)
    asked_w, shed_share = load_w, 0.0
    if supply.demand_response is not None:
        shed_share = median_of(supply.demand_response.load_share)
        load_w = asked_w * (
            1 - shed_share * _dearest(price, median_of(supply.demand_response.hours_per_year))
        )
    plants = [_plant(source, dry_bulb_c, median_of(site.elevation_m)) for source in supply.sources]
    fuelled = [place for place, source in enumerate(supply.sources) if source.yield_by_hour is None]
    clean_w = sum(
        (plants[place] for place in range(len(plants)) if place not in fuelled), np.zeros(load_w.size)
    )
    store = NO_STORE
    if supply.battery is not None:
        given = supply.battery
        store = Store(
            use=given.use,
            power_w=median_of(given.power_w),
            energy_wh=median_of(given.energy_wh),
            round_trip_efficiency=median_of(given.round_trip_efficiency),
        )
    hours = dispatch(
        load_w=load_w,
        clean_w=clean_w,
        sources=tuple(
            Running(available_w=plants[place], usd_per_kwh=_marginal(supply.sources[place]))
            for place in fuelled
        ),
        grid_limit_w=limit_w,
        grid_usd_per_kwh=price,
        store=store,
    )
    carried = dict(zip(fuelled, hours.sources_w, strict=True))
    hot = np.array([dry_bulb_c.max()])
    sources = tuple(
        _source_year(source, carried.get(place, plants[place]), plants[place], hot, site.elevation_m)
        for place, source in enumerate(supply.sources)
    )
    bought_w = [median_of(one.capacity_w) * plain(one.yield_by_hour) for one in supply.purchases]
    purchased_w = sum(bought_w, np.zeros(load_w.size))
    firm = sum(source.firm_w for source in sources) + limit_w
    intensity = median_of(site.carbon_intensity_kg_per_kwh) * plain(supply.carbon_ratio)
    at_once_w = np.minimum(clean_w, load_w)
    stored_w = hours.discharged_w if store.use == "clean" else np.zeros(load_w.size)
    matched_w = np.minimum(at_once_w + stored_w + purchased_w, load_w)
    return SupplyYear(
        hours=hours,
        price_usd_per_kwh=price,
        sources_w=tuple(carried.get(place, plants[place]) for place in range(len(plants))),
        sources=sources,
        battery=_battery_year(supply, hours),
        load_kwh=_kwh(asked_w),
        grid_kwh=_kwh(hours.grid_w),
        grid_peak_w=min(
            max(peak_w - sum(source.firm_w for source in sources), float(hours.grid_w.max())), limit_w
        ),
        grid_usd=_kwh(hours.grid_w * price),
        grid_kg=_kwh(hours.grid_w * intensity),
        purchased_kwh=_kwh(purchased_w),
        purchased_usd=sum(
            _kwh(power_w * (median_of(one.price_usd_per_kwh) - price))
            for one, power_w in zip(supply.purchases, bought_w, strict=True)
        ),
        shed_kwh=_kwh(asked_w - load_w),
        credit_usd=0.0
        if supply.demand_response is None
        else median_of(supply.demand_response.credit_usd_per_kw_year)
        * shed_share
        * float(asked_w.mean())
        / 1e3,
        matched_share=float(matched_w.sum() / load_w.sum()),
        annual_matched_share=min(float((clean_w + purchased_w).sum() / load_w.sum()), 1.0),
        firm_w=firm,
        ready_years=_ready_years(supply, sources, limit_w, store.power_w, peak_w),
        unmet_kwh=_kwh(hours.unmet_w),
        short_hours=int((hours.unmet_w > 1e-6 * hours.load_w).sum()),
    )


def _kwh(power_w: Array) -> float:
    return float(power_w.sum()) / WH_PER_KWH


def _dearest(price: Array, hours: float) -> Array:
    """1 in the dearest hours of the year, a fraction in the last; alike hours in the order of the year."""
    rank = np.argsort(np.argsort(-price, kind="stable"), kind="stable")
    return np.clip(hours - rank, 0, 1)


def _site_of(source: PowerSource) -> dict[str, Array]:
    names = (
        "temperature_derating_per_k", "derating_dry_bulb_c", "altitude_derating_per_m", "derating_altitude_m",
    )  # fmt: skip
    return {name: np.array([median_of(getattr(source, name))]) for name in names}


def _plant(source: PowerSource, dry_bulb_c: Array, elevation_m: float) -> Array:
    """What a source can give in each hour [W]."""
    capacity = np.array([median_of(source.capacity_w)])
    if source.yield_by_hour is not None:
        generated: Array = capacity * plain(source.yield_by_hour)
        return generated
    units = plant_units(capacity_w=capacity, unit_w=np.array([median_of(source.unit_w)]))
    there = running_share(
        availability=np.array([median_of(source.availability)]),
        plant_units=units,
        spare_units=np.array([median_of(source.spare_units)]),
    )
    left = power_derating(dry_bulb_c=dry_bulb_c, elevation_m=np.array([elevation_m]), **_site_of(source))
    given: Array = capacity * there * left
    return given


def _marginal(source: PowerSource) -> float:
    """Cost of one more kWh: fuel along the Willans line of a running unit, and upkeep."""
    per_kwh = (1 - median_of(source.no_load_fuel_share)) / median_of(source.efficiency)
    return per_kwh * median_of(source.fuel_usd_per_kwh) + median_of(source.variable_om_usd_per_kwh)


def _source_year(
    source: PowerSource, power_w: Array, available_w: Array, hot: Array, elevation_m: Array
) -> SourceYear:
    capacity, unit = median_of(source.capacity_w), median_of(source.unit_w)
    renewable = source.yield_by_hour is not None
    spare = median_of(source.spare_units)
    units = first_of(plant_units(capacity_w=np.array([capacity]), unit_w=np.array([unit])))
    left = power_derating(dry_bulb_c=hot, elevation_m=np.array([median_of(elevation_m)]), **_site_of(source))
    fuel_kwh = 0.0
    if not renewable and capacity:
        fuel_kwh = _kwh(
            fuel_w(
                power_w=power_w,
                capacity_w=available_w,
                unit_w=available_w * unit / (units * unit),
                efficiency=np.array([median_of(source.efficiency)]),
                no_load_fuel_share=np.array([median_of(source.no_load_fuel_share)]),
            )
        )
    energy = _kwh(power_w)
    rated = capacity + spare * unit
    slip = first_of(methane_kg_per_kwh(methane_slip_share=np.array([median_of(source.methane_slip_share)])))
    return SourceYear(
        kind=source.kind,
        rated_w=rated,
        units=units + spare,
        firm_w=0.0 if renewable else first_of(firm_w(capacity_w=np.array([capacity]), power_derating=left)),
        energy_kwh=energy,
        fuel_kwh=fuel_kwh,
        running_usd=fuel_kwh * median_of(source.fuel_usd_per_kwh)
        + energy * median_of(source.variable_om_usd_per_kwh)
        + rated / 1e3 * median_of(source.fixed_om_usd_per_kw_year),
        capital_usd=rated / 1e3 * median_of(source.capital_usd_per_kw),
        life_years=median_of(source.life_years),
        lead_time_years=median_of(source.lead_time_years),
        co2_kg=fuel_kwh * median_of(source.fuel_co2_kg_per_kwh),
        methane_kg=fuel_kwh * slip,
    )


def _battery_year(supply: PowerSupply, hours: Dispatch) -> BatteryYear | None:
    battery = supply.battery
    if battery is None:
        return None
    energy_kwh, power_kw = median_of(battery.energy_wh) / 1e3, median_of(battery.power_w) / 1e3
    discharged = _kwh(hours.discharged_w)
    cycles = discharged / energy_kwh if energy_kwh else 0.0
    by_cycles = median_of(battery.cycle_life) / cycles if cycles else math.inf
    return BatteryYear(
        charged_kwh=_kwh(hours.charged_w),
        discharged_kwh=discharged,
        cycles=cycles,
        life_years=min(median_of(battery.life_years), by_cycles),
        capital_usd=power_kw * median_of(battery.capital_usd_per_kw)
        + energy_kwh * median_of(battery.capital_usd_per_kwh),
        running_usd=power_kw * median_of(battery.fixed_om_usd_per_kw_year),
    )


def _ready_years(
    supply: PowerSupply, sources: tuple[SourceYear, ...], limit_w: float, battery_w: float, peak_w: float
) -> float:
    """Years until what stands by then carries the peak."""
    steps = [(source.lead_time_years, source.firm_w) for source in sources]
    if supply.connected:
        steps.append((median_of(supply.grid_wait_years), limit_w))
    carried = battery_w
    for years, power_w in sorted(steps):
        carried += power_w
        if carried >= peak_w:
            return years
    return math.inf
