"""Power usage effectiveness by month and hour of the day."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.figures.figure import Column, Figure, Row, at, layout, name_axis, token, unknown_figure

EYEBROW = "PUE by month and hour"
HEIGHT = 320
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MONTHS_IN_FULL = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
                  "October", "November", "December")  # fmt: skip
PARTS_OF_THE_DAY = ("nights", "mornings", "afternoons", "evenings")  # six hours each
HOURS = 24
FLAT = 0.005  # a spread that no eye could tell
SCALE_STEPS = 5


def pue_hours_figure(evaluation: dict[str, Any]) -> Figure:
    """Heat map, months down and hours across."""
    table = at(evaluation, "cooling.pue_by_month_and_hour")
    caption = _caption(evaluation)
    if not _complete(table):
        return unknown_figure("pue_hours", EYEBROW, caption, "The PUE over the year is unknown.")
    return Figure(
        name="pue_hours",
        eyebrow=EYEBROW,
        takeaway=_takeaway(table),
        caption=caption,
        height=HEIGHT,
        columns=(Column(name="Month", numeric=False), *(Column(name=f"{hour:02d}") for hour in range(HOURS))),
        rows=tuple(
            Row(cells=(month, *(f"{value:.3f}" for value in line)))
            for month, line in zip(MONTHS, table, strict=True)
        ),
        plot=_plot(table),
        narrow={"xaxis.tickvals": [0, 8, 16, 23], "xaxis.ticktext": ["00", "08", "16", "23"]},
    )


def _complete(table: Any) -> bool:
    return (
        isinstance(table, list)
        and len(table) == len(MONTHS)
        and all(isinstance(line, list) and len(line) == HOURS and None not in line for line in table)
    )


def _caption(evaluation: dict[str, Any]) -> str:
    site = at(evaluation, "inputs.site.name")
    text = f"{site}, typical year, 8,760 hours." if site else "A typical year, 8,760 hours."
    mean, hottest = at(evaluation, "cooling.pue"), at(evaluation, "cooling.pue_hottest_hour")
    if mean is not None and hottest is not None:
        text += f" Mean {_pue(mean)}, highest hour {_pue(hottest)}."
    return f"{text} Each cell is the mean of one hour of the day, local standard time."


def _pue(value: float) -> str:
    return f"{value:.2f}"


def _takeaway(table: list[list[float]]) -> str:
    cells = [(value, month, hour) for month, line in enumerate(table) for hour, value in enumerate(line)]
    highest, month, hour = max(cells)
    lowest = min(cells)[0]
    if highest - lowest < FLAT:
        return f"PUE is {_pue(highest)} at every hour of the year."
    when = f"{MONTHS_IN_FULL[month]} {PARTS_OF_THE_DAY[hour // 6]}"
    return f"PUE runs from {_pue(lowest)} to {_pue(highest)}, highest on {when}."


def _plot(table: list[list[float]]) -> dict[str, Any]:
    lowest, highest = min(map(min, table)), max(map(max, table))
    if highest - lowest < FLAT:  # one colour, and no scale that makes noise look like weather
        lowest, highest = lowest - FLAT, highest + FLAT
    ticks = np.linspace(lowest, highest, SCALE_STEPS).tolist()
    digits = 3 if highest - lowest < 0.05 else 2
    heat = {
        "type": "heatmap",
        "x": list(range(HOURS)),
        "y": list(MONTHS),
        "z": [[round(value, 5) for value in line] for line in table],
        "zmin": lowest,
        "zmax": highest,
        "xgap": 1,
        "ygap": 1,
        "colorscale": [[step / (SCALE_STEPS - 1), token(f"seq-{step + 1}")] for step in range(SCALE_STEPS)],
        "colorbar": {
            "thickness": 6,
            "len": 1,
            "lenmode": "fraction",
            "y": 0.5,
            "ypad": 0,
            "xpad": 12,
            "outlinewidth": 0,
            "tickvals": ticks,
            "ticktext": [f"{tick:.{digits}f}" for tick in ticks],
            "ticks": "",
            "tickfont": {"size": 12, "color": token("text-3")},
        },
        "hovertemplate": "%{y}, %{x}:00<br>PUE %{z:.3f}<extra></extra>",
    }
    hours = list(range(0, HOURS, 6))
    return {
        "data": [heat],
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 8, "t": 4, "b": 8},
            xaxis={
                "range": [-0.5, HOURS - 0.5],
                "tickvals": [*hours, HOURS - 1],
                "ticktext": [f"{hour:02d}" for hour in (*hours, HOURS - 1)],
                "tickfont": {"size": 12, "color": token("text-3")},
                "title": {"text": "Hour of day", "font": {"size": 12, "color": token("text-3")}},
                "showgrid": False,
                "zeroline": False,
                "ticks": "",
                "fixedrange": True,
                "automargin": True,
            },
            yaxis=name_axis(list(MONTHS), showline=False, tickfont={"size": 12, "color": token("text-3")}),
        ),
    }
