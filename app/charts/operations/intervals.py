"""Time lost against the interval of checkpoints, snapshots and copies in one chart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import number, share_text, show

NAME, EYEBROW = "checkpoint_intervals", "Elapsed time lost vs checkpoint interval"
HEIGHT = 340
CAPTION = (
    "All losses by failures and checkpoints. Each curve changes one interval; the ring is that of the design. Copies on "
    "shared storage stop nothing, so that the shortest is best."
)
ROOM = 4.0  # times the loss of the design that the axis reaches


class Curve(NamedTuple):
    """Intervals, the share that each loses, and the place of the design's own."""

    label: str
    intervals_s: Sequence[float]
    lost: Sequence[float]
    own: int


def intervals_figure(curves: Sequence[Curve]) -> Figure:
    """A line a kind of checkpoint."""
    if not curves or any(math.isnan(curve.lost[curve.own]) for curve in curves):
        return unknown_figure(NAME, EYEBROW, CAPTION, "The loss is unknown.")
    least = min(curve.lost[curve.own] for curve in curves)
    top = min(1.0, ROOM * least)
    data = []
    rows = []
    for place, curve in enumerate(curves):
        slot, dash, _ = forms.style(place)
        kept = [at for at, lost in enumerate(curve.lost) if lost <= top * 1.05 or at == curve.own]
        x, y = [curve.intervals_s[at] for at in kept], [100 * curve.lost[at] for at in kept]
        data.append(
            forms.line(
                x, y, slot, 2.5 if place == 0 else 2, dash, name=curve.label,
                said=[[curve.label, show(at, "s").text] for at in x],
                hover="%{customdata[0]}<br>every %{customdata[1]}: %{y:.2f} % lost",
            )
        )  # fmt: skip
        data.append(
            forms.ring(
                curve.intervals_s[curve.own], 100 * curve.lost[curve.own], slot,
                f"{curve.label}<br>every {show(curve.intervals_s[curve.own], 's').text}",
            )
        )  # fmt: skip
        shown = sorted({curve.own, *range(0, len(curve.lost), max(1, len(curve.lost) // 8))})
        rows += [
            Row(
                (curve.label, show(curve.intervals_s[at], "s").text, f"{100 * curve.lost[at]:.2f}"),
                total=at == curve.own,
            )
            for at in shown
        ]
    every = [
        at for curve in curves for at, lost in zip(curve.intervals_s, curve.lost, strict=True) if lost <= top
    ]
    plot = forms.plot(
        data,
        HEIGHT,
        x=forms.log(every or [1.0, 10.0], "s", "Time between checkpoints", base=True, grid=False),
        y=forms.values(forms.even_ticks(0, 100 * top, 5), number, [0, 100 * top], unit="%"),
        top=16,
        right=20,
    )
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(curves),
        caption=CAPTION,
        columns=(Column.words("Kind"), Column("Every"), Column("Lost", "%")),
        rows=tuple(rows),
        plot=plot,
        legend=tuple(Mark(forms.style(place)[0], curve.label) for place, curve in enumerate(curves)),
        narrow=forms.few_ticks(plot),
    )


def _takeaway(curves: Sequence[Curve]) -> str:
    first = curves[0]
    best = min(range(len(first.lost)), key=lambda at: first.lost[at])
    text = (
        f"{first.label} every {show(first.intervals_s[first.own], 's').text}: {share_text(first.lost[first.own], 1)} of the "
        "time is lost"
    )
    if first.lost[first.own] - first.lost[best] < 5e-4:
        text += ", the least of any interval"
    if len(curves) == 1:
        return f"{text}."
    copy = curves[1]
    hour = next((at for at, interval in enumerate(copy.intervals_s) if interval >= 1800), None)
    if hour is None:
        return f"{text}."
    return f"{text}; with a copy every {show(copy.intervals_s[hour], 's').text}, {share_text(copy.lost[hour], 1)}."
