"""Missing hours of a weather file: short gaps are bridged and said, long ones refused."""

from __future__ import annotations

import numpy as np

from app.catalog.weather.epw import VALUES, WORDS, EpwFile
from app.catalog.weather.errors import WeatherError
from app.engine.facility.sites import humid_air
from app.engine.trace import Array

LONGEST_GAP_HOURS = 6
"""Over a quarter of a day a straight line still follows the weather; beyond, it would invent a day."""

MOST_MISSING_HOURS = 88
"""One in a hundred hours of the year."""

HUMIDITY_APART = 0.08
"""Relative humidity and dew point further apart than this contradict each other: the drier one counts."""


def mended(file: EpwFile) -> tuple[dict[str, Array], tuple[str, ...]]:
    """Every hour of the columns that are kept, wet bulb among them, and what was done to get there.

    Raises
    ------
    WeatherError : more is missing than may be bridged
    """
    notes = list(file.notes)
    dry = _bridged(file, "dry_bulb_c", file.hours["dry_bulb_c"], notes)
    pressure = file.hours["pressure_pa"]
    if np.isnan(pressure).all():
        pressure = np.full(dry.shape, standard_pressure_pa(file.elevation_m))
        notes.append(f"no pressure in the file: that of the standard atmosphere at {file.elevation_m:g} m")
    pressure = _bridged(file, "pressure_pa", pressure, notes)
    humidity = _humidity(file, dry, notes)
    dew = file.hours["dew_point_c"]
    wet = humid_air.wet_bulb_c(dry_bulb_c=dry, relative_humidity=humidity, pressure_pa=pressure)
    wind = file.hours["wind_m_s"]
    if np.isnan(wind).any():
        notes.append(f"wind speed missing in {int(np.isnan(wind).sum()):,} hours; no model needs it")
    hours = {
        "dry_bulb_c": dry,
        "dew_point_c": np.where(np.isnan(dew), _dew_point(dry, humidity, pressure), dew),
        "rh_pct": 100 * humidity,
        "pressure_pa": pressure,
        "wet_bulb_c": np.minimum(wet, dry),
        "wind_m_s": wind,
    }
    return hours, tuple(notes)


def standard_pressure_pa(elevation_m: float) -> float:
    """Pressure of the standard atmosphere; ASHRAE Handbook Fundamentals (2017), chapter 1, equation 3."""
    return float(101_325 * (1 - 2.25577e-5 * elevation_m) ** 5.2559)


def _humidity(file: EpwFile, dry: Array, notes: list[str]) -> Array:
    """Relative humidity as a fraction, from either column that has it."""
    told = np.minimum(file.hours["rh_pct"] / 100, 1.0)
    from_dew = np.full(dry.shape, np.nan)
    known = ~np.isnan(file.hours["dew_point_c"])
    from_dew[known] = humid_air.relative_humidity(
        dry_bulb_c=dry[known], dew_point_c=file.hours["dew_point_c"][known]
    )
    apart = np.abs(told - from_dew) > HUMIDITY_APART
    if apart.any():
        notes.append(
            f"relative humidity and dew point contradict each other in {int(apart.sum()):,} hours: drier one used"
        )
    computed = np.isnan(told) & known
    if computed.any():
        notes.append(f"relative humidity computed from dew point in {int(computed.sum()):,} hours")
    both = np.where(apart, np.fmin(told, from_dew), np.where(np.isnan(told), from_dew, told))
    return np.clip(_bridged(file, "rh_pct", both, notes), 0.0, 1.0)


def _bridged(file: EpwFile, name: str, values: Array, notes: list[str]) -> Array:
    """The column with short gaps filled along straight lines; the year goes round, December into January."""
    missing = np.isnan(values)
    if not missing.any():
        return values
    start, length = _longest_gap(missing)
    count = int(missing.sum())
    if length > LONGEST_GAP_HOURS or count > MOST_MISSING_HOURS:
        what = f"{length:,} hours on end" if length > LONGEST_GAP_HOURS else f"{count:,} hours of the year"
        raise WeatherError(
            f"Column {VALUES[name][0]}, {WORDS[name]}: {what} are missing.",
            rule="missing",
            line=int(file.lines[start]),
            column=name,
            hint=f"Gaps of up to {LONGEST_GAP_HOURS} hours are bridged, {MOST_MISSING_HOURS} hours in all: "
            "fill the others in from another year or a neighbouring station.",
        )
    hours = np.arange(values.size)
    notes.append(
        f"{WORDS[name]} of {count} {'hour' if count == 1 else 'hours'} bridged along a straight line, "
        f"the first at line {int(file.lines[start])}"
    )
    filled: Array = np.interp(hours, hours[~missing], values[~missing], period=values.size)
    return np.where(missing, filled, values)


def _longest_gap(missing: Array) -> tuple[int, int]:
    """Where the longest run of missing hours begins, and its length."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], missing.astype(int), [0]])))
    starts, lengths = edges[::2], edges[1::2] - edges[::2]
    longest = int(np.argmax(lengths))
    return int(starts[longest]), int(lengths[longest])


def _dew_point(dry: Array, humidity: Array, pressure: Array) -> Array:
    ratio = humid_air.humidity_ratio(dry_bulb_c=dry, relative_humidity=humidity, pressure_pa=pressure)
    return humid_air.dew_point_c(dry_bulb_c=dry, humidity_ratio=ratio, pressure_pa=pressure)
