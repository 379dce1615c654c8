"""How the power of a synchronous job swings, and what it takes to hide that from the grid.

All nodes compute together and pause together, so that their swings add up. Means and peaks are
of seconds; below a second there is one secondary figure only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.results import Power
from app.engine.quantities import quantity
from app.engine.trace import Array

_RAMP = "definition: a triangle of height swing and length swing / ramp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Transients:
    """Powers of the pod in W, energies in J."""

    mean_w: Array
    peak_w: Array
    trough_w: Array
    swing_w: Array
    sub_second_peak_w: Array
    ramp_limit_w_per_s: Array
    ramp_time_s: Array
    smoothing_energy_j: Array
    swing_after_supplies_w: Array
    smoothing_energy_after_supplies_j: Array
    generator_step_share: Array
    generator_step_limit: Array
    step_frequency_hz: Array
    flicker_least_hz: Array
    flicker_greatest_hz: Array


@quantity(unit="W", source="definition")
def it_power_trough_w(*, it_power_peak_w: Array, it_power_swing_w: Array) -> Array:
    """IT power while all nodes of the job pause at once."""
    return it_power_peak_w - it_power_swing_w


@quantity(unit="W", source="secondary source of low confidence; see the factor's")
def sub_second_peak_w(
    *, it_power_mean_w: Array, network_w: Array, storage_w: Array, sub_second_power_factor: Array
) -> Array:
    """Peak of IT power below a second.

    A factor on the mean of the SuperNodes. Capacitors of the power supplies take part of it: feeders do not.
    """
    beside_w = network_w + storage_w
    return (it_power_mean_w - beside_w) * sub_second_power_factor + beside_w


@quantity(unit="W/s", source="assumption")
def usual_ramp_limit_w_per_s(*, it_power_peak_w: Array, ramp_limit_share_per_s: Array) -> Array:
    """Change of power in a second that the feed allows, where none is stated."""
    return it_power_peak_w * ramp_limit_share_per_s


@quantity(unit="s", source=_RAMP)
def ramp_time_s(*, swing_w: Array, ramp_limit_w_per_s: Array) -> Array:
    """Time in which the feed follows the whole swing at its ramp limit."""
    return swing_w / ramp_limit_w_per_s


@quantity(unit="J", source=_RAMP)
def smoothing_energy_j(*, swing_w: Array, ramp_limit_w_per_s: Array) -> Array:
    """Energy that storage gives or takes while the feed follows a swing at its ramp limit: dP^2 / (2 r)."""
    return swing_w * swing_w / (2 * ramp_limit_w_per_s)


@quantity(unit="W", source="vendor; see the share's source")
def swing_after_supplies_w(*, it_power_swing_w: Array, supply_storage_smoothing_share: Array) -> Array:
    """Swing that is left where power supplies with storage take their share of it."""
    return it_power_swing_w * (1 - supply_storage_smoothing_share)


@quantity(unit="1", source="definition")
def block_step_share(*, it_power_swing_w: Array, utility_peak_w: Array) -> Array:
    """The swing as one block of load over the smallest generators that carry the site's peak."""
    return it_power_swing_w / utility_peak_w


@quantity(unit="Hz", source="definition")
def step_frequency_hz(*, step_time_s: Array) -> Array:
    """Frequency of the job's steps, and of its power swings."""
    return 1 / step_time_s


def transients(
    *,
    power: Power,
    step_time_s: Array,
    ramp_limit_w_per_s: Array | None,
    assumptions: FacilityAssumptions,
) -> Transients:
    """Everything about the swing of a job.

    Parameters
    ----------
    ramp_limit_w_per_s : as the utility states it; the usual share of the peak where it is None [W/s]
    """
    a = assumptions
    swing_w = power.it_power_swing_w
    ramp = ramp_limit_w_per_s
    if ramp is None:
        ramp = usual_ramp_limit_w_per_s(
            it_power_peak_w=power.it_power_peak_w, ramp_limit_share_per_s=a.ramp_limit_share_per_s
        )
    left_w = swing_after_supplies_w(
        it_power_swing_w=swing_w, supply_storage_smoothing_share=a.supply_storage_smoothing_share
    )
    return Transients(
        mean_w=power.it_power_mean_w,
        peak_w=power.it_power_peak_w,
        trough_w=it_power_trough_w(it_power_peak_w=power.it_power_peak_w, it_power_swing_w=swing_w),
        swing_w=swing_w,
        sub_second_peak_w=sub_second_peak_w(
            it_power_mean_w=power.it_power_mean_w,
            network_w=power.it_breakdown_w["network"],
            storage_w=power.it_breakdown_w["storage"],
            sub_second_power_factor=a.sub_second_power_factor,
        ),
        ramp_limit_w_per_s=ramp,
        ramp_time_s=ramp_time_s(swing_w=swing_w, ramp_limit_w_per_s=ramp),
        smoothing_energy_j=smoothing_energy_j(swing_w=swing_w, ramp_limit_w_per_s=ramp),
        swing_after_supplies_w=left_w,
        smoothing_energy_after_supplies_j=smoothing_energy_j(swing_w=left_w, ramp_limit_w_per_s=ramp),
        generator_step_share=block_step_share(it_power_swing_w=swing_w, utility_peak_w=power.utility_peak_w),
        generator_step_limit=a.generator_step_share,
        step_frequency_hz=step_frequency_hz(step_time_s=step_time_s),
        flicker_least_hz=a.flicker_least_hz,
        flicker_greatest_hz=a.flicker_greatest_hz,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SwingTrace:
    """A pause of the job as the racks and the feed see it. Drawn from the figures above, not measured."""

    time_s: Array
    racks_w: Array
    feed_w: Array


POINTS = 241
PAUSE_RAMPS = 1.5  # length of the pause drawn, in ramps


def swing_trace(found: Transients) -> SwingTrace:
    """Computing, a pause of all nodes, and computing again; the feed follows at its ramp limit."""
    ramp_s = found.ramp_time_s
    pause_s = PAUSE_RAMPS * ramp_s
    time_s = np.linspace(-0.5, 3.5, POINTS) * ramp_s
    pausing = (time_s >= 0) & (time_s < pause_s)
    down_w = found.peak_w - found.ramp_limit_w_per_s * np.maximum(time_s, 0)
    up_w = found.trough_w + found.ramp_limit_w_per_s * (time_s - pause_s)
    after = np.where(time_s < pause_s, np.maximum(down_w, found.trough_w), np.minimum(up_w, found.peak_w))
    return SwingTrace(
        time_s=time_s,
        racks_w=np.where(pausing, found.trough_w, found.peak_w),
        feed_w=after,
    )
