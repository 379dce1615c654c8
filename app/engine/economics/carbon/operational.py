"""Carbon of the run's electricity: of the accelerators alone, and of all of it at the meter."""

from __future__ import annotations

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
