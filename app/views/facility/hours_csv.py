"""The hours of a design as CSV: a row an hour, units in the names of the columns."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from itertools import islice

import numpy as np

from app.engine.facility.cooling.figures import DAYS_IN_MONTH
from app.engine.facility.hours.hours import Hours
from app.engine.trace import Array
from app.views.facility.hours import HoursAnswer
from app.views.file_format import FileFormat, csv_file

MOMENT = ("month", "day", "hour")
COLUMNS = {
    "dry_bulb_c": 2,
    "wet_bulb_c": 2,
    "pue": 5,
    "utility_w": 0,
    "cooling_w": 0,
    "fans_w": 0,
    "pumps_w": 0,
    "chillers_w": 0,
    "heat_rejection_w": 0,
    "water_l_per_h": 1,
    "free_cooling_share": 4,
}
"""Columns with the decimals that are worth printing; an unknown value is an empty cell."""
ROWS = 1_000


def hours_csv(hours: Hours) -> Iterator[bytes]:
    """Every hour from 1 January in local standard time, some at a time; `hour` is the one that begins then."""
    yield ",".join((*MOMENT, *COLUMNS)).encode() + b"\r\n"
    parts = {f"{name}_w": part_w for name, part_w in hours.parts_w.items()}
    columns = [
        _cells(parts[name] if name in parts else getattr(hours, name), decimals)
        for name, decimals in COLUMNS.items()
    ]
    rows = zip(*_moments(), *columns, strict=True)
    while some := tuple(islice(rows, ROWS)):
        text = io.StringIO()
        csv.writer(text, lineterminator="\r\n").writerows(some)
        yield text.getvalue().encode()


def _moments() -> tuple[list[int], list[int], list[int]]:
    month = np.repeat(np.arange(1, 13), DAYS_IN_MONTH)
    day = np.concatenate([np.arange(1, days + 1) for days in DAYS_IN_MONTH])
    return np.repeat(month, 24).tolist(), np.repeat(day, 24).tolist(), list(range(24)) * 365


def _cells(values: Array, decimals: int) -> list[str]:
    return ["" if math.isnan(value) else f"{value:.{decimals}f}" for value in values.tolist()]


HOURS_CSV: FileFormat[HoursAnswer] = csv_file(lambda answer: hours_csv(answer.hours), ".csv")
