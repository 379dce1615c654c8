"""Where water would drip: surfaces colder than the dew point of the air around them.

A closed hall keeps its dew point below a bound. A hall that breathes outdoor air has the outdoor dew
point, hour by hour.

ASHRAE's classes: of facility water by its supply, of equipment by the air at its inlet.

Limits of air fall with altitude: thinner air carries less heat away from the same part.
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


ASHRAE_WATER = "ASHRAE TC 9.9, Water-Cooled Servers (W classes), recalled; usual plants as of practice"
ASHRAE_AIR = (
    "ASHRAE TC 9.9, Thermal Guidelines, 5th edition: allowable inlets [flashgenius.net], derating recalled"
)

W_CLASSES: dict[str, tuple[float, str]] = {
    "W17": (17.0, "chillers, with an economiser in winter"),
    "W27": (27.0, "towers as economiser, chillers in summer"),
    "W32": (32.0, "towers, a trim chiller where it is hot and humid"),
    "W40": (40.0, "dry or adiabatic coolers, a trim chiller in deserts"),
    "W45": (45.0, "dry coolers anywhere"),
    "W+": (float("inf"), "dry coolers anywhere; warm enough to be reused"),
}
"""By class, the highest facility supply [degC] and the plant that usually makes it."""

DERATED_ABOVE_M = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AirClass:
    """Allowable air at the inlet, and by how much its upper end falls with altitude."""

    lowest_c: float
    highest_c: float
    derating_m_per_k: float


A_CLASSES = {
    "A1": AirClass(lowest_c=15, highest_c=32, derating_m_per_k=300),
    "A2": AirClass(lowest_c=10, highest_c=35, derating_m_per_k=300),
    "A3": AirClass(lowest_c=5, highest_c=40, derating_m_per_k=175),
    "A4": AirClass(lowest_c=5, highest_c=45, derating_m_per_k=125),
    "H1": AirClass(lowest_c=5, highest_c=25, derating_m_per_k=500),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AirCheck:
    """One class at this site's altitude."""

    name: str
    lowest_c: float
    highest_c: float
    holds: bool  # the hall's supply air is within it


@quantity(unit="degC", source=ASHRAE_AIR)
def derated_inlet_limit_c(*, highest_c: Array, elevation_m: Array, derating_m_per_k: Array) -> Array:
    """Highest air that a class allows at the inlet, at a site's altitude: 1 K less for so many metres above 900 m."""
    return highest_c - np.maximum(elevation_m - DERATED_ABOVE_M, 0) / derating_m_per_k


def water_class(facility_supply_c: Array) -> str:
    """The W class that facility water of this supply needs; empty where the supply is unknown."""
    supply_c = first_of(facility_supply_c)
    return next((name for name, (limit_c, _) in W_CLASSES.items() if supply_c <= limit_c), "")


def air_checks(*, hall_air_supply_c: Array, elevation_m: Array) -> tuple[AirCheck, ...]:
    """Every class of air at this altitude, against the hall's supply; an unknown altitude counts as low."""
    supply_c = first_of(hall_air_supply_c)
    known_m = np.nan_to_num(elevation_m, nan=0.0)
    found = []
    for name, allowed in A_CLASSES.items():
        highest_c = first_of(
            derated_inlet_limit_c(
                highest_c=np.array([allowed.highest_c]),
                elevation_m=known_m,
                derating_m_per_k=np.array([allowed.derating_m_per_k]),
            )
        )
        found.append(
            AirCheck(
                name=name,
                lowest_c=allowed.lowest_c,
                highest_c=highest_c,
                holds=allowed.lowest_c <= supply_c <= highest_c,
            )
        )
    return tuple(found)
