"""A site that is built in phases: phases and power by month, the owners' cash, and emissions by source."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import WIDE_SPACE, number
from app.charts.tco import money_scale

TICKS = 10


class PhaseBar(NamedTuple):
    """Dates of a phase [months]."""

    name: str
    start: float
    ready: float
    delivery: float
    full: float
    end: float


class SitePower(NamedTuple):
    """Power by month [W]."""

    needed: Sequence[float]
    grid: Sequence[float]
    bridge: Sequence[float]


class SiteCash(NamedTuple):
    """Nominal money by month."""

    capital: Sequence[float]
    earned: Sequence[float]  # revenue less running cost and tax
    interest: Sequence[float]  # capitalised during construction, summed up
    owed: Sequence[float]
    cumulative: Sequence[float]


class YearCarbon(NamedTuple):
    """Emissions of a year [kg] by source."""

    year: int
    grid: float
    bridge: float


def phases_figure(phases: Sequence[PhaseBar], full_power: float) -> Figure:
    """A bar a phase: construction, waiting for power, ramp, full load."""
    last = max(phase.end for phase in phases)
    parts = (
        ("Construction", "c2", [(one.start, one.ready) for one in phases]),
        ("Waits for power", "c4", [(one.ready, one.delivery) for one in phases]),
        ("Ramp of load", "c6", [(one.delivery, one.full) for one in phases]),
        ("Full load", "c1", [(one.full, one.end) for one in phases]),
    )
    shown = [part for part in parts if any(end > begin for begin, end in part[2])]
    names = [phase.name for phase in phases]
    data = [
        forms.bars(
            names,
            [max(end - begin, 0) for begin, end in dates],
            slot,
            base=[begin for begin, _ in dates],
            name=label,
            width=0.56,
            said=[f"month {begin:g} to {end:g}" for begin, end in dates],
            hover=f"%{{y}}, {label.lower()}<br>%{{customdata}}",
        )
        for label, slot, dates in shown
    ]
    known = not math.isnan(full_power)
    return Figure(
        name="build_out_phases",
        eyebrow="Phases",
        takeaway=f"Full power from month {full_power:.0f}." if known else "The site never has full power.",
        caption="Months from the first order, phase by phase, to the end of the life of the equipment.",
        columns=(
            Column.words("Phase"),
            *(Column(name, "month") for name in ("Start", "Ready", "At work", "Full load", "End")),
        ),
        rows=tuple(
            Row(
                (
                    one.name,
                    *(f"{value:g}" for value in (one.start, one.ready, one.delivery, one.full, one.end)),
                )
            )
            for one in phases
        ),
        legend=tuple(Mark(slot, label) for label, slot, _ in shown),
        plot=forms.plot(
            data,
            70 + 44 * len(phases),
            x=_months(last),
            y=forms.names(names),
            limits=[forms.limit("full power", x=full_power, slot="text")] if known else None,
            barmode="overlay",
            top=24,
            right=16,
        ),
    )


def power_figure(power: SitePower) -> Figure:
    """What is there against what ready phases need."""
    months = list(range(len(power.needed)))
    scale, unit = (1e6, "MW") if max(power.needed) >= 1e6 else (1e3, "kW")
    series = (
        ("Needed", power.needed, "text", "solid"),
        ("Grid and bridge", [a + b for a, b in zip(power.grid, power.bridge, strict=True)], "c1", "solid"),
        ("Grid", power.grid, "c3", "dash"),
    )
    top = max(max(values) for _, values, _, _ in series) / scale
    short = sum(
        grid + bridge < needed * (1 - 1e-9)
        for needed, grid, bridge in zip(power.needed, power.grid, power.bridge, strict=True)
    )
    data = [
        forms.line(
            months, [value / scale for value in values], slot, 2, dash, shape="hv", name=label,
            said=[number(value / scale) for value in values], hover=f"{label}, month %{{x}}<br>%{{customdata}}{WIDE_SPACE}{unit}",
        )
        for label, values, slot, dash in series
    ]  # fmt: skip
    return Figure(
        name="build_out_power",
        eyebrow=f"Power available and needed, {unit}",
        takeaway=f"Power is short in {short} months." if short else "No phase is short of power once it is ready.",
        caption="At the meter, at the peak of the phases that are ready. Bridge power stays until the grid carries all.",
        columns=(Column("Month"), *(Column(label, unit) for label, *_ in series)),
        rows=tuple(
            Row((str(month), *(number(values[month] / scale) for _, values, _, _ in series)))
            for month in _changes(power)
        ),
        legend=tuple(Mark(slot, label) for label, _, slot, _ in series),
        plot=forms.plot(
            data, 300, x=_months(months[-1]), y=forms.values(forms.even_ticks(0, top), number, [0, top * 1.08], unit=unit),
            top=12, right=16,
        ),
    )  # fmt: skip


def cash_figure(cash: SiteCash, takeaway: str, *, has_debt: bool) -> Figure:
    """Cumulative cash of the owners, with what is owed and the interest that construction adds."""
    name, eyebrow, caption = (
        "build_out_cash",
        "Cumulative cash",
        "Nominal money from the day of the first order. Interest during construction is added to the debt.",
    )
    if math.isnan(cash.cumulative[-1]):
        return unknown_figure(name, eyebrow, caption, "A price or the rent that is earned is unknown.")
    months = list(range(len(cash.cumulative)))
    series = [("Cash of the owners", cash.cumulative, "c1", "solid")]
    if has_debt:
        series += [
            ("Owed", cash.owed, "c2", "dash"),
            ("Interest during construction", cash.interest, "c5", "dot"),
        ]
    scale = money_scale(max(max(abs(value) for value in values) for _, values, _, _ in series))
    low = min(min(values) for _, values, _, _ in series) / scale.divisor
    high = max(max(values) for _, values, _, _ in series) / scale.divisor
    data = [
        forms.line(
            months, scale.of(values), slot, 2, dash, name=label, said=[scale.words(value) for value in values],
            hover=f"{label}, month %{{x}}<br>%{{customdata}}{WIDE_SPACE}{scale.unit}",
        )
        for label, values, slot, dash in series
    ]  # fmt: skip
    return Figure(
        name=name,
        eyebrow=f"{eyebrow}, {scale.unit}",
        takeaway=takeaway,
        caption=caption,
        columns=(Column("Month"), *(Column(label, scale.unit) for label, *_ in series)),
        rows=tuple(
            Row((str(month), *(scale.words(values[month]) for _, values, _, _ in series)))
            for month in (*months[::12], *([months[-1]] if months[-1] % 12 else ()))
        ),
        legend=tuple(Mark(slot, label) for label, _, slot, _ in series),
        plot=forms.plot(
            data,
            320,
            x=_months(months[-1]),
            y=forms.values(
                forms.even_ticks(low, high),
                number,
                [low - 0.06 * (high - low), high + 0.08 * (high - low)],
                unit=scale.unit,
                **forms.look(zeroline=True, zerolinecolor=forms.token("axis"), zerolinewidth=1),
            ),
            top=12,
            right=16,
        ),
    )


def carbon_figure(years: Sequence[YearCarbon]) -> Figure:
    """Emissions of each year by source of power."""
    name, caption = "build_out_carbon", "Emissions of operation, by the source of the power."
    total = sum(one.grid + one.bridge for one in years)
    if math.isnan(total):
        return unknown_figure(name, "Emissions by source", caption, "The carbon of the grid is unknown.")
    bridged = sum(one.bridge for one in years)
    divisor, unit = (1e6, "kt") if total >= 1e7 else (1e3, "t")
    kinds = [("Grid", "c3", [one.grid / divisor for one in years])]
    if bridged > 0:
        kinds.append(("Bridge power", "c2", [one.bridge / divisor for one in years]))
    top = max((one.grid + one.bridge) / divisor for one in years) or 1.0
    at = [one.year for one in years]
    share = 100 * bridged / total if total > 0 else 0.0
    return Figure(
        name=name,
        eyebrow=f"Emissions by source, {unit} of CO\u2082",
        takeaway=f"{total / divisor:,.4g} {unit} over the life, {share:.0f} % of it by bridge power.",
        caption=caption,
        columns=(Column("Year"), *(Column(label, unit) for label, _, _ in kinds)),
        rows=tuple(
            Row((str(year), *(number(values[place]) for _, _, values in kinds))) for place, year in enumerate(at)
        ),
        legend=tuple(Mark(slot, label) for label, slot, _ in kinds),
        plot=forms.plot(
            [
                forms.columns(
                    at, values, slot, name=label, width=0.6, said=[number(value) for value in values],
                    hover=f"{label}, year %{{x}}<br>%{{customdata}}{WIDE_SPACE}{unit}",
                )
                for label, slot, values in kinds
            ],
            300,
            x=forms.values(at[:: max(1, len(at) // TICKS)], str, [0.4, at[-1] + 0.6], grid=False, title="Year from the first order"),
            y=forms.values(forms.even_ticks(0, top), number, [0, top * 1.08], unit=unit),
            barmode="stack",
            top=12,
            right=16,
        ),
    )  # fmt: skip


def _months(last: float) -> dict[str, Any]:
    step = next(step for step in (6, 12, 24, 36, 60, 120, 240) if last / step <= TICKS)
    ticks = [float(tick) for tick in range(0, int(last) + 1, step)]
    return forms.values(
        ticks, lambda value: f"{value:g}", [-0.5, last + 0.5], title="Months from the first order"
    )


def _changes(power: SitePower) -> list[int]:
    """Months in which something changes."""
    rows = list(zip(power.needed, power.grid, power.bridge, strict=True))
    return [month for month, row in enumerate(rows) if month == 0 or row != rows[month - 1]]
