"""One collective over its sizes: what was measured, and what the engine says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts.figure import Column, Figure, Mark, Row, layout, token, value_axis
from app.charts.format import THIN_SPACE, number, signed_percent
from app.charts.searching.log_scale import log_ticks

NAME = "collective_sizes"
EYEBROW = "Time by size"
HEIGHT = 340
NEAR = 0.2
ROOM = 0.05  # of the scale, beyond the outermost sizes
MOST_TICKS = 6


class Sized(NamedTuple):
    """One measurement of the curve. `text` is its size in words."""

    key: str
    size: float
    text: str
    measured_us: float
    predicted_us: float
    current: bool

    @property
    def error(self) -> float:
        return self.predicted_us / self.measured_us - 1


def collective_sizes_figure(points: Sequence[Sized], *, size: str, caption: str) -> Figure:
    """Measured times as markers, predicted ones as a line; the current one is ringed.

    Parameters
    ----------
    points : in the order of their size
    size : what the sizes are of, such as "Message, bytes"
    """
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(points),
        caption=caption,
        height=HEIGHT,
        columns=(
            Column(name="Size", numeric=False),
            Column(name="Measured", unit="µs"),
            Column(name="Predicted", unit="µs"),
            Column(name="Error"),
        ),
        rows=tuple(
            Row(
                cells=(
                    point.text,
                    _three(point.measured_us),
                    _three(point.predicted_us),
                    signed_percent(point.error),
                ),
                path=point.key,
                total=point.current,
            )
            for point in points
        ),
        legend=(Mark(slot="c1", label="Measured"), Mark(slot="c2", label="Predicted")),
        plot=_plot(points, size),
    )


def _three(value: float) -> str:
    return number(float(f"{value:.3g}"))


def _takeaway(points: Sequence[Sized]) -> str:
    if len(points) == 1:
        return f"Nobody measured another size of it; this one is {signed_percent(points[0].error)} off."
    near = sum(abs(point.error) <= NEAR for point in points)
    worst = max(points, key=lambda point: abs(point.error))
    return (
        f"{near} of {len(points)} sizes are predicted within {NEAR:.0%}".replace("%", f"{THIN_SPACE}%")
        + f"; {worst.text} is furthest off, {signed_percent(worst.error)}."
    )


def _plot(points: Sequence[Sized], size: str) -> dict[str, Any]:
    sizes = [point.size for point in points]
    times = [time for point in points for time in (point.measured_us, point.predicted_us)]
    labels = [
        [point.text, f"{_three(point.measured_us)} µs measured, {_three(point.predicted_us)} µs predicted"]
        for point in points
    ]
    shared = {
        "x": sizes,
        "customdata": labels,
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
    }
    lines = {
        "type": "scatter", "mode": "lines+markers", "name": "Predicted", **shared,
        "y": [point.predicted_us for point in points],
        "line": {"color": token("c2"), "width": 2}, "marker": {"size": 4, "color": token("c2")},
    }  # fmt: skip
    markers = {
        "type": "scatter", "mode": "markers", "name": "Measured", **shared,
        "y": [point.measured_us for point in points],
        "marker": {
            "size": [12 if point.current else 8 for point in points], "color": token("c1"),
            "line": {"color": token("text"), "width": [2 if point.current else 0 for point in points]},
        },
    }  # fmt: skip
    return {
        "data": [lines, markers],
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 16, "t": 8, "b": 8},
            xaxis=_axis(sizes, size, showline=True, linecolor=token("axis")),
            yaxis=_axis(times, "Time, µs"),
        ),
    }


def _axis(values: Sequence[float], title: str, **changes: Any) -> dict[str, Any]:
    low, high = math.log10(min(values)), math.log10(max(values))
    room = max(ROOM * (high - low), 0.1)
    ticks = log_ticks(10 ** (low - room), 10 ** (high + room), MOST_TICKS)
    return value_axis(
        ticks,
        [_short(tick) for tick in ticks],
        [low - room, high + room],
        type="log",
        title={"text": title, "standoff": 8, "font": {"size": 12, "color": token("text-3")}},
        **changes,
    )


def _short(value: float) -> str:
    """A round number with the prefix of its thousands.

    >>> _short(3e7).replace(THIN_SPACE, " "), _short(500.0)
    ('30 M', '500')
    """
    for step, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= step:
            return f"{value / step:g}{THIN_SPACE}{prefix}"
    return f"{value:g}"
