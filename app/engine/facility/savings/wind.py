"""Wind power of a site from the wind that its weather station measured: low confidence.

Stations stand at airports, wind farms where it blows: take the hours from here, the amount from elsewhere.
"""

from __future__ import annotations

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="m/s", source="power law of the wind profile")
def hub_wind_m_per_s(*, wind_m_per_s: Array, hub_height_m: Array, shear_exponent: Array) -> Array:
    """Wind at the hub from that of a station, which measures ten metres above the ground."""
    return wind_m_per_s * (hub_height_m / 10) ** shear_exponent


@quantity(unit="1", source="power curve of a pitch-regulated turbine, idealised")
def wind_yield_by_hour(
    *,
    hub_wind_m_per_s: Array,
    cut_in_m_per_s: Array,
    rated_m_per_s: Array,
    cut_out_m_per_s: Array,
    wind_availability: Array,
) -> Array:
    """Power of a turbine over its rated power, in each hour.

    With the cube of the wind between cut-in and rated wind, rated up to cut-out, none beyond.
    """
    rising = (hub_wind_m_per_s**3 - cut_in_m_per_s**3) / (rated_m_per_s**3 - cut_in_m_per_s**3)
    running = hub_wind_m_per_s <= cut_out_m_per_s
    return wind_availability * np.where(running, np.clip(rising, 0, 1), 0.0)
