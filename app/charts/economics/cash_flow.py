"""What comes in and goes out each year, and what that adds up to."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import WIDE_SPACE, number
from app.charts.tco import Scale, money_scale

SUMS = (("text", 2.5, "solid", "circle"), ("text-3", 1.8, "dash", "square"))

NAME = "cash_flow"
EYEBROW = "Cash flow by year"
HEIGHT = 360
CAPTION = "Bars above the line come in, bars below it are paid. Lines add up what is left after all."
UNKNOWN = "The cash flow is unknown."


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
        columns=(
            Column("Year"),
            *(Column(kind.label, scale.unit) for kind, _ in kinds),
            *(Column(label, scale.unit) for label, _ in sums),
        ),
        rows=tuple(
            Row(
                (
                    str(year),
                    *(scale.words(kind.sign * values[year]) for kind, values in kinds),
                    *(scale.words(values[year]) for _, values in sums),
                )
            )
            for year in range(len(years.purchase))
        ),
        legend=(
            *(Mark(kind.slot, kind.label) for kind, _ in kinds),
            *(Mark(slot, label) for (label, _), slot in zip(sums, ("text", "text-3"), strict=False)),
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
    shown = at[:: max(1, round(len(at) / 12))]
    hover = f", year %{{x}}<br>%{{customdata}}{WIDE_SPACE}{scale.unit}"
    data = [
        forms.columns(
            at, scale.of(kind.sign * value for value in values), kind.slot, name=kind.label, width=0.56, edge="bg",
            edge_width=1.5, said=[scale.words(kind.sign * value) for value in values], hover=f"{kind.label}{hover}",
        )
        for kind, values in kinds
    ]  # fmt: skip
    data += [
        forms.line(
            at, scale.of(values), slot, width, dash, size=7, symbol=symbol, name=label,
            said=[scale.words(value) for value in values], hover=f"{label}{hover}",
        )
        for (label, values), (slot, width, dash, symbol) in zip(sums, SUMS, strict=False)
    ]  # fmt: skip
    low, high = _extent(kinds, sums, scale, len(at))
    origin = forms.look(zeroline=True, zerolinecolor=forms.token("axis"), zerolinewidth=1)
    return forms.plot(
        data,
        HEIGHT,
        x=forms.values(shown, str, [-0.5, len(at) - 0.5], grid=False, title="Year, 0 is the day of purchase"),
        y=forms.values(
            forms.even_ticks(low, high), number, [low * 1.06, high * 1.08], unit=scale.unit, **origin
        ),
        top=12,
        right=16,
        barmode="relative",
    )


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
