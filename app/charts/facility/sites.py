"""Sites in cost and carbon: each a point, those that no other beats in both joined by steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts.figure import (
    Column,
    Figure,
    Mark,
    Row,
    layout,
    round_ticks,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import THIN_SPACE, WIDE_SPACE, number, show

NAME = "sites"
EYEBROW = "Cost against carbon, each point a site"
HEIGHT = 420
TITLE = {"standoff": 8, "font": {"size": 12}}
ROOM = 0.12  # of the span, beside the outermost points
TONNES_FROM_KG = 1e4
MOST_NAMED = 6  # of the front, beside their points: more would lie on one another


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePoint:
    """A site that is ranked, with both figures known."""

    name: str
    usd_per_accelerator_hour: float
    operational_kg: float
    on_front: bool
    here: bool
    words: str  # of its plant and its weather


def sites_figure(points: Sequence[SitePoint], left_out: int) -> Figure:
    """The trade-off; `left_out` sites are not drawn, as a figure of theirs is unknown or they are not ranked."""
    caption = (
        "Operational carbon of the run, location based, against the cost of a used accelerator-hour. On the line no "
        f"other site is both cheaper and cleaner. {left_out} sites without both figures or without a place are "
        "left out."
    )
    if not points:
        return unknown_figure(NAME, EYEBROW, caption, "No site has both a known cost and known carbon.")
    front = sorted((point for point in points if point.on_front), key=lambda point: point.operational_kg)
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=_takeaway(points, front),
        caption=caption,
        height=HEIGHT,
        columns=(
            Column(name="Site", numeric=False),
            Column(name="Accelerator-hour", unit="USD"),
            Column(name="Carbon of the run"),
            Column(name="On the line", numeric=False),
        ),
        rows=tuple(
            Row(
                cells=(
                    point.name,
                    _usd(point.usd_per_accelerator_hour),
                    show(point.operational_kg, "kg").text,
                    "yes" if point.on_front else "",
                )
            )
            for point in points
        ),
        legend=(
            Mark(slot="c7", label="Sites"),
            Mark(slot="c1", label="No other is cheaper and cleaner"),
            *((Mark(slot="c2", label="This design"),) if any(point.here for point in points) else ()),
        ),
        plot=_plot(points, front),
        narrow={"xaxis.nticks": 3},
    )


def _takeaway(points: Sequence[SitePoint], front: Sequence[SitePoint]) -> str:
    cleanest, cheapest = front[0], front[-1]
    here = next((point for point in points if point.here), None)
    if len(front) == 1:
        said = f"{cheapest.name} is both cheapest and cleanest."
    else:
        dearer = cleanest.usd_per_accelerator_hour / cheapest.usd_per_accelerator_hour - 1
        less = 1 - cleanest.operational_kg / cheapest.operational_kg
        said = f"{cheapest.name} is cheapest; {cleanest.name} emits {_percent(less)} less for {_percent(dearer)} more."
    if here is None or here.on_front:
        return said
    above = here.usd_per_accelerator_hour / cheapest.usd_per_accelerator_hour - 1
    return f"{said} {here.name} costs {_percent(above)} more than the cheapest."


def _plot(points: Sequence[SitePoint], front: Sequence[SitePoint]) -> dict[str, Any]:
    tonnes = max(point.operational_kg for point in points) >= TONNES_FROM_KG
    scale, unit = (1e3, "t") if tonnes else (1.0, "kg")
    right = max(point.operational_kg for point in points) / scale * (1 + ROOM) or 1.0
    costs = [point.usd_per_accelerator_hour for point in points]
    span = (max(costs) - min(costs)) or max(costs) * 0.1 or 1.0
    low, high = min(costs) - ROOM * span, max(costs) + ROOM * span
    x_ticks, y_ticks = round_ticks(right, 4), _ticks(low, high)
    here = [point for point in points if point.here]
    data = [
        _trace([point for point in points if not point.on_front], scale, {"size": 8, "color": token("c7")}),
        _trace(front, scale, {"size": 9, "color": token("c1")})
        | {
            "mode": "lines+markers+text",
            "line": {"shape": "hv", "width": 2, "color": token("c1")},
            "text": [point.name if place < MOST_NAMED else "" for place, point in enumerate(front)],
            "textposition": ["top right"] * (len(front) - 1)
            + ["bottom right"],  # apart where points are near
            "textfont": {"size": 12, "color": token("text")},
        },
    ]
    if here:
        ring = {"size": 16, "symbol": "circle-open", "color": token("c2"), "line": {"width": 2}}
        data.append(_trace(here, scale, ring))
    return {
        "data": data,
        "layout": layout(
            HEIGHT,
            margin={"l": 8, "r": 24, "t": 16, "b": 8},
            xaxis=value_axis(
                x_ticks,
                [
                    f"{number(tick) if tick else '0'}{f'{THIN_SPACE}{unit}' if tick == x_ticks[-1] else ''}"
                    for tick in x_ticks
                ],
                [-0.02 * right, right],
                title={"text": "Operational carbon of the run", **TITLE},
                showline=True,
                linecolor=token("axis"),
            ),
            yaxis=value_axis(
                y_ticks,
                [f"{_usd(tick)}{f'{WIDE_SPACE}USD' if tick == y_ticks[-1] else ''}" for tick in y_ticks],
                [low, high],
                title={"text": "Used accelerator-hour", **TITLE},
            ),
        ),
    }


def _trace(points: Sequence[SitePoint], scale: float, marker: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [point.operational_kg / scale for point in points],
        "y": [point.usd_per_accelerator_hour for point in points],
        "marker": marker,
        "customdata": [
            [
                point.name,
                f"{_usd(point.usd_per_accelerator_hour)} USD, {show(point.operational_kg, 'kg').text}",
                point.words,
            ]
            for point in points
        ],
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}<extra></extra>",
    }


def _ticks(low: float, high: float) -> list[float]:
    """Round values between two others, some four of them.

    >>> _ticks(3.17, 3.42)
    [3.2, 3.25, 3.3, 3.35, 3.4]
    """
    step = round_ticks(high - low, 5)[1]
    first = int(low / step) + (low > 0)
    return [round(step * place, 9) for place in range(first, int(high / step) + 1)] or [high]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}{THIN_SPACE}%"


def _usd(value: float) -> str:
    return f"{value:,.3g}" if value >= 100 else f"{value:.2f}"
