"""Published PUE of cloud regions against ours, in the climate of each, with the band that operators lie in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, table, unknown_figure
from app.charts.format import signed_percent

NAME = "pue_regions"
EYEBROW = "PUE of cloud regions, published vs computed"
HEIGHT = 500
STEP = 0.1
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
    slots = dict(zip(providers, forms.SYMBOLS, strict=False))
    return Figure(
        name=NAME,
        eyebrow=EYEBROW,
        takeaway=takeaway,
        caption=caption,
        **table(
            points,
            (Column.words("Region and year"), lambda point: point.name),
            (Column.words("Provider"), lambda point: point.provider),
            (Column("Published"), lambda point: f"{point.published:.2f}"),
            (Column("Podwright"), lambda point: f"{point.predicted:.2f}"),
            (Column("Difference"), lambda point: signed_percent(point.predicted / point.published - 1)),
        ),
        legend=(
            *(Mark(slots[provider], provider) for provider in providers),
            Mark("line-dot", "one operator in ten beyond"),
        ),
        plot=forms.plot(
            [
                *_lines(points, below, above),
                *(
                    _markers(provider, near, forms.SYMBOLS[slots[provider]], slots[provider], points)
                    for provider in providers
                    for near in (True, False)
                ),
            ],
            HEIGHT,
            x=_axis([point.predicted for point in points], "Podwright, air-cooled halls (PUE)"),
            y=_axis([point.published for point in points], "Published (PUE)"),
            right=16,
        ),
    )


def _axis(values: Sequence[float], title: str) -> dict[str, Any]:
    low, high = min(values) - ROOM, max(values) + ROOM
    steps = [step * STEP for step in range(round(low / STEP), round(high / STEP) + 1)]
    within = [step for step in steps if low <= step <= high]
    return forms.values(within, lambda step: f"{step:.1f}", [low, high], base=True, title=title)


def _lines(points: Sequence[RegionPoint], below: float, above: float) -> list[dict[str, Any]]:
    """Where both agree, and the band around it."""
    ends = [end(point.predicted for point in points) for end in (min, max)]
    looks = ((0.0, ""), (-below, "dot"), (above, "dot"))
    return [forms.line(ends, [value + shift for value in ends], "control", 1, dash) for shift, dash in looks]


def _markers(
    provider: str, near: bool, symbol: str, slot: str, points: Sequence[RegionPoint]
) -> dict[str, Any]:
    members = [point for point in points if point.provider == provider and point.near == near]
    look = {"symbol": symbol, "edge": "bg", "edge_width": 0.5} if near else {
        "symbol": f"{symbol}-open", "edge": slot, "edge_width": 1.5
    }  # fmt: skip
    return forms.dots(
        [point.predicted for point in members], [point.published for point in members], slot, opacity=0.75, name=provider,
        said=[[point.name, f"{point.published:.2f}", f"{point.predicted:.2f}"] for point in members],
        hover="%{customdata[0]}<br>%{customdata[1]} published, %{customdata[2]} computed", **look,
    )  # fmt: skip
