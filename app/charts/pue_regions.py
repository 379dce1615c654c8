"""Published PUE of cloud regions against ours, in the climate of each, with the band that operators lie in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts.figure import Column, Figure, Mark, Row, layout, token, unknown_figure, value_axis
from app.charts.format import signed_percent

NAME = "pue_regions"
EYEBROW = "PUE of cloud regions, published against ours"
HEIGHT = 500
STEP = 0.1
MARKERS = ("circle", "square", "diamond", "cross", "triangle-up")
SLOTS = ("c1", "c2", "c3", "c4", "c5")
ROOM = 0.02


class RegionPoint(NamedTuple):
    """A region in one year. `near` says whether its climate year is near enough to rank it by."""

    name: str
    provider: str
    published: float
    predicted: float
    near: bool


def pue_regions_figure(
    points: Sequence[RegionPoint], *, below: float, above: float, takeaway: str, caption: str
) -> Figure:
    """A marker a region and year, filled where its climate is near; the dotted lines are the band.

    Parameters
    ----------
    below, above : how far one operator in ten lies below ours and above
    """
    if not points:
        return unknown_figure(NAME, EYEBROW, caption, "No region publishes a PUE.")
    providers = sorted({point.provider for point in points})
    slots = dict(zip(providers, SLOTS, strict=False))
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=takeaway,
        caption=caption,
        height=HEIGHT,
        columns=(
            Column(name="Region and year", numeric=False),
            Column(name="Provider", numeric=False),
            Column(name="Published"),
            Column(name="Ours"),
            Column(name="Difference"),
        ),
        rows=tuple(
            Row(
                cells=(
                    point.name,
                    point.provider,
                    f"{point.published:.2f}",
                    f"{point.predicted:.2f}",
                    signed_percent(point.predicted / point.published - 1),
                )
            )
            for point in points
        ),
        legend=(
            *(Mark(slot=slots[provider], label=provider) for provider in providers),
            Mark(slot="line-dot", label="one operator in ten beyond"),
        ),
        plot={
            "data": [
                *_lines(points, below, above),
                *(
                    _markers(provider, near, MARKERS[index % len(MARKERS)], slots[provider], points)
                    for index, provider in enumerate(providers)
                    for near in (True, False)
                ),
            ],
            "layout": layout(
                HEIGHT,
                margin={"l": 8, "r": 16, "t": 8, "b": 8},
                xaxis=_axis([point.predicted for point in points], "Ours, air-cooled halls (PUE)"),
                yaxis=_axis([point.published for point in points], "Published (PUE)"),
            ),
        },
    )


def _axis(values: Sequence[float], title: str) -> dict[str, Any]:
    low, high = min(values) - ROOM, max(values) + ROOM
    steps = [
        step * STEP for step in range(round(low / STEP), round(high / STEP) + 1) if low <= step * STEP <= high
    ]
    return value_axis(
        steps,
        [f"{step:.1f}" for step in steps],
        [low, high],
        title={"text": title, "standoff": 8, "font": {"size": 12, "color": token("text-3")}},
        showline=True,
        linecolor=token("axis"),
    )


def _lines(points: Sequence[RegionPoint], below: float, above: float) -> list[dict[str, Any]]:
    """Where both agree, and the band around it."""
    ends = [end(point.predicted for point in points) for end in (min, max)]

    def line(shift: float, **style: Any) -> dict[str, Any]:
        return {
            "type": "scatter",
            "mode": "lines",
            "x": ends,
            "y": [value + shift for value in ends],
            "line": {"width": 1, "color": token("control"), **style},
            "hoverinfo": "skip",
        }

    return [line(0.0), line(-below, dash="dot"), line(above, dash="dot")]


def _markers(
    provider: str, near: bool, symbol: str, slot: str, points: Sequence[RegionPoint]
) -> dict[str, Any]:
    members = [point for point in points if point.provider == provider and point.near == near]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": provider,
        "x": [point.predicted for point in members],
        "y": [point.published for point in members],
        "marker": {
            "symbol": symbol if near else f"{symbol}-open",
            "size": 8,
            "color": token(slot),
            "opacity": 0.75,
            "line": {"color": token("bg") if near else token(slot), "width": 0.5 if near else 1.5},
        },
        "customdata": [[point.name, f"{point.published:.2f}", f"{point.predicted:.2f}"] for point in members],
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]} published, %{customdata[2]} ours<extra></extra>",
    }
