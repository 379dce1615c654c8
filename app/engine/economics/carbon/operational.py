"""Carbon of the run's electricity: of the accelerators alone, and of all of it at the meter."""

from __future__ import annotations

import numpy as np

from app.engine.facility.cooling.figures import DAYS_IN_MONTH
from app.engine.quantities import quantity
from app.engine.trace import Array

_MODEL_CARD = "[1] Llama 3.1 model card, meta-llama/llama-models (accelerator power only)"
_PROTOCOL = "[1] GHG Protocol Scope 2 Guidance (2015), location-based method"
_MARKET = "[1] GHG Protocol Scope 2 Guidance (2015), market-based method"


@quantity(unit="W", source="definition")
def run_power_w(*, utility_mean_w: Array, idle_supernodes_w: Array, it_power_mean_w: Array) -> Array:
    """Power of the run at the utility meter.

    Servers at work, network, storage, cooling and losses; supernodes that wait, including spares,
    are not charged to the run.
    """
    return utility_mean_w * (1 - idle_supernodes_w / it_power_mean_w)


@quantity(unit="kWh", source="definition", at="carbon.run_energy_kwh")
def run_energy_kwh(*, run_power_w: Array, elapsed_time_s: Array) -> Array:
    """Energy of the run at the utility meter.

    At the mean power of work over the whole elapsed time, restarts included.
    """
    return run_power_w * elapsed_time_s / (1e3 * 3600)


@quantity(unit="kg", source=_PROTOCOL, at="carbon.operational_kg", key=True)
def operational_kg(*, run_energy_kwh: Array, carbon_intensity_kg_per_kwh: Array) -> Array:
    """Operational carbon of the run.

    All energy at the meter times the grid's mean intensity, location based; CO2 equivalent.
    """
    return run_energy_kwh * carbon_intensity_kg_per_kwh


@quantity(unit="kg", source=_PROTOCOL)
def operational_part_kg(
    *, part_power_w: Array, elapsed_time_s: Array, carbon_intensity_kg_per_kwh: Array
) -> Array:
    """Operational carbon of a part of the power of the run."""
    return part_power_w * elapsed_time_s / (1e3 * 3600) * carbon_intensity_kg_per_kwh


@quantity(unit="kg", source=_MARKET, at="carbon.operational_market_kg", key=True)
def operational_market_kg(
    *, run_energy_kwh: Array, carbon_intensity_kg_per_kwh: Array, clean_energy_share: Array
) -> Array:
    """Operational carbon of the run, market based.

    What is contracted free of carbon counts as zero; the rest counts at the grid's mean intensity, as the
    protocol has it where no residual mix is published. The year is balanced, not each hour.
    """
    return run_energy_kwh * (1 - clean_energy_share) * carbon_intensity_kg_per_kwh


@quantity(unit="kg", source=_MODEL_CARD, at="carbon.operational_tdp_only_kg")
def operational_tdp_only_kg(
    *, accelerator_tdp_power_w: Array, elapsed_time_s: Array, carbon_intensity_kg_per_kwh: Array
) -> Array:
    """Operational carbon of the accelerators at TDP.

    Hours times design power times intensity, as model cards count it: hosts, network, cooling and
    losses are left out.
    """
    energy_kwh = accelerator_tdp_power_w * elapsed_time_s / (1e3 * 3600)
    return energy_kwh * carbon_intensity_kg_per_kwh


@quantity(unit="kg", source="definition", at="carbon.total_kg")
def total_kg(*, operational_kg: Array, embodied_kg: Array) -> Array:
    """Total carbon of the run."""
    return operational_kg + embodied_kg


_LCA = "[1] Luccioni et al., Estimating the Carbon Footprint of BLOOM, arXiv 2211.02001"
_TOKEN_PROTOCOL = "[1] GHG Protocol Scope 2 Guidance (2015), location-based method"


@quantity(unit="kg", source=_TOKEN_PROTOCOL, at="carbon.operational_kg_per_million_tokens", key=True)
def operational_kg_per_million_tokens(
    *, run_power_w: Array, tokens_per_s: Array, carbon_intensity_kg_per_kwh: Array
) -> Array:
    """Operational carbon per million output tokens.

    All energy at the meter times the grid's mean intensity, location based; supernodes that wait, including spares,
    are not charged to the tokens. Where a demand is stated, of its mean tokens, at the power of the load of the peak.
    """
    energy_kwh = run_power_w * (1e6 / tokens_per_s) / (1e3 * 3600)
    return energy_kwh * carbon_intensity_kg_per_kwh


