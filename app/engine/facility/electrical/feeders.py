"""What a feeder carries, and the breaker that a load takes."""

from __future__ import annotations

import math

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

# Standard rated currents [A]: NEC 240.6(A), and the preferred numbers of IEC 60898 and 60947-2.
BREAKERS_A: dict[str, tuple[float, ...]] = {
    "nec": (
        15, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100, 110, 125, 150, 175, 200, 225, 250, 300, 350,
        400, 450, 500, 600, 700, 800, 1000, 1200, 1600, 2000, 2500, 3000, 4000, 5000, 6000,
    ),
    "iec": (
        6, 10, 13, 16, 20, 25, 32, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000,
        1250, 1600, 2000, 2500, 3200, 4000, 5000, 6300,
    ),
}  # fmt: skip
THREE_PHASE = "three-phase power; continuous current by NEC 210.20 and 215.3, or IEC 60898 and 60947-2"
DIRECT = "P = U I; continuous current by NEC 210.20 and 215.3, or IEC 60898 and 60947-2"


@quantity(unit="VA", source=THREE_PHASE)
def feeder_apparent_power_va(*, voltage_v: Array, current_a: Array, continuous_factor: Array) -> Array:
    """Apparent power that a three-phase feeder carries continuously, for the rating of its breaker.

    The factor counts once: what hangs on a breaker of the full current, a busway or a tap, is not
    derated again.
    """
    return math.sqrt(3) * voltage_v * current_a * continuous_factor


@quantity(unit="W", source="definition")
def feeder_power_w(*, feeder_apparent_power_va: Array, power_factor: Array) -> Array:
    """Power that a three-phase feeder carries continuously."""
    return feeder_apparent_power_va * power_factor


@quantity(unit="W", source=DIRECT)
def dc_feeder_power_w(*, voltage_v: Array, current_a: Array, continuous_factor: Array) -> Array:
    """Power that a feeder of direct current carries continuously."""
    return voltage_v * current_a * continuous_factor


@quantity(unit="A", source="three-phase power")
def line_current_a(*, power_w: Array, voltage_v: Array, power_factor: Array) -> Array:
    """Current of each line of a three-phase load."""
    return power_w / (math.sqrt(3) * voltage_v * power_factor)


@quantity(unit="A", source="standard rated currents of NEC 240.6(A), IEC 60898 and IEC 60947-2", leaf=True)
def breaker_a(*, current_a: Array, continuous_factor: Array, standard: str) -> Array:
    """Smallest standard breaker that carries a current continuously; unknown beyond the largest.

    Parameters
    ----------
    standard : nec or iec, a name of BREAKERS_A
    """
    series = np.array([*BREAKERS_A[standard], np.nan])
    wanted = current_a / continuous_factor
    places = np.searchsorted(series[:-1], wanted * (1 - 1e-9))
    return np.where(np.isnan(wanted), np.nan, series[places])
