"""Physical ranges of modelling assumptions: what a value can be at all, whatever is known of it.

The unit says most of it: nothing but a temperature is below zero, and a share is no more than one. Where that is not
enough, `seed_data/assumption_ranges.csv` has a row with the reason. Low and high of an assumption are another matter:
what it is likely to be.
"""

from __future__ import annotations

import csv
import functools
import math
from typing import NamedTuple

from app.engine.units import unit_of
from app.paths import seed_data

FILE = "assumption_ranges.csv"
ABSOLUTE_ZERO_C = -273.15
SHARES = ("_share", "_efficiency", "_fraction", "_utilisation", "_confidence", "_effectiveness")
"""Endings of names without a unit that are parts of a whole."""


class PhysicalRange(NamedTuple):
    """The least and the most that a value can be, both included, and why, where the unit does not say."""

    least: float
    most: float
    unit: str = "1"
    why: str = ""

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.least <= value <= self.most

    @property
    def words(self) -> str:
        """The range as a message says it, with its unit."""
        unit = "" if self.unit == "1" else f" {self.unit}"
        if math.isinf(self.most):
            return f"at least {self.least:g}{unit}"
        return f"{self.least:g} to {self.most:g}{unit}"


def physical_range(name: str) -> PhysicalRange:
    """The range of an assumption `room.name`, in the unit that its name ends in.

    >>> physical_range("operations.local_recovery_share").words, physical_range("operations.restart_overhead_s").words
    ('0 to 1', 'at least 0 s')
    """
    unit = unit_of(name)
    declared = _declared().get(name)
    if declared is not None:
        return declared._replace(unit=unit)
    if unit == "degC":
        return PhysicalRange(ABSOLUTE_ZERO_C, math.inf, unit)
    return PhysicalRange(0.0, 1.0 if unit == "1" and name.endswith(SHARES) else math.inf, unit)


@functools.cache
def _declared() -> dict[str, PhysicalRange]:
    with (seed_data() / FILE).open(encoding="utf-8", newline="") as file:
        return {row["name"]: _range(row) for row in csv.DictReader(file)}


def _range(row: dict[str, str]) -> PhysicalRange:
    least, most = row["least"], row["most"]
    return PhysicalRange(float(least), float(most) if most else math.inf, why=row["why"])
