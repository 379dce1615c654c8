"""Cost of each workload of a shared pod: its share of the hours, and its own energy."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="1", percent=True, source="definition", at="workloads[].energy_share")
def energy_share(*, it_power_mean_w: Array, it_power_of_all_w: Array) -> Array:
    """Energy share of the workload.

    By IT power: cooling, losses and the rest of the house are shared alike.
    """
    return it_power_mean_w / it_power_of_all_w


@quantity(unit="kWh/year", source="definition", at="workloads[].energy_kwh_per_year")
def energy_kwh_per_year(*, energy_utility_kwh_per_year: Array, energy_share: Array) -> Array:
    """Annual energy of the workload at full use."""
    return energy_utility_kwh_per_year * energy_share


@quantity(unit="W", source="definition")
def utility_power_w(*, utility_mean_w: Array, energy_share: Array) -> Array:
    """Mean utility power of a workload, annual."""
    return utility_mean_w * energy_share


@quantity(unit="tokens/s", source="definition", at="workloads[].tokens_per_s_mean")
def tokens_per_s_mean(*, tokens_per_s: Array, working_share: Array) -> Array:
    """Tokens per second, daily mean.

    Where a served model states a demand, of it, mean over its years.
    """
    return tokens_per_s * working_share


@quantity(unit="s", source="definition", also_at="performance.elapsed_time_s")
def elapsed_by_the_calendar_s(*, elapsed_time_s: Array, working_share: Array) -> Array:
    """Elapsed time of a run that works for a share of the day."""
    return elapsed_time_s / working_share


@quantity(
    unit="J/token",
    source="definition",
    at="workloads[].energy_j_per_token",
    also_at="power.energy_j_per_token",
)
def energy_j_per_token_of_workload(*, utility_power_w: Array, tokens_per_s_mean: Array) -> Array:
    """Energy per token of the workload: trained, or of output where it serves."""
    return utility_power_w / tokens_per_s_mean


@quantity(unit="USD/year", source="definition")
def by_energy_usd_per_year(*, electricity_usd_per_year: Array, water_usd_per_year: Array) -> Array:
    """Energy-related annual cost of the pod: electricity and the water of its cooling."""
    return electricity_usd_per_year + water_usd_per_year


@quantity(unit="USD/year", source="definition", at="workloads[].cost.usd_per_year")
def usd_per_year_of_workload(
    *, annual_cost_usd_per_year: Array, by_energy_usd_per_year: Array, share: Array, energy_share: Array
) -> Array:
    """Annual cost of the workload.

    Electricity and water by its energy, all else by its share of the accelerator-hours.
    """
    return (annual_cost_usd_per_year - by_energy_usd_per_year) * share + by_energy_usd_per_year * energy_share


@quantity(unit="1", percent=True, source="definition", at="workloads[].cost.share")
def cost_share(*, usd_per_year: Array, annual_cost_usd_per_year: Array) -> Array:
    """Cost share of the workload."""
    return usd_per_year / annual_cost_usd_per_year


@quantity(unit="USD/h", source="definition", at="workloads[].cost.usd_per_accelerator_hour")
def usd_per_accelerator_hour_of_workload(
    *, usd_per_year: Array, used_accelerator_hours_per_year: Array, share: Array
) -> Array:
    """Cost per used accelerator-hour of the workload."""
    return usd_per_year / (used_accelerator_hours_per_year * share)


@quantity(unit="1", source="definition")
def accelerators_over_the_day(*, share: Array, supernodes: Array, accelerators_per_supernode: Array) -> Array:
    """Accelerators that a workload has, mean over the day."""
    return share * supernodes * accelerators_per_supernode


@quantity(unit="W", source="definition")
def share_of_power_w(*, power_w: Array, share: Array) -> Array:
    """A workload's share of a power that goes by accelerator-hours."""
    return power_w * share
