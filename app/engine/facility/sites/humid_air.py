"""Humid air by the ASHRAE equations, for whole years at once.

PsychroLib solves one hour at a time, 0.3 s a year; this takes its steps for all hours together, 12 ms a year,
and ends where it ends: also near 0 degC, where the equations over ice and over water leave two answers
up to 0.5 K apart and only the path of the search decides between them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.trace import Array

ASHRAE = "ASHRAE Handbook Fundamentals (2017), chapter 1"
Flags = NDArray[np.bool_]

KELVIN = 273.15
TRIPLE_POINT_C = 0.01
LEAST_HUMIDITY_RATIO = 1e-7
TOLERANCE_K = 0.001
COLDEST_C, HOTTEST_C = -100.0, 200.0  # where the equations hold
MOST_STEPS = 100

ICE = (-5.6745359e3, 6.3925247, -9.677843e-3, 6.2215701e-7, 2.0747825e-9, -9.484024e-13, 4.1635019)
WATER = (-5.8002206e3, 1.3914993, -4.8640239e-2, 4.1764768e-5, -1.4452093e-8, 0.0, 6.5459673)
"""Equations 5 and 6: of 1/T, 1, T, T2, T3, T4 and ln T, pressure in pascal."""


def vapour_pressure_pa(temperature_c: Array) -> Array:
    """Saturation pressure, over ice up to the triple point and over water above."""
    return np.exp(_log_pressure(temperature_c + KELVIN, temperature_c <= TRIPLE_POINT_C))


def humidity_ratio(*, dry_bulb_c: Array, relative_humidity: Array, pressure_pa: Array) -> Array:
    """Water for each mass of dry air, from relative humidity as a fraction; equation 20."""
    vapour_pa = relative_humidity * vapour_pressure_pa(dry_bulb_c)
    ratio = 0.621945 * vapour_pa / (pressure_pa - vapour_pa)
    return np.maximum(ratio, LEAST_HUMIDITY_RATIO)


def humidity_ratio_at_wet_bulb(*, dry_bulb_c: Array, wet_bulb_c: Array, pressure_pa: Array) -> Array:
    """Water for each mass of dry air, from the wet bulb; equations 33 over water and 35 over ice."""
    saturated_pa = vapour_pressure_pa(wet_bulb_c)
    saturated = np.maximum(0.621945 * saturated_pa / (pressure_pa - saturated_pa), LEAST_HUMIDITY_RATIO)
    dry = 1.006 * (dry_bulb_c - wet_bulb_c)
    water = ((2501 - 2.326 * wet_bulb_c) * saturated - dry) / (2501 + 1.86 * dry_bulb_c - 4.186 * wet_bulb_c)
    ice = ((2830 - 0.24 * wet_bulb_c) * saturated - dry) / (2830 + 1.86 * dry_bulb_c - 2.1 * wet_bulb_c)
    return np.maximum(np.where(wet_bulb_c >= 0, water, ice), LEAST_HUMIDITY_RATIO)


def dew_point_c(*, dry_bulb_c: Array, humidity_ratio: Array, pressure_pa: Array) -> Array:
    """Temperature at which this air is saturated; Newton's method on the logarithm of pressure."""
    wanted = np.log(pressure_pa * humidity_ratio / (0.621945 + humidity_ratio))
    found = np.array(dry_bulb_c, dtype=float)
    open_still = np.ones(found.shape, dtype=bool)
    for _ in range(MOST_STEPS):
        kelvin, frozen = found + KELVIN, found <= TRIPLE_POINT_C
        step = (_log_pressure(kelvin, frozen) - wanted) / _log_pressure_slope(kelvin, frozen)
        following = np.where(open_still, np.clip(found - step, COLDEST_C, HOTTEST_C), found)
        open_still &= np.abs(following - found) > TOLERANCE_K
        found = following
        if not open_still.any():
            break
    cooled: Array = np.minimum(found, dry_bulb_c)
    return cooled


def wet_bulb_at_humidity_c(*, dry_bulb_c: Array, humidity_ratio: Array, pressure_pa: Array) -> Array:
    """Wet bulb by halving between dew point and dry bulb, as PsychroLib does."""
    low = dew_point_c(dry_bulb_c=dry_bulb_c, humidity_ratio=humidity_ratio, pressure_pa=pressure_pa)
    high = np.array(dry_bulb_c, dtype=float)
    middle: Array = (low + high) / 2
    widest = float(np.max(high - low, initial=0.0))
    halvings = int(np.ceil(np.log2(max(widest / TOLERANCE_K, 1.0))))
    for _ in range(halvings):
        open_still = high - low > TOLERANCE_K
        wetter = (
            humidity_ratio_at_wet_bulb(dry_bulb_c=dry_bulb_c, wet_bulb_c=middle, pressure_pa=pressure_pa)
            > humidity_ratio
        )
        high = np.where(open_still & wetter, middle, high)
        low = np.where(open_still & ~wetter, middle, low)
        middle = (low + high) / 2
    return middle


def wet_bulb_c(*, dry_bulb_c: Array, relative_humidity: Array, pressure_pa: Array) -> Array:
    """Wet bulb from relative humidity as a fraction; the same as of PsychroLib, ice included.

    Arrays of one shape; humidity above 1, which stations report in fog, counts as 1.
    """
    ratio = humidity_ratio(
        dry_bulb_c=dry_bulb_c,
        relative_humidity=np.clip(relative_humidity, 0.0, 1.0),
        pressure_pa=pressure_pa,
    )
    return wet_bulb_at_humidity_c(dry_bulb_c=dry_bulb_c, humidity_ratio=ratio, pressure_pa=pressure_pa)


def relative_humidity(*, dry_bulb_c: Array, dew_point_c: Array) -> Array:
    """Relative humidity as a fraction, from the dew point."""
    return vapour_pressure_pa(np.minimum(dew_point_c, dry_bulb_c)) / vapour_pressure_pa(dry_bulb_c)


def _log_pressure(kelvin: Array, frozen: Flags) -> Array:
    logarithm, inverse = np.log(kelvin), 1 / kelvin
    ice, water = (
        a * inverse + b + kelvin * (c + kelvin * (d + kelvin * (e + kelvin * f))) + g * logarithm
        for a, b, c, d, e, f, g in (ICE, WATER)
    )
    found: Array = np.where(frozen, ice, water)
    return found


def _log_pressure_slope(kelvin: Array, frozen: Flags) -> Array:
    inverse = 1 / kelvin
    ice, water = (
        -a * inverse**2 + c + kelvin * (2 * d + kelvin * (3 * e + kelvin * 4 * f)) + g * inverse
        for a, _, c, d, e, f, g in (ICE, WATER)
    )
    found: Array = np.where(frozen, ice, water)
    return found
