"""What replicas that are stopped save: accelerator-hours, energy at the meter, and money."""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="h", source="definition")
def accelerator_hours_per_day(*, accelerators: Array) -> Array:
    """Accelerator-hours of a day, mean over the days: those that are paid in each hour, along the last axis."""
    mean: Array = np.mean(accelerators, axis=-1, keepdims=True)
    return 24 * mean


@quantity(unit="1", source="definition")
def freed_share(*, accelerator_hours_per_day: Array, always_on_hours_per_day: Array) -> Array:
    """Share of the accelerator-hours of replicas that never stop, which are freed."""
    return 1 - accelerator_hours_per_day / always_on_hours_per_day


@quantity(unit="W", source="definition")
def working_power_w(*, it_power_mean_w: Array, it_power_idle_w: Array, accelerators_used: Array) -> Array:
    """Power of an accelerator at work beyond that of an idle one, with its share of the host.

    At the mean power of the pod's load, whatever the load of an hour.
    """
    return (it_power_mean_w - it_power_idle_w) / accelerators_used


@quantity(unit="kWh", source="definition")
def always_on_kwh_per_day(
    *, always_on_hours_per_day: Array, working_w: Array, idle_w: Array, meter_per_it: Array
) -> Array:
    """Energy at the meter of a day of replicas that never stop: their SuperNodes, without network and storage."""
    return always_on_hours_per_day * (working_w + idle_w) * meter_per_it / 1e3


@quantity(unit="kWh", source="definition")
def saved_kwh_per_day(
    *, freed_hours_per_day: Array, working_w: Array, idle_w: Array, off: Array, meter_per_it: Array
) -> Array:
    """Energy at the meter that a day saves.

    Stopped replicas do not work; their nodes draw idle power where they stay on, and nothing where they are off.

    Parameters
    ----------
    off : 1 where nodes are powered down, 0 where they stay on
    """
    return freed_hours_per_day * (working_w + off * idle_w) * meter_per_it / 1e3


@quantity(unit="USD/h", source="definition")
def usd_per_hour_with_saving(
    *, usd_per_serving_hour: Array, saved_kwh_per_day: Array, electricity_price_usd_per_kwh: Array
) -> Array:
    """Cost of an hour of owned replicas of which some stop: hardware is paid all the same, only energy is saved."""
    return usd_per_serving_hour - saved_kwh_per_day / 24 * electricity_price_usd_per_kwh
