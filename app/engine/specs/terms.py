"""Where a pod stands and how it is run: site, facility and operations."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.engine.specs.power_supply import PowerSupply, Supplied
from app.engine.trace import Array


def _zero() -> Array:
    return np.zeros(1)


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
class HeatReuse:
    """A network that takes heat from the coolant."""

    share: Array  # of the liquid heat, mean over the year
    supply_c: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Facility:
    """The building. What is None the scenario leaves out: no limit, no contracts, no one for the heat."""

    site: Site
    cooling: str  # auto, or a name of facility.cooling.plants
    redundancy: str  # a name of facility.electrical.redundancy
    coolant_supply_c: Array
    cooling_redundancy: str = "auto"  # auto | N | N+1 | 2N, of chillers, coolers, pumps and CDUs
    air_handling: str = "perimeter"  # perimeter | in_row | rear_door
    coolant: str = "pg25"  # pg25 | pg30 | eg25
    distribution: str = "ac_415"  # ac_415 | ac_480 | dc_800
    rectifier_input: str = "medium_voltage"  # | low_voltage: input of the rectifiers that make 800 V
    ups: str = "double_conversion"  # double_conversion | eco | rack_batteries
    load_profile: str = "auto"  # auto | large_batch | strong_scaled | serving
    utility_limit_w: Array | None = None
    clean_energy_share: Array | None = None
    heat_reuse: HeatReuse | None = None
    power_supply: PowerSupply | None = None  # None: the grid alone, at the price of the year
    supplied: Supplied | None = None  # what a year of it comes to, once power and cooling are known


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """The shared file system. Bandwidths are of the whole system. `capacity_bytes` None is sized."""

    read_bandwidth_bytes_per_s: Array
    write_bandwidth_bytes_per_s: Array
    price_usd_per_tb: Array
    capacity_bytes: Array | None = None  # usable
    is_rated: Array | None = None  # 1: bandwidths are rated, and jobs get a share of them
    price_is_stated: Array = field(
        default_factory=_zero
    )  # 1: the price of a TB holds for all of it, bandwidth included


@dataclass(frozen=True, slots=True, kw_only=True)
class Operations:
    checkpoint: str  # blocking | two_level | three_level
    spare_units: Array | None  # hosts, trays or cubes; None: sized by the engine
    storage: Storage
