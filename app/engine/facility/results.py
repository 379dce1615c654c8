"""What the facility room states about a design: its power and its cooling."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.facility.cooling.sinks import HeatSink
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """Electricity from the accelerators to the utility meter.

    Mean figures are while the job runs; energies are of a year in which it always does.
    """

    it_power_mean_w: Array
    it_power_peak_w: Array
    it_power_design_w: Array
    it_power_idle_w: Array
    it_power_swing_w: Array
    it_breakdown_w: dict[str, Array]
    electrical_losses_w: Array
    losses_breakdown_w: dict[str, Array]
    house_load_w: Array
    generator_standby_w: Array  # of the house load
    utility_mean_w: Array
    utility_peak_w: Array
    energy_it_kwh_per_year: Array
    energy_utility_kwh_per_year: Array
    energy_j_per_token: Array | None  # None: a job without tokens
    accelerator_tdp_power_w: Array
    meter_power_per_accelerator_w: Array
    meter_to_tdp_ratio: Array
    power_per_rack_w: Array
    racks: Array
    servers_per_rack: Array
    installed_shares: dict[str, Array]  # installed over needed capacity of each block
    facility_availability: Array  # of power and cooling at a rack
    facility_nines: Array
    yearly_outage_hours: Array
    outage_breakdown_hours: dict[str, Array]
    topology_tier: str  # class of topology that the scheme corresponds to


@dataclass(frozen=True, slots=True, kw_only=True)
class Cooling:
    """Heat from the racks to the outdoors. `pue_by_month_and_hour` is None when many samples are evaluated."""

    plant: str
    pue: Array
    pue_hottest_hour: Array
    pue_by_month_and_hour: Array | None
    tue: Array
    wue_l_per_kwh: Array
    wue_with_grid_l_per_kwh: Array
    cue_kg_per_kwh: Array
    cue_market_kg_per_kwh: Array | None  # None: no contracts are stated
    water_m3_per_year: Array
    liquid_heat_w: Array
    liquid_heat_design_w: Array
    air_heat_w: Array
    air_heat_per_rack_w: Array
    heat_rejected_w: Array
    heat_sinks: tuple[HeatSink, ...]
    power_mean_w: Array
    breakdown_w: dict[str, Array]
    coolant_flow_l_per_min: Array | None  # None: no liquid takes heat from the racks
    cdu_count: Array
    cdu_capacity_w: Array
    full_economiser_hours: Array
    heat_reused_w: Array | None  # these four are None where no one takes the heat
    heat_pump_power_w: Array | None
    ere: Array | None
    erf: Array | None
