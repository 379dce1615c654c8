"""Where water would drip: surfaces colder than the dew point of the air around them.

A closed hall keeps its dew point below a bound. A hall that breathes outdoor air has the outdoor dew
point, hour by hour.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.facility.sites.humid_air import dew_point_c, humidity_ratio_at_wet_bulb
from app.engine.quantities import quantity
from app.engine.specs import Climate
from app.engine.trace import Array, first_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """A cold surface in the hall, against the hall's dew point and the outdoor one."""

    name: str
    temperature_c: float
    lowest_c: float  # dew point of a closed hall and the margin
    holds: bool  # in a closed hall
    outside_air_hours: float  # of the year, in which a hall with outdoor air would be too damp for it


@quantity(unit="degC", source="ASHRAE Handbook Fundamentals (2017), chapter 1", leaf=True)
def outdoor_dew_point_c(*, dry_bulb_c: Array, wet_bulb_c: Array, pressure_pa: Array) -> Array:
    """Dew point of the outdoor air in each hour."""
    damp = np.minimum(wet_bulb_c, dry_bulb_c)  # both are rounded to a tenth
    ratio = humidity_ratio_at_wet_bulb(dry_bulb_c=dry_bulb_c, wet_bulb_c=damp, pressure_pa=pressure_pa)
    return dew_point_c(dry_bulb_c=dry_bulb_c, humidity_ratio=ratio, pressure_pa=pressure_pa)


@quantity(unit="h", source="definition")
def condensing_hours(*, surface_c: Array, dew_point_c: Array, margin_k: Array) -> Array:
    """Hours of the year in which a surface is too close to the dew point of outdoor air, or below it."""
    hours: Array = np.sum(np.where(surface_c < dew_point_c + margin_k, 1.0, 0.0), axis=-1, keepdims=True)
    return hours


def surfaces(
    *, temperatures_c: dict[str, Array], climate: Climate, hall_dew_point_c: Array, margin_k: Array
) -> tuple[Surface, ...]:
    """Each surface of a hall, by its name; one of unknown temperature holds nowhere, and its hours are unknown."""
    dew_c = outdoor_dew_point_c(
        dry_bulb_c=climate.dry_bulb_c, wet_bulb_c=climate.wet_bulb_c, pressure_pa=climate.pressure_pa
    )
    lowest_c = first_of(hall_dew_point_c) + first_of(margin_k)
    found = []
    for name, surface_c in temperatures_c.items():
        here_c = first_of(surface_c)
        hours = condensing_hours(surface_c=surface_c, dew_point_c=dew_c, margin_k=margin_k)
        found.append(
            Surface(
                name=name,
                temperature_c=here_c,
                lowest_c=lowest_c,
                holds=here_c >= lowest_c,
                outside_air_hours=float("nan") if np.isnan(here_c) else first_of(hours),
            )
        )
    return tuple(found)
