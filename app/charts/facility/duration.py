"""Duration curves: what is reached or passed in so many hours of the year."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from app.charts.figure import Column, Figure, Mark, Row, layout, token, unknown_figure, value_axis
from app.charts.format import THIN_SPACE, number, one_prefix, show
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
        Curve("Dry bulb", "c1", curves.dry_bulb_c),
        Curve("Wet bulb", "c6", curves.wet_bulb_c, "dash"),
    )
    return (
        _figure("pue_duration", "PUE against hours of the year", OF_A_CURVE, curves.hours, (pue,), "", 3,
                "How long which PUE lasts is unknown.", _pue_takeaway(curves)),
        _figure("utility_duration", "Power at the meter against hours of the year",
                f"While the job runs. {OF_A_CURVE}", curves.hours, (utility,), unit, 3,
                "How long which power lasts is unknown.", _utility_takeaway(curves)),
        _figure("weather_duration", "Dry and wet bulb against hours of the year", f"{site}. {OF_A_CURVE}",
                curves.hours, weather, "°C", 1, "The weather is unknown.", _weather_takeaway(curves)),
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
    columns = (
        Column(name="Reached or passed in", unit="h"),
        *(Column(name=curve.label, unit=unit) for curve in curves),
    )
    rows = tuple(
        Row(cells=(f"{hours[at]:,.0f}", *(f"{curve.values[at]:.{decimals}f}" for curve in curves)))
        for at in np.searchsorted(hours, TABLE_HOURS)
    )
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=takeaway,
        caption=caption,
        height=HEIGHT,
        columns=columns,
        rows=rows,
        plot=_plot(hours, curves, unit, decimals),
        legend=tuple(Mark(slot=curve.slot, label=curve.label) for curve in curves) if len(curves) > 1 else (),
        narrow={"xaxis.tickvals": [0, 4000, 8000], "xaxis.ticktext": ["0", "4,000", "8,000"]},
    )


def _pue_takeaway(curves: Duration) -> str:
    highest, usual = curves.pue[0], curves.pue[np.searchsorted(curves.hours, 840)]
    if highest - curves.pue[-1] < 0.005:
        return f"PUE is {highest:.2f} in every hour of the year."
    return f"PUE reaches {highest:.2f} in its worst hour, and stays at {usual:.2f} or below in nine of ten."


def _utility_takeaway(curves: Duration) -> str:
    highest, lowest = show(float(curves.utility_w[0]), "W"), show(float(curves.utility_w[-1]), "W")
    if highest == lowest:
        return f"The meter reads {highest.text} in every hour of the year."
    return f"The meter reads {lowest.text} in the best hour of the year and {highest.text} in the worst."


def _weather_takeaway(curves: Duration) -> str:
    dry, wet = curves.dry_bulb_c, curves.wet_bulb_c
    return (
        f"The dry bulb reaches {dry[0]:.0f}{THIN_SPACE}°C and the wet bulb {wet[0]:.0f}{THIN_SPACE}°C; "
        f"half of the year is below {dry[np.searchsorted(curves.hours, 4320)]:.0f}{THIN_SPACE}°C dry."
    )


def _plot(hours: Array, curves: tuple[Curve, ...], unit: str, decimals: int) -> dict[str, Any]:
    lowest = min(float(curve.values.min()) for curve in curves)
    highest = max(float(curve.values.max()) for curve in curves)
    room = ROOM * (highest - lowest) or 0.005 * abs(highest) or 1.0
    extent = [lowest - room, highest + room]
    ticks = _ticks(lowest - room, highest + room)
    labels = [number(round(tick, 6)) if abs(tick) < 10 or tick % 1 else f"{tick:,.0f}" for tick in ticks]
    if unit and labels:
        labels[-1] += f"{THIN_SPACE}{unit}"
    suffix = f"{THIN_SPACE}{unit}" if unit else ""
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines",
                "name": curve.label,
                "x": hours.tolist(),
                "y": curve.values.tolist(),
                "line": {"color": token(curve.slot), "width": 2, "dash": curve.dash},
                "hovertemplate": f"{curve.label} %{{y:.{decimals}f}}{suffix} or more<br>in %{{x:,.0f}} h"
                "<extra></extra>",
            }
            for curve in curves
        ],
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 16, "t": 8, "b": 8},
            xaxis=value_axis(
                list(TICKS),
                [f"{tick:,.0f}" for tick in TICKS],
                [0, HOURS_OF_A_YEAR],
                showgrid=False,
                showline=True,
                linecolor=token("axis"),
                title={"text": "Hours of the year", "font": {"size": 12, "color": token("text-3")}},
            ),
            yaxis=value_axis(ticks, labels, extent),
        ),
    }


def _ticks(low: float, high: float, wanted: int = 6) -> list[float]:
    """Round values between two ends that need not be nought."""
    rough = (high - low) / wanted
    power = 10.0 ** np.floor(np.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first = np.ceil(low / step)
    return [round(float(step * (first + at)), 10) for at in range(int(np.floor(high / step) - first) + 1)]
