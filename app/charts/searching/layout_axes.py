"""What the space of layouts looks like: a line through the choices of each layout to its step time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import number, percent, show
from app.charts.searching.layout_words import degrees_text

NAME = "layout_axes"
EYEBROW = "Choices of a layout, to their step time"
HEIGHT = 360
MINIMUM_WIDTH = 720
TABLE_ROWS = 40
FAST = 0.1
SPREAD = 0.03  # of the height, that equal lines are apart
GOLDEN = 0.618
DEGREES = (("tp", "TP"), ("pp", "PP"), ("cp", "CP"), ("ep", "EP"), ("vpp", "Virtual stages"),
           ("micro_batch", "Micro-batch"))  # fmt: skip
RECOMPUTE = ("none", "selective", "full")


def layout_axes_figure(answer: dict[str, Any]) -> Figure:
    """Parallel coordinates of a sample, fastest lines in the colour of the design. Lines, not the trace of that name: it needs WebGL."""
    sample = answer["sample"]
    caption = (
        f"{len(sample):,} layouts that can run, in even steps of rank, each a line through its choices; axes "
        "on which all agree are left out. Degrees and time are logarithmic. Narrow an axis below to search a part of them."
    )
    if len(sample) < 2:
        return unknown_figure(NAME, EYEBROW, caption, "Too few layouts can run to compare them.")
    step = max(len(sample) // TABLE_ROWS, 1)
    stated = answer.get("stated")
    if stated and stated["step_time_s"] is None:
        stated = None
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(sample),
        caption=caption,
        columns=(
            Column.words("Step time"),
            *(Column(label) for _, label in DEGREES),
            Column("ZeRO"),
            Column.words("Recompute"),
        ),
        rows=tuple(_row(point) for point in sample[::step]),
        legend=(
            Mark("c1", "Fastest tenth"),
            Mark("c7", "The others"),
            *((Mark("c2", "The stated layout"),) if stated else ()),
        ),
        plot=_plot(sample, stated),
        minimum_width=MINIMUM_WIDTH,
    )


def _takeaway(sample: Sequence[dict[str, Any]]) -> str:
    fastest = sample[: max(round(FAST * len(sample)), 1)]
    shared = []
    for name, label in DEGREES:
        values = {point["parallelism"].get(name) for point in fastest}
        if len(values) == 1 and len({point["parallelism"].get(name) for point in sample}) > 1:
            shared.append(f"{label} {values.pop()}")
    slowest = sample[-1]["step_time_s"] / sample[0]["step_time_s"]
    spread = f"The slowest layout takes {number(slowest)} times as long as the fastest"
    return f"{spread}; the fastest tenth all have {', '.join(shared)}." if shared else f"{spread}."


def _row(point: dict[str, Any]) -> Row:
    chosen = point["parallelism"]
    return Row(
        (
            show(point["step_time_s"], "s").text,
            *(str(chosen.get(name, "")) for name, _ in DEGREES),
            str(chosen.get("zero_stage", "")),
            _recompute_text(chosen.get("recompute")),
        )
    )


def _recompute_text(recompute: Any) -> str:
    return percent(recompute).text if isinstance(recompute, int | float) else str(recompute)


def _plot(sample: Sequence[dict[str, Any]], stated: dict[str, Any] | None) -> dict[str, Any]:
    points = [*sample, *([stated] if stated else [])]
    axes = [_degree(label, [point["parallelism"].get(name) for point in points]) for name, label in DEGREES]
    axes.append(_words("ZeRO", [str(point["parallelism"].get("zero_stage")) for point in points]))
    recompute = [_recompute_text(point["parallelism"].get("recompute")) for point in points]
    axes.append(_words("Recompute", recompute, RECOMPUTE))
    axes = [axis for axis in axes if len(axis.ticks) > 1]
    axes.append(_time([point["step_time_s"] for point in points]))
    fast = max(round(FAST * len(sample)), 1)
    groups = [
        _lines(points, axes, range(fast, len(sample)), "c7", width=1, opacity=0.25),
        _lines(points, axes, range(fast), "c1", width=1.5, opacity=0.75),
    ]
    if stated:
        groups.append(_lines(points, axes, range(len(sample), len(points)), "c2", width=2.5, opacity=1))
    return forms.plot(
        groups,
        HEIGHT,
        x=forms.cells(
            [-0.06, len(axes) - 1 + 0.12], side="top", tickvals=list(range(len(axes))),
            ticktext=[axis.label for axis in axes], tickfont=forms.font("text-2"), ticklabelstandoff=4,
        ),
        y=forms.blank([-0.05, 1.05]),
        shapes=[forms.segment(place, 0, place, 1, layer="below") for place in range(len(axes))],
        notes=[
            forms.note(place, height, words, "text-3", anchor="right", shift=(-5, 0), ground="bg", borderpad=0)
            for place, axis in enumerate(axes)
            for height, words in axis.ticks
        ],
        right=20,
        bottom=12,
        left=44,
    )  # fmt: skip


class Axis(NamedTuple):
    """`places` of the layouts and of the labelled values, from 0 at the foot to 1."""

    label: str
    places: list[float]
    ticks: list[tuple[float, str]]


def _degree(label: str, values: list[Any]) -> Axis:
    logs = [math.log2(value or 1) for value in values]
    ticks = {value: str(value or 1) for value in values if (value or 1) & ((value or 1) - 1) == 0}
    return _axis(label, logs, [(math.log2(value or 1), words) for value, words in ticks.items()])


def _words(label: str, values: list[str], order: Sequence[str] = ()) -> Axis:
    distinct = [word for word in order if word in values]
    distinct += sorted({value for value in values if value not in distinct})
    places = [float(distinct.index(value)) for value in values]
    return _axis(label, places, [(float(place), word) for place, word in enumerate(distinct)])


def _time(values: list[float]) -> Axis:
    ticks = forms.unit_ticks(min(values), max(values), "s")
    logs = [math.log10(value) for value in values]
    return _axis("Step time", logs, [(math.log10(tick), forms.tick_text(tick, "s")) for tick in ticks])


def _axis(label: str, values: list[float], ticks: list[tuple[float, str]]) -> Axis:
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    return Axis(
        label,
        [(value - low) / span for value in values],
        sorted(((value - low) / span, words) for value, words in ticks),
    )


def _lines(
    points: Sequence[dict[str, Any]],
    axes: list[Axis],
    which: range,
    slot: str,
    *,
    width: float,
    opacity: float,
) -> dict[str, Any]:
    """One trace of many lines; each a little beside its place, so that equal ones do not hide each other."""
    heights: list[float | None] = []
    said: list[str] = []
    for one in which:
        aside = SPREAD * ((one * GOLDEN) % 1 - 0.5)
        last = len(axes) - 1
        heights += [round(axis.places[one] + (aside if at < last else 0), 4) for at, axis in enumerate(axes)]
        heights.append(None)
        layout_said = degrees_text(points[one]["parallelism"], points[one]["dp"])
        said += [f"{layout_said}<br>{show(points[one]['step_time_s'], 's').text} a step"] * len(axes) + [""]
    words = forms.look() if slot == "c7" else forms.look(text=said, hover="%{text}")
    x = [*range(len(axes)), None] * len(which)
    return forms.line(x, heights, slot, width, opacity=opacity, connectgaps=False, **words)
