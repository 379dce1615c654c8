"""A pause of a synchronous job as racks and feed see it: the swing, and the ramp that storage makes of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import THIN_SPACE, brief, number, one_prefix, rounded, show
from app.engine.facility.it.transients import SwingTrace, Transients
from app.engine.trace import first_of

NAME = "power_swing"
EYEBROW = "A pause of the whole job"
HEIGHT = 300
CAPTION = "Drawn from peak, trough and ramp limit, not measured. What lies between the lines is taken or given by storage."
UNKNOWN = "The power of its SuperNodes is unknown."
ROWS = 16


def power_swing_figure(found: Transients, trace: SwingTrace) -> Figure:
    """Two lines over time: what the racks draw, and what the feed gives at its ramp limit."""
    swing_w = first_of(found.swing_w)
    if np.isnan(swing_w):
        return unknown_figure(NAME, EYEBROW, CAPTION, UNKNOWN)
    if swing_w <= 0:
        return unknown_figure(NAME, EYEBROW, CAPTION, "Under this cap a pause draws as much as the work.")
    scale, unit = one_prefix([first_of(found.peak_w)], "W")
    second, second_unit = one_prefix([float(trace.time_s[-1])], "s")
    time, racks, feed = trace.time_s / second, trace.racks_w / scale, trace.feed_w / scale
    return Figure(
        name=NAME,
        eyebrow=f"{EYEBROW}, {unit}",
        takeaway=_takeaway(found),
        caption=CAPTION,
        columns=(Column("Time", second_unit), Column("Racks", unit), Column("Feed", unit)),
        rows=tuple(
            Row((f"{time[at]:.1f}".replace("-", "\u2212"), brief(racks[at], 4), brief(feed[at], 4)))
            for at in range(0, time.size, ROWS)
        ),
        plot=_plot(time, racks, feed, unit, second_unit),
        legend=(Mark("c1", "Racks"), Mark("c3", "Feed at its ramp limit, with storage")),
    )


def _takeaway(found: Transients) -> str:
    swing, ramp = (
        show(rounded(first_of(watts)), "W").text for watts in (found.swing_w, found.ramp_limit_w_per_s)
    )
    energy = brief(first_of(found.smoothing_energy_j) / 3.6e6)
    return (
        f"All nodes stop and start together: a swing of {swing}. At {ramp} per second, {energy}{THIN_SPACE}kWh of "
        "storage hide it from the grid."
    )


def _plot(time: Any, racks: Any, feed: Any, unit: str, second_unit: str) -> dict[str, Any]:
    last = float(time[-1])
    title = "Time from the start of the pause"
    area = forms.look(fill="tonexty", fillcolor=forms.token("c1-faint"))
    return forms.plot(
        [
            forms.line(time, racks, shape="hv", name="Racks", hover=f"racks %{{y:.3g}}{THIN_SPACE}{unit}"),
            forms.line(time, feed, "c3", 2, name="Feed", hover=f"feed %{{y:.3g}}{THIN_SPACE}{unit}", **area),
        ],
        HEIGHT,
        x=forms.along(forms.round_ticks(last), number, [float(time[0]), last], unit=second_unit, title=title),
        y=forms.from_zero(float(racks.max()), unit, room=1.08),
        top=16,
        right=24,
    )
