"""A site's own supply: weeks by source against the load, prices by duration, and the charge of the battery."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import number, one_prefix

HEIGHT = 280
LOW = 180
DAYS = 7
TICKS = (0, 2000, 4000, 6000, 8000)
SLOTS = ("c1", "c3", "c5", "c6", "c4", "c1-tint", "text-3", "c7")
"""Of own plant, in its order."""
GRID, BATTERY, NOT_CARRIED = "Grid", "Battery", "Not carried"
BESIDE = {GRID: "c7", BATTERY: "c2", NOT_CARRIED: "bad"}
"""Of what is not own plant."""


class SupplyHours(NamedTuple):
    """A week hour by hour: load and the parts that carry it in W, and what a battery holds in Wh."""

    title: str
    load_w: Sequence[float]
    parts: Sequence[tuple[str, Sequence[float]]]
    stored_wh: Sequence[float]


def supply_week_figure(week: SupplyHours, name: str) -> Figure:
    """What carries the load in each hour, stacked."""
    eyebrow = f"{week.title}, hour by hour"
    caption = "Areas are what is generated, taken from the grid or given by the battery; the line is the load. What lies above it is stored or curtailed."
    if np.isnan(np.sum(week.load_w)):
        return unknown_figure(name, eyebrow, caption, "The load of the site is unknown.")
    highest = float(np.sum([values for _, values in week.parts], axis=0).max())
    highest = max(highest, *week.load_w)
    scale, unit = one_prefix([highest], "W")
    label, most = max(week.parts, key=lambda part: sum(part[1]))
    share = sum(most) / max(sum(sum(values) for _, values in week.parts), 1e-9)
    own = iter(SLOTS)
    slots = [BESIDE.get(part) or next(own) for part, _ in week.parts]
    return Figure(
        name=name,
        eyebrow=f"{eyebrow}, {unit}",
        takeaway=f"{label}: {100 * share:.0f} % of what this week is given.",
        caption=caption,
        columns=(Column.words("Day"), *(Column(part, unit) for part, _ in week.parts), Column("Load", unit)),
        rows=tuple(
            Row(
                (
                    f"Day {day + 1}, mean",
                    *(
                        number(float(np.mean(values[24 * day : 24 * day + 24])) / scale)
                        for values in (*(values for _, values in week.parts), week.load_w)
                    ),
                )
            )
            for day in range(DAYS)
        ),
        legend=(
            *(Mark(slot, part) for (part, _), slot in zip(week.parts, slots, strict=True)),
            Mark("text", "Load"),
        ),
        plot=_week_plot(week, slots, scale, unit, highest),
    )


def _week_plot(
    week: SupplyHours, slots: Sequence[str], scale: float, unit: str, highest: float
) -> dict[str, Any]:
    hours = range(24 * DAYS)

    def line(label: str, values: Sequence[float], slot: str, width: float, **area: Any) -> dict[str, Any]:
        heights = [round(value / scale, 6) for value in values]
        hover = f"{label}<br>%{{y:.4~g}} {unit}"
        return forms.line(hours, heights, slot, width, shape="hvh", name=label, hover=hover, **area)

    areas = [
        line(part, values, slot, 0, stackgroup="supply", fillcolor=forms.token(slot))
        for (part, values), slot in zip(week.parts, slots, strict=True)
    ]
    return forms.plot(
        [*areas, line("Load", week.load_w, "text", 1.5)],
        HEIGHT,
        x=_days(),
        y=forms.from_zero(highest / scale * 1.05, unit, wanted=4),
        right=16,
    )


def _days() -> Any:
    middles = [24.0 * day + 12 for day in range(DAYS)]
    return forms.along(middles, [f"Day {day + 1}" for day in range(DAYS)], [0, 24 * DAYS - 1])


def battery_figure(week: SupplyHours, name: str) -> Figure:
    """Energy in the battery at the end of each hour."""
    highest = max(*week.stored_wh, 1.0)
    scale, unit = one_prefix([highest], "Wh")
    heights = [round(value / scale, 6) for value in week.stored_wh]
    lowest = min(week.stored_wh) / scale
    return Figure(
        name=name,
        eyebrow=f"Charge of the battery, {week.title}, {unit}",
        takeaway=f"Between {number(lowest)} and {number(max(heights))} {unit} in this week.",
        caption="At the end of each hour. The year ends as full as it began.",
        columns=(Column.words("Day"), Column("Least", unit), Column("Most", unit)),
        rows=tuple(
            Row(
                (
                    f"Day {day + 1}",
                    *(number(of(heights[24 * day : 24 * day + 24])) for of in (min, max)),
                )
            )
            for day in range(DAYS)
        ),
        plot=forms.plot(
            [
                forms.line(
                    range(24 * DAYS),
                    heights,
                    "c2",
                    2,
                    shape="hvh",
                    name="Charge",
                    hover=f"%{{y:.4~g}} {unit}",
                )
            ],
            LOW,
            x=_days(),
            y=forms.from_zero(highest / scale * 1.05, unit, wanted=3),
            right=16,
        ),
    )


def price_duration_figure(hours: Sequence[float], usd_per_kwh: Sequence[float], market: str) -> Figure:
    """Price of the grid that is reached or passed in so many hours of the year."""
    name, eyebrow, caption = (
        "price_duration",
        "Price of the grid by hours, USD/MWh",
        "Hours sorted from dear to cheap; the mean is the site's yearly price.",
    )
    prices = [1e3 * price for price in usd_per_kwh]
    if np.isnan(prices).any():
        return unknown_figure(name, eyebrow, caption, "The price of electricity at this site is unknown.")
    below = sum(price < 0 for price in prices)
    dearest, cheapest = number(prices[0]), number(prices[-1])
    shown = list(range(0, len(hours), max(len(hours) // 12, 1)))
    room = 0.04 * (prices[0] - prices[-1]) or 0.05 * abs(prices[0]) or 1.0
    extent = [prices[-1] - room, prices[0] + room]
    return Figure(
        name=name,
        eyebrow=eyebrow,
        takeaway=f"From {dearest} to {cheapest} USD/MWh{', with hours below zero' if below else ''}."
        if market
        else f"{dearest} USD/MWh in every hour: no market is stated.",
        caption=caption,
        columns=(Column("Hours"), Column("Price", "USD/MWh")),
        rows=tuple(Row((f"{hours[at]:,.0f}", number(prices[at]))) for at in shown),
        narrow={"xaxis.tickvals": [0, 4000, 8000], "xaxis.ticktext": ["0", "4,000", "8,000"]},
        plot=forms.plot(
            [forms.line(hours, prices, "c1", 2, name="Price", hover="%{y:.4~g} USD/MWh<br>%{x:,.0f} h")],
            HEIGHT,
            x=forms.along(TICKS, [f"{tick:,}" for tick in TICKS], [0, 8760], title="Hours of the year"),
            y=forms.values(forms.even_ticks(extent[0], extent[1]), number, extent, unit="USD/MWh"),
            right=16,
        ),
    )
