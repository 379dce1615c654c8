"""Sites in cost and carbon: each a point, those that no other beats in both joined by steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, table, unknown_figure
from app.charts.format import number, share_text, show

NAME = "sites"
EYEBROW = "Cost vs carbon, each point a site"
HEIGHT = 420
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
        "Operational carbon of the run, location based, against the cost of a utilised accelerator-hour. On the line no "
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
        **table(
            points,
            (Column.words("Site"), lambda point: point.name),
            (Column("Accelerator-hour", "USD"), lambda point: _usd(point.usd_per_accelerator_hour)),
            (Column("Carbon of the run"), lambda point: show(point.operational_kg, "kg").text),
            (Column.words("On the line"), lambda point: "yes" if point.on_front else ""),
        ),
        legend=(
            Mark("c7", "Sites"),
            Mark("c1", "No other is cheaper and cleaner"),
            *((Mark("c2", "This design"),) if any(point.here for point in points) else ()),
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
        said = f"{cheapest.name} is cheapest; {cleanest.name} emits {share_text(less, 1)} less for {share_text(dearer, 1)} more."
    if here is None or here.on_front:
        return said
    above = here.usd_per_accelerator_hour / cheapest.usd_per_accelerator_hour - 1
    return f"{said} {here.name} costs {share_text(above, 1)} more than the cheapest."


def _plot(points: Sequence[SitePoint], front: Sequence[SitePoint]) -> dict[str, Any]:
    tonnes = max(point.operational_kg for point in points) >= TONNES_FROM_KG
    scale, unit = (1e3, "t") if tonnes else (1.0, "kg")
    right = max(point.operational_kg for point in points) / scale * (1 + ROOM) or 1.0
    costs = [point.usd_per_accelerator_hour for point in points]
    span = (max(costs) - min(costs)) or max(costs) * 0.1 or 1.0
    extent = [min(costs) - ROOM * span, max(costs) + ROOM * span]

    def drawn(some: Sequence[SitePoint]) -> dict[str, Any]:
        return {
            "x": [point.operational_kg / scale for point in some],
            "y": [point.usd_per_accelerator_hour for point in some],
            "said": [
                [
                    point.name,
                    f"{_usd(point.usd_per_accelerator_hour)} USD, {show(point.operational_kg, 'kg').text}",
                    point.words,
                ]
                for point in some
            ],
            "hover": "%{customdata[0]}<br>%{customdata[1]}<br>%{customdata[2]}",
        }

    names = [point.name if place < MOST_NAMED else "" for place, point in enumerate(front)]
    beside = ["top right"] * (len(front) - 1) + ["bottom right"]  # apart where points are near
    here = [point for point in points if point.here]
    data = [
        forms.dots(**drawn([point for point in points if not point.on_front]), slot="c7"),
        forms.line(**drawn(front), width=2, shape="hv", size=9, text=names, place=beside),
    ]
    if here:
        data.append(forms.dots(**drawn(here), slot="c2", size=16, symbol="circle-open", edge_width=2))
    return forms.plot(
        data,
        HEIGHT,
        x=forms.values(
            forms.round_ticks(right, 4), number, [-0.02 * right, right], unit=unit, base=True,
            title="Operational carbon of the run",
        ),
        y=forms.values(forms.even_ticks(extent[0], extent[1], 5), _usd, extent, unit="USD", title="Cost per utilised accelerator-hour"),
        top=16,
        right=24,
    )  # fmt: skip


def _usd(value: float) -> str:
    return f"{value:,.3g}" if value >= 100 else f"{value:.2f}"
