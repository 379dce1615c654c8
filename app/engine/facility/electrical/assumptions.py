"""What sizing the electrical chain assumes; values and sources stand in seed_data/assumptions/electrical.csv."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectricalAssumptions:
    """Feeds, shelves, generators, batteries and how ratings fall with altitude and heat.

    Largest units of the stages that lose energy are among the assumptions of the facility.
    """

    power_factor: Array
    continuous_factor_nec: Array
    continuous_factor_iec: Array
    distribution_voltage_v: Array
    feeder_current_nec_a: Array
    feeder_current_iec_a: Array
    busway_current_a: Array
    busway_voltage_v: Array
    shelf_unit_w: Array
    utility_feed_unit_w: Array
    generator_unit_w: Array
    generator_load_share: Array
    generator_spare_units: Array
    generator_altitude_derating_per_m: Array
    generator_derating_dry_bulb_c: Array
    generator_temperature_derating_per_k: Array
    transformer_altitude_derating_per_m: Array
    derating_altitude_m: Array
    generator_start_s: Array
    generator_block_load_share: Array
    fuel_l_per_kwh: Array
    fuel_hours: Array
    battery_time_s: Array
    battery_depth_of_discharge: Array
    battery_efficiency: Array
    battery_end_of_life_share: Array
    power_supply_hold_up_s: Array
