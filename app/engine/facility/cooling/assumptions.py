"""What cooling in detail assumes; values and sources stand in seed_data/assumptions/cooling.csv."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class CoolingAssumptions:
    """Contents of loops, and how long plants take to come back. No annual figure depends on them."""

    coolant_in_rack_m3_per_w: Array
    coolant_in_loop_m3_per_w: Array
    facility_water_in_loop_m3_per_w: Array
    chilled_water_in_loop_m3_per_w: Array
    hall_air_m3_per_w: Array
    ride_through_coolant_rise_k: Array
    ride_through_water_rise_k: Array
    ride_through_air_rise_k: Array
    chiller_restart_s: Array
    exchanger_flow_exponent: Array
