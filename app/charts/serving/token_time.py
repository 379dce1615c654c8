"""Time of one output token by part, against the sequences that an instance decodes at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row
from app.charts.format import THIN_SPACE, counted, one_prefix
from app.charts.step_parts import CALIBRATION, SERVING_GROUPS, Group, group_seconds

HEIGHT = 320
NAME = "token_time"
CORRECTION = Group("Calibration by own measurements", "c7", (CALIBRATION,))


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchTime:
    batch: float
    tpot_s: float
    parts_s: dict[str, float]


def token_time_figure(points: Sequence[BatchTime]) -> Figure:
    """A bar a batch, its parts stacked; parts that are nothing everywhere are left out."""
    groups = [
        group
        for group in (*SERVING_GROUPS, CORRECTION)
        if any(group_seconds(point.parts_s, group) for point in points)
    ]
    scale, unit = one_prefix([point.tpot_s for point in points], "s")
    return Figure(
        name=NAME,
        eyebrow="Time of one output token by part",
        takeaway=_takeaway(points, groups),
        caption="A bar a batch: sequences that one instance decodes at once. Parts sum to the mean time per output token.",
        columns=(Column("Batch"), *(Column(group.label, unit) for group in groups), Column("Total", unit)),
        rows=tuple(
            Row(
                (
                    counted(point.batch),
                    *(f"{_of(point, group) / scale:.2f}" for group in groups),
                    f"{point.tpot_s / scale:.2f}",
                )
            )
            for point in points
        ),
        legend=tuple(Mark(group.slot, group.label) for group in groups),
        plot=_plot(points, groups, scale, unit),
        narrow={"xaxis.nticks": 4},
    )


def _of(point: BatchTime, group: Group) -> float:
    return group_seconds(point.parts_s, group) or 0.0


def _takeaway(points: Sequence[BatchTime], groups: Sequence[Group]) -> str:
    first, last = points[0], points[-1]

    def largest(point: BatchTime) -> str:
        group = max(groups, key=lambda one: _of(point, one))
        return f"{group.label.lower()} {_of(point, group) / point.tpot_s:.0%}".replace("%", f"{THIN_SPACE}%")

    if len(points) == 1:
        return f"Time per token at a batch of {counted(first.batch)}: {largest(first)}."
    return f"Largest at a batch of {counted(first.batch)}: {largest(first)}; at {counted(last.batch)}: {largest(last)}."


def _plot(points: Sequence[BatchTime], groups: Sequence[Group], scale: float, unit: str) -> dict[str, Any]:
    names = [counted(point.batch) for point in points]
    seconds = {group: [_of(point, group) / scale for point in points] for group in groups}
    end = max(point.tpot_s for point in points) / scale * 1.06
    low = min((value for values in seconds.values() for value in values), default=0.0)
    return forms.plot(
        [
            forms.columns(
                names, values, group.slot, width=0.6, edge="bg", edge_width=1, name=group.label,
                hover=f"{group.label}<br>batch %{{x}}<br>%{{y:.3~g}}{THIN_SPACE}{unit}",
            )
            for group, values in seconds.items()
        ],
        HEIGHT,
        x=forms.cells(
            [], "Batch of a decode instance", type="category", tickangle=0, nticks=9, showline=True,
            linecolor=forms.token("axis")
        ),
        y=forms.values(forms.round_ticks(end), forms.plain, [min(low, 0.0), end], unit=unit),
        top=12,
        barmode="relative",
    )  # fmt: skip
