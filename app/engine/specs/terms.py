"""Where and on what terms: site, facility, operations and economics."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Climate:
    """An hourly year, and the same year binned by dry and wet bulb with hours as weights."""

    key: str
    dry_bulb_c: Array  # (8760,)
    wet_bulb_c: Array
    pressure_pa: Array
    binned_dry_bulb_c: Array  # (bins,)
    binned_wet_bulb_c: Array
    binned_pressure_pa: Array
    binned_hours: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    key: str
    name: str
    elevation_m: Array
    electricity_price_usd_per_kwh: Array
    carbon_intensity_kg_per_kwh: Array
    water_price_usd_per_m3: Array
    climate: Climate


@dataclass(frozen=True, slots=True, kw_only=True)
class Facility:
    site: Site
    cooling: str  # auto | air | direct_liquid_dry | direct_liquid_tower
    redundancy: str  # N | N+1 | 2N | 2(N+1) | 3N/2 | 4N/3
    coolant_supply_c: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """The shared file system. Bandwidths are of the whole system."""

    read_bandwidth_bytes_per_s: Array
    write_bandwidth_bytes_per_s: Array
    price_usd_per_tb: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Operations:
    checkpoint: str  # blocking | two_level
    spare_supernodes: Array | None  # None: sized by the engine
    storage: Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Economics:
    life_years: Array
    wacc: Array
    utilisation: Array
    residual_value: Array  # fraction of the purchase price at the end of life
    rental_on_demand_usd_per_accelerator_hour: Array
    rental_reserved_usd_per_accelerator_hour: Array
