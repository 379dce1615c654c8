"""EPW files as stations write them, to be changed by tests."""

from __future__ import annotations

import calendar

import numpy as np
import psychrolib

HEADER = (
    "LOCATION,Graz,Styria,AUT,TMYx,112400,46.99,15.44,1.0,340.0",
    "DESIGN CONDITIONS,0",
    "TYPICAL/EXTREME PERIODS,0",
    "GROUND TEMPERATURES,0",
    "HOLIDAYS/DAYLIGHT SAVINGS,No,0,0,0",
    "COMMENTS 1,made for a test",
    "COMMENTS 2,",
    "DATA PERIODS,1,1,Data,Sunday, 1/ 1,12/31",
)


def epw_lines(*, leap: bool = False) -> list[str]:
    """A year of hours: a cosine over the year and one over the day, 60 to 90 % relative humidity."""
    psychrolib.SetUnitSystem(psychrolib.SI)
    lines = list(HEADER)
    year = 2024 if leap else 2023
    hour_of_year = 0
    for month in range(1, 13):
        for day in range(1, calendar.monthrange(year, month)[1] + 1):
            for hour in range(1, 25):
                season = -np.cos(2 * np.pi * hour_of_year / 8760)
                daily = -np.cos(2 * np.pi * (hour - 4) / 24)
                dry = 10.0 + 12.0 * season + 4.0 * daily
                humidity = 75.0 - 15.0 * daily
                lines.append(epw_hour(year, month, day, hour, dry, humidity))
                hour_of_year += 1
    return lines


def epw_hour(year: int, month: int, day: int, hour: int, dry: float, humidity: float) -> str:
    """One line of 35 values."""
    vapour_pa = humidity / 100 * psychrolib.GetSatVapPres(dry)
    dew = psychrolib.GetTDewPointFromVapPres(dry, vapour_pa)
    cells = [str(year), str(month), str(day), str(hour), "0", "?9?9", f"{dry:.1f}", f"{dew:.1f}"]
    cells += [f"{humidity:.0f}", "97300", *["0"] * 11, "2.5", *["0"] * 13]
    return ",".join(cells)


def with_cell(lines: list[str], line: int, column: int, text: str) -> list[str]:
    """The file with one value put otherwise; line and column count from 1."""
    cells = lines[line - 1].split(",")
    cells[column - 1] = text
    return [*lines[: line - 1], ",".join(cells), *lines[line:]]


def as_bytes(lines: list[str]) -> bytes:
    return ("\r\n".join(lines) + "\r\n").encode()
