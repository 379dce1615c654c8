"""The small mark of a spread of errors: a line as wide as the scale, a bar from P10 to P90, a tick between."""

from __future__ import annotations

from typing import NamedTuple

from app.charts.format import signed_percent

SCALE = 0.4
"""The mark spans this error to both sides."""


class Spread(NamedTuple):
    """Places from 0 to 100 on the mark, and the same in words."""

    low: float
    middle: float
    high: float
    text: str


def spread_of(low: float, middle: float, high: float) -> Spread:
    """The mark of errors, as fractions; what lies beyond the scale ends at it.

    >>> spread_of(-0.2, 0.0, 0.9)[:3]
    (25.0, 50.0, 100.0)
    """
    text = f"{signed_percent(low)} to {signed_percent(high)}"
    return Spread(_place(low), _place(middle), _place(high), text)


def _place(error: float) -> float:
    return round(50 + 50 * max(-1.0, min(1.0, error / SCALE)), 2)
