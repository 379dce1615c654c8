"""One collective over its sizes: what was measured, and what the engine says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, table
from app.charts.format import THIN_SPACE, brief, signed_percent

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
        **table(
            points,
            (Column.words("Size"), lambda point: point.text),
            (Column("Measured", "µs"), lambda point: brief(point.measured_us)),
            (Column("Predicted", "µs"), lambda point: brief(point.predicted_us)),
            (Column("Error"), lambda point: signed_percent(point.error)),
            path=lambda point: point.key,
            total=lambda point: point.current,
        ),
        legend=(Mark("c1", "Measured"), Mark("c2", "Predicted")),
        plot=_plot(points, size),
    )


def _takeaway(points: Sequence[Sized]) -> str:
    if len(points) == 1:
        return f"This is the only size with a published measurement; the prediction differs by {signed_percent(points[0].error)}."
    near = sum(abs(point.error) <= NEAR for point in points)
    worst = max(points, key=lambda point: abs(point.error))
    return (
        f"{near} of {len(points)} sizes are predicted within {NEAR:.0%}".replace("%", f"{THIN_SPACE}%")
        + f"; {worst.text} is furthest off, {signed_percent(worst.error)}."
    )


def _plot(points: Sequence[Sized], size: str) -> dict[str, Any]:
    sizes = [point.size for point in points]
    measured, predicted = [point.measured_us for point in points], [point.predicted_us for point in points]
    said = forms.look(
        said=[
            [point.text, f"{brief(point.measured_us)} µs measured, {brief(point.predicted_us)} µs predicted"]
            for point in points
        ],
        hover="%{customdata[0]}<br>%{customdata[1]}",
    )
    big = [point.current for point in points]
    return forms.plot(
        [
            forms.line(sizes, predicted, "c2", 2, size=4, name="Predicted", **said),
            forms.dots(
                sizes, measured, "c1", [12 if one else 8 for one in big], edge="text",
                edge_width=[2 if one else 0 for one in big], name="Measured", **said,
            ),
        ],
        HEIGHT,
        x=_axis(sizes, size, base=True),
        y=_axis([*measured, *predicted], "Time, µs"),
        right=16,
    )  # fmt: skip


def _axis(values: Sequence[float], title: str, **changes: Any) -> dict[str, Any]:
    look = {
        "labels": _short,
        "room": ROOM,
        "least_room": 0.1,
        "most": MOST_TICKS,
        "tickangle": None,
        **changes,
    }
    return forms.log(values, "1", title, **look)


def _short(value: float) -> str:
    """A round number with the prefix of its thousands.

    >>> _short(3e7).replace(THIN_SPACE, " "), _short(500.0)
    ('30 M', '500')
    """
    for step, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= step:
            return f"{value / step:g}{THIN_SPACE}{prefix}"
    return f"{value:g}"
