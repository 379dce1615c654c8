"""What the utility meter reads: means, peak and energies, and how they compare with the chips' TDP."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="W", source="definition", at="power.house_load_w")
def house_load_w(*, it_power_mean_w: Array, house_load_share: Array) -> Array:
    """House load (lighting, offices, controls)."""
    return it_power_mean_w * house_load_share


@quantity(unit="W", source="definition", at="power.utility_mean_w")
def utility_mean_w(
    *, it_power_mean_w: Array, electrical_losses_w: Array, cooling_power_mean_w: Array, house_load_w: Array
) -> Array:
    """Mean utility power: the annual mean over the hours of the climate."""
    return it_power_mean_w + electrical_losses_w + cooling_power_mean_w + house_load_w


@quantity(
    unit="W", source="definition", at="power.utility_peak_w", short="Utility peak", key=True, better="less"
)
def utility_peak_w(*, it_power_peak_w: Array, pue_hottest_hour: Array) -> Array:
    """Peak utility power: the coincident IT peak in the hottest hour.

    The hottest hour of a typical year is no extreme: plants and feeds are sized with a margin above.
    """
    return it_power_peak_w * pue_hottest_hour


@quantity(unit="kWh/year", source="definition", at="power.energy_it_kwh_per_year")
def energy_it_kwh_per_year(*, it_power_mean_w: Array) -> Array:
    """Annual IT energy at full use."""
    return it_power_mean_w / 1e3 * 24 * 365


@quantity(unit="kWh/year", source="definition", at="power.energy_utility_kwh_per_year")
def energy_utility_kwh_per_year(*, utility_mean_w: Array) -> Array:
    """Annual utility energy at full use."""
    return utility_mean_w / 1e3 * 24 * 365


@quantity(unit="W", source="definition", at="power.meter_power_per_accelerator_w")
def meter_power_per_accelerator_w(*, utility_mean_w: Array, accelerators_used: Array) -> Array:
    """Mean power per accelerator at the utility meter."""
    return utility_mean_w / accelerators_used


@quantity(unit="1", source="definition", at="power.meter_to_tdp_ratio")
def meter_to_tdp_ratio(*, utility_mean_w: Array, accelerator_tdp_power_w: Array) -> Array:
    """Utility power over accelerator TDP: what a TDP-only boundary leaves out."""
    return utility_mean_w / accelerator_tdp_power_w


@quantity(
    unit="J/token",
    source="definition",
    at="power.energy_j_per_token",
    short="Energy per token",
    key=True,
    better="less",
)
def energy_j_per_token(*, utility_mean_w: Array, tokens_per_s: Array) -> Array:
    """Energy per token at the meter: trained, or of output where the pod serves; while it works.

    Where a demand is stated, of its tokens that the pod answers, mean over its years, at the power of its load.
    """
    return utility_mean_w / tokens_per_s
