"""Figures of growth in words: from a device's watts to the FLOPs of a training run."""

from __future__ import annotations

import math

from app.charts.format import THIN_SPACE, TIMES, WIDE_SPACE, brief, number, rounded, show

SCIENTIFIC_FROM = {"FLOP": 1e15}
"""Beyond the prefixes that people know."""
LARGE = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
PER = ("/W", "/USD")


def figure_text(value: float, unit: str, *, short: bool = False) -> str:
    """A figure with its unit; a tick of an axis is `short`, without noughts behind the point.

    >>> figure_text(2e6, "1").split(), figure_text(2e6, "1", short=True).split(), figure_text(16384.0, "1")
    (['2.00', 'million'], ['2', 'million'], '16,384')
    """
    if value >= SCIENTIFIC_FROM.get(unit, math.inf):
        text = number(value)
        if short:
            text = text.replace(f".00{TIMES}", TIMES).replace(f"1{TIMES}", "")
        return f"{text}{THIN_SPACE}{unit}"
    if unit == "1":
        return _count(value, short=short)
    ending = next((one for one in PER if unit.endswith(one)), "")
    shown = show(value, unit.removesuffix(ending) if ending else unit)
    text = shown.value.rstrip("0").rstrip(".") if short and "." in shown.value else shown.value
    return f"{shown._replace(value=text).text}{ending}"


def times(factor: float) -> str:
    """A factor of growth.

    >>> times(4.4671), times(162934.1), times(64.0)
    ('×4.47', '×163,000', '×64')
    """
    return f"{TIMES}{brief(factor)}"


def doubling_text(years: float | None) -> str:
    """A doubling time in the unit that people think it in.

    >>> doubling_text(0.463).split(), doubling_text(2.29).split(), doubling_text(None)
    (['5.6', 'months'], ['2.3', 'years'], 'not growing')
    """
    if years is None:
        return "not growing"
    return f"{12 * years:.1f}{WIDE_SPACE}months" if years < 1 else f"{years:.1f}{WIDE_SPACE}years"


def _count(value: float, *, short: bool) -> str:
    scale, word = next(((scale, f"{WIDE_SPACE}{word}") for scale, word in LARGE if value >= scale), (1.0, ""))
    if scale == 1:
        return number(round(value))
    scaled = rounded(value / scale)
    decimals = 2 - math.floor(math.log10(scaled))
    return f"{scaled:g}{word}" if short else f"{scaled:,.{decimals}f}{word}"
