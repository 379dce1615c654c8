"""Cells and columns of the texts of a served model's views."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.charts.format import number, rounded, show


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns as wide as their longest cell; the first aligned left, numbers right."""
    widths = [max(len(line[place]) for line in (heads, *rows)) for place in range(len(heads))]
    return [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in (heads, *rows)
    ]


def count(value: float) -> str:
    """Four significant digits; unknown as such."""
    if math.isnan(value):
        return "unknown"
    return number(value if math.isinf(value) else rounded(value, 4))


def time(seconds: float) -> str:
    """A time in the unit that people use for it."""
    return shown(seconds, "s")


def shown(value: float, unit: str) -> str:
    """A value in its unit; unknown as such."""
    return "unknown" if math.isnan(value) else show(value, unit).text


def usd(value: float) -> str:
    """Dollars to a tenth of a cent; unknown as such."""
    return "unknown" if math.isnan(value) else f"{value:,.3f}"
