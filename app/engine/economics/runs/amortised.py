"""A run's share of the hardware it runs on, by Epoch's method: hardware loses worth as fast as it gets better."""

from __future__ import annotations

import math

from app.engine.quantities import quantity
from app.engine.trace import Array

_EPOCH = "[1] Cottier et al., The rising costs of training frontier AI models, arXiv 2405.21015"


@quantity(unit="1/h", source=_EPOCH)
def lost_worth_per_hour(*, hardware_progress_oom_per_year: Array) -> Array:
    """Share of its worth that hardware loses in an hour.

    r ln 10 / 8,766: performance for the money grows by r orders of magnitude a year.
    """
    return hardware_progress_oom_per_year * math.log(10) / 8766


@quantity(unit="1", source=_EPOCH)
def worth_at_start(*, age_years: Array, hardware_progress_oom_per_year: Array) -> Array:
    """Worth of hardware when a run begins, over its price.

    10^(-r a): a years after it could be had.
    """
    return 10 ** (-hardware_progress_oom_per_year * age_years)


@quantity(unit="USD", source=_EPOCH)
def amortised_hardware_usd(
    *, acquisition_usd: Array, worth_at_start: Array, lost_worth_per_hour: Array, wall_time_h: Array
) -> Array:
    """Hardware that a run uses up.

    Of the whole cluster, by the hours that the run keeps it.
    """
    return acquisition_usd * worth_at_start * lost_worth_per_hour * wall_time_h


@quantity(unit="kWh", source=_EPOCH)
def run_electricity_kwh(
    *, accelerator_hours: Array, tdp_w: Array, server_power_ratio: Array, mean_power_share: Array, pue: Array
) -> Array:
    """Electricity of a run at the meter, from the TDP of its accelerators.

    Server power over TDP, mean over peak power, and PUE are each a usual ratio.
    """
    return accelerator_hours * tdp_w / 1e3 * server_power_ratio * mean_power_share * pue


@quantity(unit="USD", source=_EPOCH)
def run_electricity_usd(*, run_electricity_kwh: Array, electricity_usd_per_kwh: Array) -> Array:
    """Price of the electricity of a run."""
    return run_electricity_kwh * electricity_usd_per_kwh


@quantity(unit="USD", source=_EPOCH)
def amortised_usd(*, amortised_hardware_usd: Array, run_electricity_usd: Array) -> Array:
    """Amortised cost of a run: hardware used up, and electricity."""
    return amortised_hardware_usd + run_electricity_usd
