"""How a site buys and makes its electricity."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerSource:
    """Own plant of one kind. Capacity is rated, at sea level and 15 degC, without spare units."""

    kind: str
    capacity_w: Array
    unit_w: Array
    spare_units: Array
    efficiency: Array  # electricity over fuel (lower heating value) at full load; 1 where there is no fuel
    no_load_fuel_share: Array  # of the fuel at full load
    temperature_derating_per_k: Array
    derating_dry_bulb_c: Array
    altitude_derating_per_m: Array
    derating_altitude_m: Array
    availability: Array  # of one unit
    fuel_usd_per_kwh: Array
    variable_om_usd_per_kwh: Array
    fixed_om_usd_per_kw_year: Array
    capital_usd_per_kw: Array
    life_years: Array
    lead_time_years: Array
    fuel_co2_kg_per_kwh: Array  # of fuel
    methane_slip_share: Array  # of the fuel, unburnt
    yield_by_hour: Array | None = None  # of sun or wind: power over rated power


@dataclass(frozen=True, slots=True, kw_only=True)
class Battery:
    """Storage beside the load; power at its terminals, energy as usable when new."""

    use: str  # backup | clean | price
    power_w: Array
    energy_wh: Array
    round_trip_efficiency: Array
    cycle_life: Array
    life_years: Array
    capital_usd_per_kw: Array
    capital_usd_per_kwh: Array
    fixed_om_usd_per_kw_year: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """A contract for what a solar field or a wind farm elsewhere on the same grid generates, at a fixed price.

    The hours are taken to be those of the site's weather.
    """

    kind: str
    capacity_w: Array
    price_usd_per_kwh: Array
    yield_by_hour: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class DemandResponse:
    """Load that is taken off in the dearest hours, against a credit."""

    hours_per_year: Array
    load_share: Array
    credit_usd_per_kw_year: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerSupply:
    """Arrays of hours are 8,760 long, in local time. `None` is what the scenario leaves out."""

    connected: bool  # to the grid, whose limit is the facility's
    grid_wait_years: Array
    market: str  # whose hours prices follow; "" where they are the same in every hour
    price_deviation_usd_per_kwh: Array  # of the hour from the mean of the year
    carbon_ratio: Array  # of the hour over the mean of the year
    sources: tuple[PowerSource, ...] = ()
    battery: Battery | None = None
    purchases: tuple[Purchase, ...] = ()
    demand_response: DemandResponse | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Supplied:
    """What own supply adds to a facility beside its price and carbon of a kWh."""

    plant_usd: Array
    grid_peak_w: Array
