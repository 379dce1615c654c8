"""Partial-load PUE: what stays, what follows the load and what grows with its square."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import share_text
from app.engine.facility.hours.part_load import FirstYear, PartLoad

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
        columns=(
            Column("Share of the full mean load", "%"),
            Column("PUE"),
            *(Column(label) for _, label, _, _ in PARTS),
        ),
        rows=tuple(
            Row(
                (
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
        legend=tuple(Mark(slot, label) for _, label, slot, _ in PARTS),
    )


def _takeaway(curve: PartLoad, year: FirstYear) -> str:
    full, little = curve.pue[-1], curve.pue[0]
    text = f"A hall that is {100 * curve.load_share[0]:.0f} % full runs at a PUE of {little:.2f}, a full one at {full:.2f}"
    if year.ramp_months == 0:
        return f"{text}."
    months = "a month" if year.ramp_months == 1 else f"{year.ramp_months} months"
    return f"{text}; filled evenly over {months}, the first year has {year.pue:.2f}."


def _plot(curve: PartLoad) -> dict[str, Any]:
    share = curve.load_share.tolist()
    data: list[dict[str, Any]] = []
    top: Any = np.ones(curve.pue.shape)
    for name, label, slot, word in PARTS:
        size = getattr(curve, name)
        below, top = top, top + size
        hover = f"{word} part %{{customdata:.3f}}<br>at %{{x:.0%}} of the load"
        area = forms.look(fill="tonexty", fillcolor=forms.token(slot))
        data.append(forms.line(share, below.tolist(), "grid", 0))
        data.append(
            forms.line(share, top.tolist(), slot, 0.5, name=label, said=size.tolist(), hover=hover, **area)
        )
    hover = "PUE %{y:.3f}<br>at %{x:.0%} of the load"
    data.append(forms.line(share, curve.pue.tolist(), "text", 1.5, name="PUE", hover=hover))
    highest = float(curve.pue.max())
    step = next(step for step in (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5) if (highest - 1) / step <= 6)
    ticks = [round(1 + step * at, 6) for at in range(int((highest - 1) / step) + 2)]
    labels = [share_text(tick) for tick in TICKS]
    return forms.plot(
        data,
        HEIGHT,
        x=forms.along(TICKS, labels, [share[0], 1.0], title="Share of the full mean load"),
        y=forms.values(ticks, lambda tick: f"{tick:.2f}", [1.0, ticks[-1]]),
        right=28,
    )
