"""Waterfalls: horizontal bars that lead from one value to another, each beginning where the last one ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.charts.format import number
from app.charts.forms.axes import Chart, even_ticks, names, plot, values
from app.charts.forms.marks import bars, note, segment

ROOM, NARROW_ROOM = 0.16, 0.7
"""Of the span, for what is shown next to the bars; on a small screen text takes more of it."""
TICKS, NARROW_TICKS = 5, 2
BELOW = 0.04  # of the span, where bars reach below zero
ROOMY = 0.25  # of the axis: a bar as long holds its own label


class Step(NamedTuple):
    """A bar from `start` to `end`: `label` is shown next to it, `said` is shown when it is pointed at."""

    title: str
    start: float
    end: float
    slot: str
    label: str
    said: str
    total: bool = False


def waterfall(
    steps: Sequence[Step],
    unit: str,
    height: int,
    *,
    upto: float = 0.0,
    inside: bool = False,
    shapes: Sequence[Chart] = (),
    notes: Sequence[Chart] = (),
    top: int = 4,
) -> Chart:
    """Bars from the top, joined where one ends and the next begins.

    Parameters
    ----------
    upto : a value that the axis reaches at least
    inside : whether a long total holds its label
    """
    extent = _extent(steps, upto, ROOM)
    joints = [
        segment(step.end, place + 0.28, step.end, place + 0.72) for place, step in enumerate(steps[:-1])
    ]
    labels = [_label(step, inside and abs(step.end) > ROOMY * (extent[1] - extent[0])) for step in steps]
    trace = bars(
        [step.title for step in steps], [step.end - step.start for step in steps], [step.slot for step in steps],
        base=[step.start for step in steps], width=0.55, said=[step.said for step in steps], hover="%{y}<br>%{customdata}",
    )  # fmt: skip
    return plot(
        [trace], height, x=_axis(extent, unit, TICKS), y=names([step.title for step in steps]),
        shapes=[*joints, *shapes], notes=[*labels, *notes], top=top, right=16,
    )  # fmt: skip


def narrow_waterfall(steps: Sequence[Step], unit: str, upto: float = 0.0) -> Chart:
    """What small screens override: more room beside the bars, and fewer ticks."""
    axis = _axis(_extent(steps, upto, NARROW_ROOM), unit, NARROW_TICKS)
    return {f"xaxis.{part}": axis[part] for part in ("range", "tickvals", "ticktext")}


def _extent(steps: Sequence[Step], upto: float, room: float) -> tuple[float, float]:
    """From the lowest end to the highest, zero in it, with room for the words on the right."""
    ends = [upto, *(end for step in steps for end in (step.start, step.end))]
    low, high = min(0.0, *ends), max(0.0, *ends)
    span = (high - low) or 1.0
    return low - (BELOW * span if low < 0 else 0), high + room * span


def _axis(extent: tuple[float, float], unit: str, most: int) -> Chart:
    """Some round values, but not zero alone."""
    ticks = next(found for more in range(most, most + 4) if len(found := even_ticks(*extent, more)) > 1)
    return values(ticks, number, extent, unit=unit)


def _label(step: Step, inside: bool) -> Chart:
    words = f"<b>{step.label}</b>" if step.total else step.label
    if step.total and inside:
        return note(step.end, step.title, words, "bg", anchor="right", shift=(-5, 0))
    slot = "text" if step.total else "text-2"
    return note(max(step.start, step.end), step.title, words, slot, anchor="left", shift=(5, 0), ground="bg")
