"""The axis of a figure that is not known exactly: one prefix for all its values, round ticks between any two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from app.charts import forms
from app.charts.format import THIN_SPACE, Measure, number, one_prefix

ROOM = 0.06  # of the extent, beyond the outermost values


def measure_of(values: Iterable[float], unit: str) -> Measure:
    """The prefix that all values of a chart share."""
    return Measure(*one_prefix(list(values), unit))


def measured_axis(
    values: Sequence[float], measure: Measure, *, most: int = 5, **changes: Any
) -> dict[str, Any]:
    """An axis over values in their own unit; positions are in that of the chart, which the last label names."""
    low, high = min(values) / measure.divisor, max(values) / measure.divisor
    room = ROOM * (high - low) or abs(high) * ROOM or 1.0
    ticks = forms.even_ticks(low - room, high + room, most)
    return forms.values(ticks, number, [low - room, high + room], unit=measure.unit, **changes)


def wrapped(name: str, width: int = 26, lines: int = 2) -> str:
    """A long name in a few lines, as tick labels need; what does not fit is left out.

    >>> wrapped("Price of a SuperNode"), wrapped("Utilisation of the pod over its life", 14)
    ('Price of a SuperNode', 'Utilisation of<br>the pod over\\u2026')
    """
    found = [""]
    for word in name.split():
        longer = f"{found[-1]} {word}".strip()
        if len(longer) <= width or not found[-1]:
            found[-1] = longer
        elif len(found) == lines:
            found[-1] += "\u2026"
            break
        else:
            found.append(word)
    return "<br>".join(line if len(line) <= width + 1 else f"{line[:width]}\u2026" for line in found)


def share_text(share: float) -> str:
    """A share of a whole, as exact as samples tell it.

    >>> share_text(0.483).split(), share_text(0.068).split(), share_text(0.0004)
    (['48', '%'], ['6.8', '%'], 'under 0.1\u202f%')
    """
    if share < 1e-3:
        return f"under 0.1{THIN_SPACE}%"
    return f"{100 * share:.{0 if share >= 0.0995 else 1}f}{THIN_SPACE}%"
