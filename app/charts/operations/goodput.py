"""The waterfall from scheduled hours to useful FLOP."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from app.charts.figure import Column, Figure, table, unknown_figure
from app.charts.format import counted, share_text
from app.charts.forms.waterfall import Step, narrow_waterfall, waterfall

NAME, EYEBROW = "goodput_waterfall", "From scheduled hours to useful FLOP, % of the scheduled time"
CAPTION = (
    "Accelerator-hours of the run. The lower total is the effective training time ratio at the site, the last one that times MFU. What "
    "the evaluation does not know is counted as 0."
)
ROW = 30
SLOTS = {"start": "c1", "total": "c1", "end": "c1"}


class Loss(NamedTuple):
    """A step of the waterfall."""

    label: str
    share: float
    left: float
    hours: float
    kind: str
    known: bool
    path: str


def goodput_waterfall(steps: Sequence[Loss], *, of_time: int) -> Figure:
    """Bars from the top; the first `of_time` losses are of elapsed time, the others of the step."""
    if any(math.isnan(step.left) for step in steps):
        return unknown_figure(NAME, EYEBROW, CAPTION, "The share of useful time or the MFU is unknown.")
    drawn = []
    for place, step in enumerate(steps):
        total = step.kind != "loss"
        label = share_text(step.share, 1) if step.known else "unknown"
        drawn.append(
            Step(
                title=step.label,
                start=0.0 if total else 100 * (step.left + step.share),
                end=100 * step.left,
                slot=SLOTS.get(step.kind, "c4" if place <= of_time else "c2"),
                label=label,
                said=f"{label}, {counted(step.hours)} accelerator-hours",
                total=total,
            )
        )
    last = steps[-1]
    worst = max((step for step in steps if step.kind == "loss"), key=lambda step: step.share)
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=f"{share_text(last.share, 1)} of the scheduled time is {last.label[0].lower()}{last.label[1:]}; "
        f"the largest loss is {worst.label[0].lower()}{worst.label[1:]}, {share_text(worst.share, 1)}.",
        caption=CAPTION,
        **table(
            steps,
            (Column.words("Step"), lambda step: step.label),
            (Column("Share", "%"), lambda step: f"{100 * step.share:.2f}" if step.known else "unknown"),
            (Column("Left", "%"), lambda step: f"{100 * step.left:.2f}"),
            (Column("Accelerator-hours"), lambda step: counted(step.hours)),
            path=lambda step: step.path,
            total=lambda step: step.kind != "loss",
        ),
        plot=waterfall(drawn, "%", ROW * len(drawn) + 40),
        narrow=narrow_waterfall(drawn, "%"),
    )