@quantity(unit="kg", source=_LCA, at="carbon.embodied_kg_per_million_tokens", key=True)
def embodied_kg_per_million_tokens(
    *,
    embodied_pod_kg: Array,
    accelerators_used: Array,
    tokens_per_s: Array,
    paid_accelerator_hours_per_year: Array,
    life_years: Array,
) -> Array:
    """Embodied carbon per million output tokens.

    The making of the hardware, shared out over all hours of its life where a demand says how many tokens they have,
    else over those that it is used in.
    """
    accelerator_hours = accelerators_used * (1e6 / tokens_per_s) / 3600
    return embodied_pod_kg * accelerator_hours / (paid_accelerator_hours_per_year * life_years)


@quantity(unit="kg", source="definition", at="carbon.kg_per_million_tokens", key=True, better="less")
def kg_per_million_tokens(*, operational_kg: Array, embodied_kg: Array) -> Array:
    """Carbon per million output tokens."""
    return operational_kg + embodied_kg


_IDLE_LCA = (
    "[1] Luccioni et al., Estimating the Carbon Footprint of BLOOM, arXiv 2211.02001 (idle consumption)"
)


@quantity(unit="kWh", source="definition")
def waiting_beside_kwh(
    *, idle_supernodes_w: Array, utility_mean_w: Array, it_power_mean_w: Array, elapsed_time_s: Array
) -> Array:
    """Energy of idle SuperNodes during the run, including spares."""
    return idle_supernodes_w * utility_mean_w / it_power_mean_w * elapsed_time_s / (1e3 * 3600)


@quantity(unit="h", source="definition")
def hours_between_runs(
    *, run_accelerator_hours: Array, used_accelerator_hours_per_year: Array, utilisation: Array
) -> Array:
    """Idle hours allocated to the run.

    The pod's idle hours of a year (1 - u) by the run's share of the hours with work.
    """
    return 24 * 365 * (1 - utilisation) * run_accelerator_hours / used_accelerator_hours_per_year


@quantity(unit="kWh", source="definition")
def waiting_between_kwh(
    *, it_power_idle_w: Array, utility_mean_w: Array, it_power_mean_w: Array, hours_between_runs: Array
) -> Array:
    """Energy of the idle pod between runs, allocated to the run."""
    return it_power_idle_w / 1e3 * utility_mean_w / it_power_mean_w * hours_between_runs


@quantity(unit="kg", source=_IDLE_LCA, at="carbon.idle_kg")
def idle_kg(
    *, waiting_beside_kwh: Array, waiting_between_kwh: Array, carbon_intensity_kg_per_kwh: Array
) -> Array:
    """Carbon of idle time allocated to the run.

    SuperNodes that wait while it runs, and its share of the hours in which the pod has no work, at idle
    power; cooling and losses follow the load. Beside the carbon of the run, not in it.
    """
    return (waiting_beside_kwh + waiting_between_kwh) * carbon_intensity_kg_per_kwh


@quantity(unit="1", source=_IDLE_LCA)
def idle_floor_share(*, it_power_idle_w: Array, idle_supernodes_w: Array, it_power_mean_w: Array) -> Array:
    """Idle share of the electricity of the run."""
    return (it_power_idle_w - idle_supernodes_w) / (it_power_mean_w - idle_supernodes_w)


HOURS_OF_A_DAY = 24
MONTHS_AND_HOURS = 288
_HOURLY_PROTOCOL = (
    "[1] GHG Protocol Scope 2 Guidance (2015): emission factors of the hour where they are at hand"
)


def intensity_over_the_year(profile_kg_per_kwh: Array) -> Array:
    """The 8,760 hours of a profile of one day, or of a day in each of the twelve months.

    Parameters
    ----------
    profile_kg_per_kwh : 24 hours of the day, or 12 months of 24 hours one after the other, local standard time

    Raises
    ------
    ValueError : it is neither
    """
    if profile_kg_per_kwh.size == HOURS_OF_A_DAY:
        return np.tile(profile_kg_per_kwh, 365)
    if profile_kg_per_kwh.size == MONTHS_AND_HOURS:
        return np.repeat(profile_kg_per_kwh.reshape(12, 24), DAYS_IN_MONTH, axis=0).ravel()
    raise ValueError(f"{profile_kg_per_kwh.size} values are neither {HOURS_OF_A_DAY} nor {MONTHS_AND_HOURS}")


@quantity(unit="kg/kWh", source=_HOURLY_PROTOCOL)
def intensity_by_load_kg_per_kwh(*, intensity_kg_per_kwh: Array, load_w: Array) -> Array:
    """Mean intensity of the grid in the hours that energy is used: each hour weighs by its load."""
    emitted = np.mean(intensity_kg_per_kwh * load_w, axis=-1, keepdims=True)
    mean: Array = emitted / np.mean(load_w, axis=-1, keepdims=True)
    return mean


@quantity(unit="W", source="definition")
def grid_by_hour_w(*, load_w: Array, generation_w: Array) -> Array:
    """Power of each hour that clean energy of the same hour does not cover, without storage."""
    return np.maximum(load_w - generation_w, 0)
