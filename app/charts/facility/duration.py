"""Duration curves: what is reached or passed in so many hours of the year."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import THIN_SPACE, as_read, number, one_prefix, show, temperature, temperature_unit
from app.engine.facility.cooling.year import HOURS_OF_A_YEAR
from app.engine.facility.hours.tables import Duration
from app.engine.trace import Array

HEIGHT = 260
OF_A_CURVE = "Each curve is in its own order: a point is reached or passed in so many hours of the year."
TABLE_HOURS = (1, 10, 44, 88, 350, 840, 2160, 4320, 6600, 8760)
TICKS = (0.0, 2000.0, 4000.0, 6000.0, 8000.0)
ROOM = 0.06  # of the spread, above and below


class Curve(NamedTuple):
    label: str
    slot: str
    values: Array
    dash: str = "solid"


def duration_figures(curves: Duration, site: str) -> tuple[Figure, ...]:
    """PUE, power at the meter, and the weather behind them."""
    pue = Curve("PUE", "c1", curves.pue)
    scale, unit = one_prefix([float(np.nanmax(curves.utility_w, initial=0))], "W")
    utility = Curve("Utility", "c1", curves.utility_w / scale)
    weather = (
        Curve("Dry bulb", "c1", _temperatures(curves.dry_bulb_c)),
        Curve("Wet bulb", "c6", _temperatures(curves.wet_bulb_c), "dash"),
    )
    return (
        _figure(
            "pue_duration", "PUE against hours of the year", OF_A_CURVE, curves.hours, (pue,), "", 3,
            "The duration curve of PUE is unknown.", _pue_takeaway(curves),
        ),
        _figure(
            "utility_duration", "Power at the meter vs hours of the year",
            f"While the job runs. {OF_A_CURVE}", curves.hours, (utility,), unit, 3,
            "The duration curve of power is unknown.", _utility_takeaway(curves),
        ),
        _figure(
            "weather_duration", "Dry and wet bulb vs hours of the year", f"{site}. {OF_A_CURVE}",
            curves.hours, weather, temperature_unit(), 1, "The weather is unknown.", _weather_takeaway(curves),
        ),
    )  # fmt: skip


def _figure(
    name: str,
    eyebrow: str,
    caption: str,
    hours: Array,
    curves: tuple[Curve, ...],
    unit: str,
    decimals: int,
    unknown: str,
    takeaway: str,
) -> Figure:
    if any(np.isnan(curve.values).any() for curve in curves):
        return unknown_figure(name, eyebrow, caption, unknown)
    columns = (Column("Reached or passed in", "h"), *(Column(curve.label, unit) for curve in curves))
    rows = tuple(
        Row((f"{hours[at]:,.0f}", *(f"{curve.values[at]:.{decimals}f}" for curve in curves)))
        for at in np.searchsorted(hours, TABLE_HOURS)
    )
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=takeaway,
        caption=caption,
        columns=columns,
        rows=rows,
        plot=_plot(hours, curves, unit, decimals),
        legend=tuple(Mark(curve.slot, curve.label) for curve in curves) if len(curves) > 1 else (),
        narrow={"xaxis.tickvals": [0, 4000, 8000], "xaxis.ticktext": ["0", "4,000", "8,000"]},
    )


def _pue_takeaway(curves: Duration) -> str:
    highest, usual = curves.pue[0], curves.pue[np.searchsorted(curves.hours, 840)]
    if highest - curves.pue[-1] < 0.005:
        return f"PUE is {highest:.2f} in every hour of the year."
    return f"PUE reaches {highest:.2f} in its worst hour, and stays at {usual:.2f} or below in 90 % of the hours."


def _utility_takeaway(curves: Duration) -> str:
    highest, lowest = show(float(curves.utility_w[0]), "W"), show(float(curves.utility_w[-1]), "W")
    if highest == lowest:
        return f"The meter reads {highest.text} in every hour of the year."
    return f"The meter reads {lowest.text} in the best hour of the year and {highest.text} in the worst."


def _weather_takeaway(curves: Duration) -> str:
    dry, wet = curves.dry_bulb_c, curves.wet_bulb_c
    return (
        f"The dry bulb reaches {temperature(dry[0], 0).text} and the wet bulb {temperature(wet[0], 0).text}; "
        f"half of the year is below {temperature(dry[np.searchsorted(curves.hours, 4320)], 0).text} dry."
    )


def _temperatures(celsius: Array) -> Array:
    return np.array([as_read(value, "degC")[0] for value in celsius.tolist()])


def _plot(hours: Array, curves: tuple[Curve, ...], unit: str, decimals: int) -> dict[str, Any]:
    lowest = min(float(curve.values.min()) for curve in curves)
    highest = max(float(curve.values.max()) for curve in curves)
    room = ROOM * (highest - lowest) or 0.005 * abs(highest) or 1.0
    extent = [lowest - room, highest + room]
    suffix = f"{THIN_SPACE}{unit}" if unit else ""
    hover = f" %{{y:.{decimals}f}}{suffix} or more<br>in %{{x:,.0f}} h"
    return forms.plot(
        [
            forms.line(
                hours, curve.values, curve.slot, 2, curve.dash, name=curve.label,
                hover=f"{curve.label}{hover}",
            )
            for curve in curves
        ],
        HEIGHT,
        x=forms.along(TICKS, number, [0, HOURS_OF_A_YEAR], title="Hours of the year"),
        y=forms.values(forms.even_ticks(lowest - room, highest + room), _tick, extent, unit=unit),
        right=16,
    )  # fmt: skip


def _tick(value: float) -> str:
    return number(round(value, 6)) if abs(value) < 10 or value % 1 else f"{value:,.0f}"
