"""PUE while the hall fills, in what stays, what follows the load and what grows with its square."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.charts.figure import Column, Figure, Mark, Row, layout, token, unknown_figure, value_axis
from app.engine.facility.hours.part_load import FirstYear, PartLoad
from app.engine.trace import Array

NAME = "part_load"
EYEBROW = "PUE against the load of the hall"
HEIGHT = 320
CAPTION = (
    "Annual means. Fixed: losses of transformers and UPS without load, their cooling, and the house. "
    "What cools a rack comes with it, so plants follow the heat."
)
UNKNOWN = "The PUE at part load is unknown."
PARTS = (
    ("proportional", "Follows the load", "c1-tint", "proportional"),
    ("quadratic", "Grows with its square", "c7", "quadratic"),
    ("fixed", "Stays", "c1", "fixed"),
)
TICKS = (0.2, 0.4, 0.6, 0.8, 1.0)


def part_load_figure(curve: PartLoad, year: FirstYear) -> Figure:
    """Areas that stand on a PUE of 1 and add up to the curve."""
    if np.isnan(curve.pue).any():
        return unknown_figure(NAME, EYEBROW, CAPTION, UNKNOWN)
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(curve, year),
        caption=CAPTION,
        height=HEIGHT,
        columns=(
            Column(name="Share of the full mean load", unit="%"),
            Column(name="PUE"),
            *(Column(name=label) for _, label, _, _ in PARTS),
        ),
        rows=tuple(
            Row(
                cells=(
                    f"{100 * curve.load_share[at]:.0f}",
                    f"{curve.pue[at]:.3f}",
                    *(f"{getattr(curve, name)[at]:.3f}" for name, *_ in PARTS),
                ),
                path="cooling.pue" if curve.load_share[at] == 1 else "",
                total=bool(curve.load_share[at] == 1),
            )
            for at in range(0, curve.load_share.size, 2)
        ),
        plot=_plot(curve),
        legend=tuple(Mark(slot=slot, label=label) for _, label, slot, _ in PARTS),
    )


def _takeaway(curve: PartLoad, year: FirstYear) -> str:
    full, little = curve.pue[-1], curve.pue[0]
    text = f"A hall that is {100 * curve.load_share[0]:.0f} % full runs at a PUE of {little:.2f}, a full one at {full:.2f}"
    if year.ramp_months == 0:
        return f"{text}."
    months = "a month" if year.ramp_months == 1 else f"{year.ramp_months} months"
    return f"{text}; filled evenly over {months}, its first year comes to {year.pue:.2f}."


def _plot(curve: PartLoad) -> dict[str, Any]:
    data = []
    top = np.ones(curve.pue.shape)
    for name, label, slot, word in PARTS:
        below, top = top, top + getattr(curve, name)
        data += [_edge(curve.load_share, below), _area(curve.load_share, top, label, slot, word, top - below)]
    data.append(
        {
            "type": "scatter",
            "mode": "lines",
            "name": "PUE",
            "x": curve.load_share.tolist(),
            "y": curve.pue.tolist(),
            "line": {"color": token("text"), "width": 1.5},
            "hovertemplate": "PUE %{y:.3f}<br>at %{x:.0%} of the load<extra></extra>",
        }
    )
    highest = float(curve.pue.max())
    step = next(step for step in (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5) if (highest - 1) / step <= 6)
    ticks = [round(1 + step * at, 6) for at in range(int((highest - 1) / step) + 2)]
    return {
        "data": data,
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 28, "t": 8, "b": 8},
            xaxis=value_axis(
                list(TICKS),
                [f"{tick:.0%}".replace("%", "\u202f%") for tick in TICKS],
                [float(curve.load_share[0]), 1.0],
                showgrid=False,
                showline=True,
                linecolor=token("axis"),
                title={"text": "Share of the full mean load", "font": {"size": 12, "color": token("text-3")}},
            ),
            yaxis=value_axis(ticks, [f"{tick:.2f}" for tick in ticks], [1.0, ticks[-1]]),
        ),
    }


def _edge(x: Array, y: Array) -> dict[str, Any]:
    """The lower edge of an area, not seen."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": x.tolist(),
        "y": y.tolist(),
        "line": {"width": 0, "color": token("grid")},
        "hoverinfo": "skip",
    }


def _area(x: Array, y: Array, label: str, slot: str, word: str, size: Array) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": label,
        "x": x.tolist(),
        "y": y.tolist(),
        "fill": "tonexty",
        "fillcolor": token(slot),
        "line": {"width": 0.5, "color": token(slot)},
        "customdata": size.tolist(),
        "hovertemplate": f"{word} part %{{customdata:.3f}}<br>at %{{x:.0%}} of the load<extra></extra>",
    }
