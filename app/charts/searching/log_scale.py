"""Logarithmic axes with labels that people read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from app.charts.figure import token, value_axis
from app.charts.format import show

LEAST_TICKS = 3
DURATIONS_S = (1, 3, 10, 30, 60, 180, 600, 1800, 3600, 10800, 36000,
               *(86400.0 * days for days in (1, 3, 10, 30, 100, 300, 1000, 3000, 10000)))  # fmt: skip
"""Round in seconds, minutes, hours and days."""
LONG_S = 120
ROOM = 0.04  # of the scale, beyond the outermost values


def log_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round values between two others: 1, 2, 5 of each power of ten, or linear steps where those are few.

    >>> log_ticks(3, 40), log_ticks(9.2, 10.4)
    ([3.0, 10.0, 30.0], [9.5, 10.0])
    """
    powers = range(math.floor(math.log10(low)), math.floor(math.log10(high)) + 1)
    for factors in ((1,), (1, 3), (1, 2, 5)):
        ticks = [factor * 10.0**power for power in powers for factor in factors]
        ticks = [tick for tick in ticks if low <= tick <= high]
        if len(ticks) >= LEAST_TICKS:
            return ticks[:: -(-len(ticks) // most)]
    step = 10.0 ** math.floor(math.log10(high - low)) if high > low else high
    steps = next((step * part for part in (1, 0.5, 0.2, 0.1) if (high - low) / (step * part) >= 2), step)
    count = range(math.ceil(low / steps), math.floor(high / steps) + 1)
    ticks = [round(steps * position, 12) for position in count]
    return ticks[:: -(-len(ticks) // most)] or [high]


def unit_ticks(low: float, high: float, unit: str, most: int = 6) -> list[float]:
    """Ticks that are round as they are shown: durations are not decimal.

    >>> unit_ticks(5, 400, "s")
    [10, 30, 60, 180]
    """
    if unit == "s" and high >= LONG_S:
        ticks = [float(tick) if tick % 1 else tick for tick in DURATIONS_S if low <= tick <= high]
        if len(ticks) >= LEAST_TICKS:
            return ticks[:: -(-len(ticks) // most)]
    return log_ticks(low, high, most)


def tick_text(value: float, unit: str) -> str:
    """A round value without the noughts that say how well it is known.

    >>> tick_text(1800, "s").split(), tick_text(0.05, "USD").split(), tick_text(20, "s").split()
    (['30', 'min'], ['0.05', 'USD'], ['20', 's'])
    """
    shown = show(value, unit)
    short = shown.value.rstrip("0").rstrip(".") if "." in shown.value else shown.value
    return shown._replace(value=short).text


def log_axis(
    values: Sequence[float], unit: str, title: str, *, most: int = 5, **changes: Any
) -> dict[str, Any]:
    """An axis over some values, every label with its unit, since durations and sizes change theirs."""
    low, high = min(values), max(values)
    room = max(ROOM * math.log10(high / low), 0.01)
    return value_axis(
        (ticks := unit_ticks(low / 10**room, high * 10**room, unit, most)),
        [tick_text(tick, unit) for tick in ticks],
        [math.log10(low) - room, math.log10(high) + room],
        type="log",
        tickangle=0,
        title={"text": title, "standoff": 8, "font": {"size": 12, "color": token("text-3")}},
        **changes,
    )
