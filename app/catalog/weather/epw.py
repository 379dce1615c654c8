"""EnergyPlus weather files: 8 header lines, then an hour a line in 35 columns.

Columns and codes for missing values are those of the EnergyPlus Auxiliary Programs manual, "EnergyPlus
Weather File (EPW) Data Dictionary". Nothing is guessed: what is wrong is named by its line.
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.catalog.climate import HOURS, LIMITS
from app.catalog.weather.errors import WeatherError
from app.engine.trace import Array

MOST_BYTES = 6_000_000
HEADER_LINES = 8
COLUMNS = 35
COMMON_YEAR = 2023  # any that is no leap year
LEAP_DAY = (2, 29)
LEAP_HOURS = HOURS + 24

VALUES = {
    "dry_bulb_c": (7, 99.9),
    "dew_point_c": (8, 99.9),
    "rh_pct": (9, 999.0),
    "pressure_pa": (10, 999_999.0),
    "wind_m_s": (22, 999.0),
}
"""Columns that are read, counted from 1, each with the code of a missing value; greater ones mean it too."""

WORDS = {
    "dry_bulb_c": "dry bulb",
    "dew_point_c": "dew point",
    "rh_pct": "relative humidity",
    "pressure_pa": "pressure",
    "wind_m_s": "wind speed",
}
LOCATION = {"latitude": (6, -90.0, 90.0), "longitude": (7, -180.0, 180.0),
            "utc_offset_hours": (8, -12.0, 14.0), "elevation_m": (9, -1_000.0, 9_999.0)}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class EpwFile:
    """`hours` are 8,760 values a column, NaN where missing; `lines` the line of each; `notes` what was done."""

    city: str
    country: str
    origin: str  # of the data, as the file names it, such as TMY3
    latitude: float
    longitude: float
    utc_offset_hours: float
    elevation_m: float
    hours: dict[str, Array]
    lines: Array
    notes: tuple[str, ...]


def read_epw(content: bytes) -> EpwFile:
    """The hours and the place of a file.

    Raises
    ------
    WeatherError : it is no such file, hours are missing or doubled, or a cell is not a number
    """
    lines = _text(content).splitlines()
    place = _location(lines)
    _check_records_per_hour(lines)
    rows = [
        (number, line.split(","))
        for number, line in enumerate(lines[HEADER_LINES:], HEADER_LINES + 1)
        if line.strip()
    ]
    for number, cells in rows:
        if len(cells) != COLUMNS:
            raise WeatherError(
                f"It has {len(cells)} columns, not {COLUMNS}.",
                rule="columns",
                line=number,
                hint="Export the hour again: an EPW line has 35 values, separated by commas.",
            )
    rows, notes = _without_leap_day(rows)
    _check_calendar(rows)
    numbers = np.array([number for number, _ in rows], dtype=float)
    hours = {name: _column(name, rows) for name in VALUES}
    return EpwFile(hours=hours, lines=numbers, notes=notes, **place)


def _text(content: bytes) -> str:
    if len(content) > MOST_BYTES:
        raise WeatherError(
            f"The file has {len(content) / 1e6:.1f} MB; at most {MOST_BYTES / 1e6:.0f} MB are read.",
            rule="size",
            hint="A year of hours in EPW has about 1.5 MB: upload one year.",
        )
    if content[:2] == b"PK":
        raise WeatherError(
            "This is a zip archive.", rule="format", hint="Unpack it and upload the .epw in it."
        )
    if b"\0" in content[:4096]:
        raise WeatherError(
            "This is not plain text.", rule="encoding", hint="Save the file as UTF-8 or Latin-1 text."
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")  # what older files write names of places in


def _location(lines: list[str]) -> dict[str, Any]:
    if len(lines) < HEADER_LINES or not lines[0].upper().startswith("LOCATION,"):
        raise WeatherError(
            "It does not begin with the 8 header lines of an EPW file, LOCATION first.",
            rule="header",
            line=1,
            hint="Upload the .epw itself, not the .stat or .ddy alongside it, nor a table of another program.",
        )
    cells = [cell.strip() for cell in lines[0].split(",")]
    found: dict[str, Any] = {
        "city": cells[1] if len(cells) > 1 else "",
        "country": cells[3] if len(cells) > 3 else "",
        "origin": cells[4] if len(cells) > 4 else "",
    }
    for name, (place, low, high) in LOCATION.items():
        text = cells[place] if len(cells) > place else ""
        value = _number(text)
        if not low <= value <= high:
            raise WeatherError(
                f"LOCATION has {text[:20]!r} for {name.replace('_', ' ')}, not a number from {low:g} to {high:g}.",
                rule="location",
                line=1,
                column=name,
                hint=f"Put it right: value {place + 1} of the line.",
            )
        found[name] = value
    return found


def _check_records_per_hour(lines: list[str]) -> None:
    for number, line in enumerate(lines[:HEADER_LINES], 1):
        cells = [cell.strip() for cell in line.split(",")]
        if cells[0].upper() == "DATA PERIODS" and len(cells) > 2 and (cells[1], cells[2]) != ("1", "1"):
            raise WeatherError(
                f"It says {cells[1][:9]!r} periods of {cells[2][:9]!r} records an hour.",
                rule="data_periods",
                line=number,
                hint="Upload a year in one period with one record an hour.",
            )


def _without_leap_day(
    rows: list[tuple[int, list[str]]],
) -> tuple[list[tuple[int, list[str]]], tuple[str, ...]]:
    """A year of 8,784 hours loses 29 February, and that is said."""
    kept = [row for row in rows if (_number(row[1][1]), _number(row[1][2])) != LEAP_DAY]
    if len(kept) == len(rows):
        return rows, ()
    return kept, (
        f"leap year: {len(rows) - len(kept)} hours of 29 February left out, 8,760 hours are computed",
    )


def _check_calendar(rows: list[tuple[int, list[str]]]) -> None:
    """Every hour of a year stands where it belongs."""
    expected = [
        (month, day, hour)
        for month in range(1, 13)
        for day in range(1, calendar.monthrange(COMMON_YEAR, month)[1] + 1)
        for hour in range(1, 25)
    ]
    for wanted, (number, cells) in zip(expected, rows, strict=False):
        found = tuple(_number(cell) for cell in cells[1:4])
        if found != wanted:
            raise WeatherError(
                f"It is {_date(found)} where {_date(wanted)} should follow.",
                rule="hours",
                line=number,
                hint=f"Hours run from {_date(expected[0])} to {_date(expected[-1])}, none left out or doubled: "
                "fill the gap, as a year with missing hours would shift the days.",
            )
    if len(rows) != HOURS:
        last = rows[-1][0] if rows else HEADER_LINES
        raise WeatherError(
            f"The file ends after {len(rows):,} hours, not {HOURS:,}."
            if len(rows) < HOURS
            else f"{len(rows) - HOURS:,} hours follow after the year is over.",
            rule="hours",
            line=last if len(rows) < HOURS else rows[HOURS][0],
            hint="Upload one whole year, 1 January to 31 December.",
        )


def _date(hour: tuple[float, ...]) -> str:
    month, day, number = hour
    name = calendar.month_abbr[int(month)] if month in range(1, 13) else f"month {month:g}"
    return f"{day:g} {name}, hour {number:g}"


def _column(name: str, rows: list[tuple[int, list[str]]]) -> Array:
    """The values of a column, NaN for the code that says that one is missing."""
    place, missing = VALUES[name]
    texts = [cells[place - 1] for _, cells in rows]
    try:
        values: Array = np.array(texts, dtype=float)
    except ValueError:
        bad = next(index for index, text in enumerate(texts) if np.isnan(_number(text)))
        raise WeatherError(
            f"Column {place}, {WORDS[name]}: {texts[bad][:20]!r} is not a number.",
            rule="number",
            line=rows[bad][0],
            column=name,
            hint=f"Write the value, or {missing:g} for a missing one.",
        ) from None
    values = np.where(values >= missing, np.nan, values)
    low, high = LIMITS[name]
    outside = np.flatnonzero((values < low) | (values > high))
    if outside.size:
        raise WeatherError(
            f"Column {place}, {WORDS[name]}: {values[outside[0]]:g} is not between {low:g} and {high:g}.",
            rule="range",
            line=rows[outside[0]][0],
            column=name,
            hint=f"Put it right, or write {missing:g} for a missing value.",
        )
    return values


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")
