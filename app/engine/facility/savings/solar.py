"""Solar power of a site without measured irradiance: geometry, and clearness from the days' temperatures.

Clear days have warm afternoons and cold nights: Hargreaves and Samani take the share of the sun that
passes the sky from that difference [1]. It knows seasons and weather, not single clouds: low confidence.

[1] Allen et al., Crop evapotranspiration, FAO Irrigation and drainage paper 56 (1998): equations 21 to
33 (extraterrestrial radiation), 37 (clear sky) and 50 (clearness).
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array

FAO_56 = "[1] Allen et al., FAO Irrigation and drainage paper 56 (1998)"
SOLAR_CONSTANT_W_PER_M2 = 1367.0
REFERENCE_IRRADIANCE_W_PER_M2 = 1000.0  # at which modules are rated
DAYS = np.repeat(np.arange(1, 366), 24)
MIDDLES_OF_HOURS = np.tile(np.arange(24) + 0.5, 365)


@quantity(unit="W/m2", source=f"{FAO_56}, equations 21 to 33")
def extraterrestrial_w_per_m2(*, latitude_deg: Array, longitude_deg: Array, utc_offset_hours: Array) -> Array:
    """Sun on a level plane above the air, in each hour of local standard time; zero at night."""
    angle = 2 * np.pi * DAYS / 365
    distance = 1 + 0.033 * np.cos(angle)
    declination = 0.409 * np.sin(angle - 1.39)
    season = 2 * np.pi * (DAYS - 81) / 364
    correction_h = 0.1645 * np.sin(2 * season) - 0.1255 * np.cos(season) - 0.025 * np.sin(season)
    solar_h = MIDDLES_OF_HOURS + longitude_deg / 15 - utc_offset_hours + correction_h
    hour_angle = np.pi / 12 * (solar_h - 12)
    latitude = latitude_deg * (np.pi / 180)
    height = np.sin(latitude) * np.sin(declination)
    height = height + np.cos(latitude) * np.cos(declination) * np.cos(hour_angle)
    found: Array = SOLAR_CONSTANT_W_PER_M2 * distance * np.maximum(height, 0)
    return found


@quantity(unit="1", source=f"{FAO_56}, equations 37 and 50 (Hargreaves and Samani)", leaf=True)
def clearness_by_hour(*, dry_bulb_c: Array, elevation_m: Array, clearness_per_root_kelvin: Array) -> Array:
    """Share of that sun which reaches the ground, from the range of each day's temperatures.

    Never more than the clear sky lets through: 0.75 and a little with the height.
    """
    by_day = dry_bulb_c.reshape(-1, 24)
    day_range_k = by_day.max(axis=1) - by_day.min(axis=1)
    clear_sky = 0.75 + 2e-5 * elevation_m
    by_hour: Array = np.repeat(np.minimum(clearness_per_root_kelvin * np.sqrt(day_range_k), clear_sky), 24)
    return by_hour


@quantity(unit="1", source="definition")
def solar_yield_by_hour(
    *, extraterrestrial_w_per_m2: Array, clearness_by_hour: Array, solar_performance_ratio: Array
) -> Array:
    """Power of a level solar field over its rated power, in each hour."""
    irradiance_w_per_m2 = extraterrestrial_w_per_m2 * clearness_by_hour
    return solar_performance_ratio * irradiance_w_per_m2 / REFERENCE_IRRADIANCE_W_PER_M2
