"""Carbon of a run: from its electricity, by two boundaries, and from the making of the hardware."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

_MODEL_CARD = "[1] Llama 3.1 model card, meta-llama/llama-models (accelerator power only)"
_PROTOCOL = "[1] GHG Protocol Scope 2 Guidance (2015), location-based method"
_MARKET = "[1] GHG Protocol Scope 2 Guidance (2015), market-based method"
_LCA = "[1] Luccioni et al., Estimating the Carbon Footprint of BLOOM, arXiv 2211.02001"


@quantity(unit="W", source="definition")
def run_power_w(*, utility_mean_w: Array, idle_supernodes_w: Array, it_power_mean_w: Array) -> Array:
    """Power of the run at the utility meter.

    Servers at work, network, storage, cooling and losses; supernodes that wait, spares included,
    are not charged to the run.
    """
    return utility_mean_w * (1 - idle_supernodes_w / it_power_mean_w)


@quantity(unit="kWh", source="definition", at="carbon.run_energy_kwh")
def run_energy_kwh(*, run_power_w: Array, elapsed_time_s: Array) -> Array:
    """Energy of the run at the utility meter.

    At the mean power of work over the whole elapsed time, restarts included.
    """
    return run_power_w * elapsed_time_s / (1e3 * 3600)


@quantity(unit="kg", source=_PROTOCOL, at="carbon.operational_kg")
def operational_kg(*, run_energy_kwh: Array, carbon_intensity_kg_per_kwh: Array) -> Array:
    """Operational carbon of the run.

    All energy at the meter times the grid's mean intensity, location based; CO2 equivalent.
    """
    return run_energy_kwh * carbon_intensity_kg_per_kwh


@quantity(unit="kg", source=_MARKET, at="carbon.operational_market_kg")
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
    """Operational carbon of the accelerators alone.

    Hours times design power times intensity, as model cards count it: hosts, network, cooling and
    losses are left out.
    """
    energy_kwh = accelerator_tdp_power_w * elapsed_time_s / (1e3 * 3600)
    return energy_kwh * carbon_intensity_kg_per_kwh


@quantity(unit="kg", source=_LCA, at="carbon.embodied_pod_kg")
def embodied_pod_kg(
    *,
    supernodes: Array,
    spare_supernodes: Array,
    accelerators_per_supernode: Array,
    accelerator_embodied_kg: Array,
    host_embodied_ratio: Array,
) -> Array:
    """Embodied carbon of the supernodes.

    Accelerators with their hosts, spares included; network, storage and building are left out.
    """
    accelerators = (supernodes + spare_supernodes) * accelerators_per_supernode
    return accelerators * accelerator_embodied_kg * host_embodied_ratio


@quantity(unit="1", source=_LCA)
def run_share_of_life(
    *, run_accelerator_hours: Array, used_accelerator_hours_per_year: Array, life_years: Array
) -> Array:
    """Run's share of all hours used in the life of the pod."""
    return run_accelerator_hours / (used_accelerator_hours_per_year * life_years)


@quantity(unit="h/year", source="definition")
def used_accelerator_hours_per_year(
    *, available_accelerator_hours_per_year: Array, utilisation: Array
) -> Array:
    """Accelerator-hours used in a year."""
    return available_accelerator_hours_per_year * utilisation


@quantity(unit="kg", source=_LCA, at="carbon.embodied_kg")
def embodied_kg(*, embodied_pod_kg: Array, run_share_of_life: Array) -> Array:
    """Embodied carbon of the run.

    The making of the hardware, shared out over all hours it is used in its life.
    """
    return embodied_pod_kg * run_share_of_life


@quantity(unit="kg", source="definition", at="carbon.total_kg")
def total_kg(*, operational_kg: Array, embodied_kg: Array) -> Array:
    """Carbon of the run."""
    return operational_kg + embodied_kg
