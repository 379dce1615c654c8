"""A sweep: what one figure comes to over one of the fields that vary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.engine.units import inside

NAME = "sweep"
HEIGHT = 380
WIDE_RANGE = 30
"""From this ratio on, an axis is logarithmic."""
LINE_CAPTION = (
    "Feasible designs only. The line is the best of each value, whatever the other fields are; the thin bars "
    "reach to the worst."
)
POINTS_CAPTION = "Feasible designs only, each a point; of many, evenly chosen ones are drawn."


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A field or a figure as the chart names it; `shown` says a value of it in words."""

    name: str
    unit: str
    shown: Any  # (float) -> str


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The feasible designs with one value of the field: the best, and the worst."""

    value: Any
    best: float
    worst: float
    designs: int


def sweep_line(
    field: Quantity, output: Quantity, groups: Sequence[Group], *, takeaway: str, goal: str
) -> Figure:
    """A line over the values of a field; a value without a feasible design leaves a gap in it."""
    eyebrow = f"{output.name} by {inside(field.name)}"
    if not groups:
        return unknown_figure(NAME, eyebrow, LINE_CAPTION, "No feasible design has this figure.")
    words = [field.shown(group.value) for group in groups]
    numeric = all(
        isinstance(group.value, int | float) and not isinstance(group.value, bool) for group in groups
    )
    spread = any(group.worst != group.best for group in groups)
    rows = [
        (word, output.shown(group.best), output.shown(group.worst), f"{group.designs:,}")
        for word, group in zip(words, groups, strict=True)
    ]
    range_ = forms.error_bars(
        [max(group.worst - group.best, 0) for group in groups], [max(group.best - group.worst, 0) for group in groups],
        "c1-tint", thickness=1, width=0,
    )  # fmt: skip
    draw = forms.line if numeric else forms.dots
    line = draw(
        [group.value for group in groups] if numeric else words, [group.best for group in groups],
        size=7 if len(groups) <= 60 else 4, error_y=range_ if spread else {"visible": False}, said=rows,
        hover="%{customdata[0]}<br>best %{customdata[1]}, worst %{customdata[2]}<br>%{customdata[3]} feasible",
    )  # fmt: skip
    return Figure(
        name=NAME,
        eyebrow=eyebrow,
        takeaway=takeaway,
        caption=LINE_CAPTION if spread else "Feasible designs only.",
        columns=(
            Column(field.name), Column(f"Best, the {goal}"), Column("Worst"), Column("Feasible designs"),
        ),
        rows=tuple(Row(cells) for cells in rows),
        plot=forms.plot(
            [line],
            HEIGHT,
            x=_axis([float(group.value) for group in groups], field)
            if numeric
            else _words_axis(words, field.name),
            y=_axis([end for group in groups for end in (group.best, group.worst)], output),
            top=16,
            right=24,
        ),
        legend=(Mark("c1", "Best of each value"),) if spread else (),
    )  # fmt: skip


def sweep_points(
    field: Quantity, output: Quantity, points: Sequence[tuple[int, float, float]], *, takeaway: str
) -> Figure:
    """Designs of a sample: (index, value of the field, figure) each."""
    eyebrow = f"{output.name} by {inside(field.name)}"
    if not points:
        return unknown_figure(NAME, eyebrow, POINTS_CAPTION, "No feasible design has this figure.")
    said = [(f"{index:,}", field.shown(value), output.shown(figure)) for index, value, figure in points]
    trace = forms.dots(
        [value for _, value, _ in points], [figure for _, _, figure in points], "c1", 6, edge="bg", edge_width=1, said=said,
        hover="design %{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}",
    )  # fmt: skip
    return Figure(
        name=NAME,
        eyebrow=eyebrow,
        takeaway=takeaway,
        caption=POINTS_CAPTION,
        columns=(Column("Design"), Column(field.name), Column(output.name)),
        rows=tuple(Row(cells) for cells in said[:100]),
        plot=forms.plot(
            [trace],
            HEIGHT,
            x=_axis([value for _, value, _ in points], field),
            y=_axis([figure for _, _, figure in points], output),
            top=16,
            right=24,
        ),
    )


def _axis(values: Sequence[float], quantity: Quantity) -> dict[str, Any]:
    """Logarithmic over a wide range, else linear; every label in words, the name as title."""
    low, high = min(values), max(values)
    if low > 0 and high / low >= WIDE_RANGE:
        return forms.log(values, quantity.unit, quantity.name)
    room = (high - low) * 0.04 or abs(high) * 0.04 or 1.0
    extent = [low - room, high + room]
    return forms.values(
        forms.even_ticks(low, high, 5), quantity.shown, extent, tickangle=0, title=quantity.name
    )


def _words_axis(words: list[str], title: str) -> dict[str, Any]:
    return forms.names(words, title=title, autorange=True, ticklabelstandoff=0)
