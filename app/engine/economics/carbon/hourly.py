"""Carbon hour by hour: a stated profile of the grid, and clean energy in the hour that it is used."""

from __future__ import annotations

import numpy as np

from app.engine.facility.cooling.figures import DAYS_IN_MONTH
from app.engine.quantities import quantity
from app.engine.trace import Array

HOURS_OF_A_DAY = 24
MONTHS_AND_HOURS = 288
_PROTOCOL = "[1] GHG Protocol Scope 2 Guidance (2015): emission factors of the hour where they are at hand"


def intensity_over_the_year(profile_kg_per_kwh: Array) -> Array:
    """The 8,760 hours of a profile of one day, or of a day in each of the twelve months.

    Parameters
    ----------
    profile_kg_per_kwh : 24 hours of the day, or 12 months of 24 hours one after the other, local standard time

    Raises
    ------
    ValueError : it is neither
    """
    if profile_kg_per_kwh.size == HOURS_OF_A_DAY:
        return np.tile(profile_kg_per_kwh, 365)
    if profile_kg_per_kwh.size == MONTHS_AND_HOURS:
        return np.repeat(profile_kg_per_kwh.reshape(12, 24), DAYS_IN_MONTH, axis=0).ravel()
    raise ValueError(f"{profile_kg_per_kwh.size} values are neither {HOURS_OF_A_DAY} nor {MONTHS_AND_HOURS}")


@quantity(unit="kg/kWh", source=_PROTOCOL)
def intensity_by_load_kg_per_kwh(*, intensity_kg_per_kwh: Array, load_w: Array) -> Array:
    """Mean intensity of the grid in the hours that energy is used: each hour weighs by its load."""
    emitted = np.mean(intensity_kg_per_kwh * load_w, axis=-1, keepdims=True)
    mean: Array = emitted / np.mean(load_w, axis=-1, keepdims=True)
    return mean


@quantity(unit="W", source="definition")
def grid_by_hour_w(*, load_w: Array, generation_w: Array) -> Array:
    """Power of each hour that clean energy of the same hour does not cover, without storage."""
    return np.maximum(load_w - generation_w, 0)
