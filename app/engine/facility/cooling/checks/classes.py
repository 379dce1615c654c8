"""ASHRAE's classes: of facility water by its supply, of equipment by the air at its inlet.

Limits of air fall with altitude: thinner air carries less heat away from the same part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.quantities import quantity
from app.engine.trace import Array, first_of

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
