"""The hourly year of a site as the engine is given it: as it is kept, or warmer throughout."""

from __future__ import annotations

import math
from functools import lru_cache

from app.catalog.climate import binned
from app.catalog.values import ClimateYear
from app.catalog.weather.gaps import standard_pressure_pa
from app.engine.facility.sites.humid_air import ASHRAE, wet_bulb_c
from app.engine.specs import Climate
from app.engine.trace import Array, Origin
from app.scenarios.resolve.inputs import Inputs

YEARS_KEPT = 128
"""Warmer years of 0.3 MB each: every site at a few offsets."""

ARRAYS = (
    "dry_bulb_c", "wet_bulb_c", "pressure_pa", "binned_dry_bulb_c", "binned_wet_bulb_c",
    "binned_pressure_pa", "binned_hours",
)  # fmt: skip
PRESSURES = ("pressure_pa", "binned_pressure_pa")


def climate(inputs: Inputs, key: str, warming_k: float, elevation_m: float) -> Climate:
    """The hourly year of a catalog key, with its hours alike together.

    The pressure is brought from the elevation of the climate file to that of the site by the standard atmosphere,
    where both are known; temperatures stay those of the file.
    """
    year = inputs.catalog.climate(key)
    found = warmer(year, warming_k) if warming_k else year.spec()
    label = f"{year.name}, hourly year ({year.year_kind})"
    read = Origin(kind="measured", label=label, source=year.source, catalog=f"climate/{key}", own=year.own)
    warmed = read
    if warming_k:
        warmed = Origin(
            kind="derived",
            label=f"{label}, {warming_k:g} K warmer at the same relative humidity",
            source=f"{year.source}; wet bulb recomputed: {ASHRAE}",
            catalog=f"climate/{key}",
            own=year.own,
            field="facility.warming_k",
        )
    station = inputs.catalog.part("climate", key).facts.get("elevation_m")
    ratio, of_pressure = 1.0, read
    if station is not None and not math.isnan(elevation_m) and elevation_m != station.value:
        ratio = standard_pressure_pa(elevation_m) / standard_pressure_pa(station.value)
        of_pressure = Origin(
            kind="derived",
            label=f"{label}, pressure of {elevation_m:g} m in place of {station.value:g} m",
            source=f"{year.source}; standard atmosphere: {ASHRAE}",
            catalog=f"climate/{key}",
            own=year.own,
            field="facility.site.elevation_m",
        )
    arrays = {
        name: inputs.taken(
            f"facility.site.climate.{name}",
            getattr(found, name) * ratio if name in PRESSURES else getattr(found, name),
            of_pressure if name in PRESSURES else warmed,
        )
        for name in ARRAYS
    }
    return Climate(key=key, **arrays)


def warmer(year: ClimateYear, warming_k: float) -> Climate:
    """Every hour warmer by as much at the same relative humidity and pressure, hours binned again.

    Kept by what the year holds, as the wet bulbs of a year take some 12 ms.
    """
    return _warmer(_Year(year), warming_k)


class _Year:
    """A climate year that is known by its digest: years of the same hours are the same."""

    def __init__(self, year: ClimateYear) -> None:
        self.year = year
        self._known_by = (year.key, year.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Year) and self._known_by == other._known_by

    def __hash__(self) -> int:
        return hash(self._known_by)


@lru_cache(maxsize=YEARS_KEPT)
def _warmer(kept: _Year, warming_k: float) -> Climate:
    year = kept.year
    dry = year.dry_bulb_c + warming_k
    wet: Array = wet_bulb_c(dry_bulb_c=dry, relative_humidity=year.rh_pct / 100, pressure_pa=year.pressure_pa)
    bins = binned(dry_bulb_c=dry, wet_bulb_c=wet, pressure_pa=year.pressure_pa)
    return Climate(
        key=year.key,
        dry_bulb_c=dry,
        wet_bulb_c=wet,
        pressure_pa=year.pressure_pa,
        binned_dry_bulb_c=bins.dry_bulb_c,
        binned_wet_bulb_c=bins.wet_bulb_c,
        binned_pressure_pa=bins.pressure_pa,
        binned_hours=bins.hours,
    )
