"""What comes in and goes out each year, and what that adds up to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts.figure import (
    Column,
    Figure,
    Mark,
    Row,
    even_ticks,
    layout,
    token,
    unknown_figure,
    value_axis,
)
from app.charts.format import WIDE_SPACE, number
from app.charts.tco import Scale, money_scale

NAME = "cash_flow"
EYEBROW = "Cash flow by year"
HEIGHT = 360
CAPTION = "Bars above the line come in, bars below it are paid. Lines add up what is left after all of them."
UNKNOWN = "What comes in and what is paid is unknown."


class Kind(NamedTuple):
    """A kind of bar: `sign` is -1 where it is paid."""

    label: str
    slot: str
    sign: int


class CashYears(NamedTuple):
    """Positive amounts for each year, from the day of purchase; sums carry their sign."""

    revenue: Sequence[float]
    sales: Sequence[float]
    purchase: Sequence[float]
    running: Sequence[float]
    tax: Sequence[float]
    cumulative: Sequence[float]
    discounted: Sequence[float]  # cumulative too


def cash_flow_figure(years: CashYears, *, revenue_label: str, takeaway: str, has_tax: bool) -> Figure:
    """Bars by kind and the cumulative lines. Where revenue is unknown the cost is drawn alone."""
    if math.isnan(years.running[-1]) or math.isnan(years.purchase[0]):
        return unknown_figure(NAME, EYEBROW, CAPTION, UNKNOWN)
    kinds = _kinds(years, revenue_label, has_tax)
    is_known = not math.isnan(years.cumulative[-1])
    scale = money_scale(_highest(years))
    sums = (
        (("Cumulative", years.cumulative), ("Discounted, cumulative", years.discounted)) if is_known else ()
    )
    return Figure(
        name=NAME,
        eyebrow=f"{EYEBROW}, {scale.unit}",
        takeaway=takeaway,
        caption=CAPTION,
        height=HEIGHT,
        columns=(
            Column(name="Year"),
            *(Column(name=kind.label, unit=scale.unit) for kind, _ in kinds),
            *(Column(name=label, unit=scale.unit) for label, _ in sums),
        ),
        rows=tuple(
            Row(
                cells=(
                    str(year),
                    *(scale.words(kind.sign * values[year]) for kind, values in kinds),
                    *(scale.words(values[year]) for _, values in sums),
                )
            )
            for year in range(len(years.purchase))
        ),
        legend=(
            *(Mark(slot=kind.slot, label=kind.label) for kind, _ in kinds),
            *(
                Mark(slot=slot, label=label)
                for (label, _), slot in zip(sums, ("text", "text-3"), strict=False)
            ),
        ),
        plot=_plot(years, kinds, sums, scale),
        narrow={"margin.r": 8},
    )


def _kinds(years: CashYears, revenue_label: str, has_tax: bool) -> list[tuple[Kind, Sequence[float]]]:
    found: list[tuple[Kind, Sequence[float]]] = []
    if not math.isnan(years.revenue[-1]):
        found.append((Kind(revenue_label, "c3", 1), years.revenue))
    if any(value > 0 for value in years.sales):
        found.append((Kind("Worth at the end", "c6", 1), years.sales))
    found += [(Kind("Purchase", "c1", -1), years.purchase), (Kind("Running cost", "c2", -1), years.running)]
    if has_tax and not math.isnan(years.tax[-1]):
        found.append((Kind("Tax", "c5", -1), years.tax))
    return found


def _highest(years: CashYears) -> float:
    known = [*years.purchase, *years.running, *years.revenue, *years.cumulative]
    return max(abs(value) for value in known if not math.isnan(value))


def _plot(
    years: CashYears,
    kinds: list[tuple[Kind, Sequence[float]]],
    sums: Sequence[tuple[str, Sequence[float]]],
    scale: Scale,
) -> dict[str, Any]:
    at = list(range(len(years.purchase)))
    data: list[dict[str, Any]] = [
        {
            "type": "bar",
            "name": kind.label,
            "x": at,
            "y": [kind.sign * value / scale.divisor for value in values],
            "width": 0.56,
            "marker": {"color": token(kind.slot), "line": {"color": token("bg"), "width": 1.5}},
            "customdata": [scale.words(kind.sign * value) for value in values],
            "hovertemplate": f"{kind.label}, year %{{x}}<br>%{{customdata}}{WIDE_SPACE}{scale.unit}<extra></extra>",
        }
        for kind, values in kinds
    ]
    looks = ((token("text"), "solid", 2.5, "circle"), (token("text-3"), "dash", 1.8, "square"))
    data += [
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": label,
            "x": at,
            "y": [value / scale.divisor for value in values],
            "line": {"color": colour, "width": width, "dash": dash},
            "marker": {"color": colour, "size": 7, "symbol": symbol},
            "customdata": [scale.words(value) for value in values],
            "hovertemplate": f"{label}, year %{{x}}<br>%{{customdata}}{WIDE_SPACE}{scale.unit}<extra></extra>",
        }
        for (label, values), (colour, dash, width, symbol) in zip(sums, looks, strict=False)
    ]
    low, high = _extent(kinds, sums, scale, len(at))
    ticks = even_ticks(low, high)
    labels = [number(tick) for tick in ticks]
    labels[-1] += f"{WIDE_SPACE}{scale.unit}"
    step = max(1, round(len(at) / 12))
    return {
        "data": data,
        "layout": layout(
            HEIGHT,
            barmode="relative",
            margin={"l": 8, "r": 16, "t": 12, "b": 8},
            xaxis=value_axis(
                [float(year) for year in at[::step]],
                [str(year) for year in at[::step]],
                [-0.5, len(at) - 0.5],
                showgrid=False,
                title={
                    "text": "Year, 0 is the day of purchase",
                    "font": {"size": 12, "color": token("text-3")},
                },
            ),
            yaxis=value_axis(
                ticks,
                labels,
                [low * 1.06, high * 1.08],
                zeroline=True,
                zerolinecolor=token("axis"),
                zerolinewidth=1,
            ),
        ),
    }


def _extent(
    kinds: list[tuple[Kind, Sequence[float]]],
    sums: Sequence[tuple[str, Sequence[float]]],
    scale: Scale,
    years: int,
) -> tuple[float, float]:
    """The lowest and the highest of stacks and lines."""
    stacks = [[kind.sign * values[year] for kind, values in kinds] for year in range(years)]
    lines = [value for _, values in sums for value in values]
    low = min(0.0, *(sum(value for value in stack if value < 0) for stack in stacks), *lines)
    high = max(0.0, *(sum(value for value in stack if value > 0) for stack in stacks), *lines)
    return low / scale.divisor, high / scale.divisor
