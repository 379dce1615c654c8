"""Demand for compute beside what devices give: every trend as a factor since one year, each with its band."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from app.charts import forms
from app.charts.figure import Column, Figure, Mark, Row, unknown_figure
from app.charts.format import THIN_SPACE, TIMES, WIDE_SPACE, brief, number, rounded, show

NAME = "growth_indexed"
EYEBROW = "Growth since {first}, demand and devices"
FIRST_YEAR, LAST_YEAR = 2018, 2026
HEIGHT = 420
MOORE = "Moore: twice in two years"
MOORE_YEARS = 2.0


class Style(NamedTuple):
    """How a trend is drawn: what it is called, its colour, its dash and its width."""

    label: str
    slot: str
    dash: str
    width: float = 1.8


STYLES = {
    "frontier_compute": Style("Training compute, frontier", "c1", "solid", 2.5),
    "device_best_flops": Style("FLOP/s per device", "c2", "dash"),
    "transistors": Style("Transistors", "c3", "longdash"),
    "memory_bandwidth": Style("Memory bandwidth", "c6", "dashdot"),
    "scale_out_bandwidth": Style("Scale-out bandwidth", "c4", "dot"),
    "scale_up_bandwidth": Style("Scale-up bandwidth", "c5", "longdashdot"),
}
DEMAND, DEVICE = "frontier_compute", "device_best_flops"


class Line(NamedTuple):
    """Factors over the years shown."""

    style: Style
    central: float
    low: float
    high: float
    doubling: float | None
    rows: int

    def at(self, years: float) -> tuple[float, float, float]:
        """Low, central and high factor after some years."""
        low, central, high = (rate**years for rate in (self.low, self.central, self.high))
        return low, central, high


def indexed_figure(items: list[dict[str, Any]], rates: dict[str, float]) -> Figure:
    """A line a trend, all one in the first year.

    Parameters
    ----------
    items : trends, as the answer lists them
    rates : growth per year of a reference line by its name, such as Moore's
    """
    eyebrow = EYEBROW.format(first=FIRST_YEAR)
    caption = (
        f"Each line is the fit of its trend, {TIMES}1 in {FIRST_YEAR}; bands are the 90 % intervals of the rates. "
        "Bandwidths are one way, FLOP/s dense at the best precision of the time."
    )
    by_key = {one["key"]: one for one in items if one["fit"]}
    lines = [_line(by_key[key], style) for key, style in STYLES.items() if key in by_key]
    if not lines:
        return unknown_figure(NAME, eyebrow, caption, "No trend has enough dated figures.")
    span = LAST_YEAR - FIRST_YEAR
    return Figure(
        name=NAME,
        eyebrow=eyebrow,
        takeaway=_takeaway({line.style.label: line for line in lines}, span),
        caption=caption,
        columns=(
            Column.words("Trend"), Column("Growth per year"), Column("Interval"), Column("Doubling"),
            Column(f"Factor after {span} years"), Column("Interval"), Column("Figures"),
        ),
        rows=tuple(_row(line, span) for line in lines)
        + tuple(_reference_row(name, rate, span) for name, rate in rates.items()),
        legend=(
            *(Mark(line.style.slot, line.style.label, times(line.at(span)[1])) for line in lines),
            *(Mark("line-dot", name, times(rate**span)) for name, rate in rates.items()),
        ),
        plot=_plot(lines, rates, span),
        narrow={
            "xaxis.tickvals": [FIRST_YEAR, FIRST_YEAR + span / 2, LAST_YEAR],
            "xaxis.ticktext": [str(FIRST_YEAR), str(FIRST_YEAR + span // 2), str(LAST_YEAR)],
        },
    )  # fmt: skip


def _line(item: dict[str, Any], style: Style) -> Line:
    fit = item["fit"]
    return Line(style, fit["annual_factor"], fit["low"], fit["high"], fit["doubling_years"], item["n"])


def _takeaway(lines: dict[str, Line], span: int) -> str:
    demand, device = (lines.get(STYLES[key].label) for key in (DEMAND, DEVICE))
    if demand is None or device is None:
        line = next(iter(lines.values()))
        return f"{line.style.label} grew {times(line.at(span)[1])} in {span} years."
    ask, give = demand.at(span)[1], device.at(span)[1]
    return (
        f"In {span} years a frontier run came to ask for {times(ask)} the compute while a device came to give {times(give)} "
        f"the arithmetic: the other {times(ask / give)} is more devices, longer runs and better use."
    )


def _row(line: Line, span: int) -> Row:
    low, central, high = line.at(span)
    return Row(
        (
            line.style.label, times(line.central), f"{times(line.low)} to {times(line.high)}",
            doubling_text(line.doubling), times(central), f"{times(low)} to {times(high)}", str(line.rows),
        ),
        slot=line.style.slot,
    )  # fmt: skip


def _reference_row(name: str, rate: float, span: int) -> Row:
    doubling = math.log(2) / math.log(rate)
    return Row((name, times(rate), "", doubling_text(doubling), times(rate**span), "", ""))


def _plot(lines: list[Line], rates: dict[str, float], span: int) -> dict[str, Any]:
    years = [float(year) for year in range(span + 1)]
    x = [FIRST_YEAR + year for year in years]
    factors = {line: [line.at(year) for year in years] for line in lines}
    bands = [
        forms.band(x, [low for low, _, _ in found], [high for _, _, high in found], line.style.slot, 0.14)
        for line, found in factors.items()
    ]
    trends = [
        forms.line(
            x, [central for _, central, _ in found], line.style.slot, line.style.width, line.style.dash,
            name=line.style.label, said=[[times(factor) for factor in one] for one in found],
            hover=f"{line.style.label}, %{{x}}<br>%{{customdata[1]}} (%{{customdata[0]}} to %{{customdata[2]}})",
        )
        for line, found in factors.items()
    ]  # fmt: skip
    references = [
        forms.line(
            x, [rate**year for year in years], "text-3", 1.5, "dot", name=name,
            hover=f"{name}, %{{x}}<br>{TIMES}%{{y:.3g}}",
        )
        for name, rate in rates.items()
    ]  # fmt: skip
    top = math.log10(max(line.at(span)[2] for line in lines))
    decades = [10.0**power for power in range(math.floor(top) + 1)]
    ticks = range(FIRST_YEAR, LAST_YEAR + 1, 2)
    return forms.plot(
        [*bands, *references, *trends],
        HEIGHT,
        x=forms.along(ticks, str, [FIRST_YEAR, LAST_YEAR]),
        y=forms.values(decades, lambda tick: f"{TIMES}{tick:,.0f}", [-0.05, top + 0.1], type="log"),
        top=12,
        right=16,
    )


SCIENTIFIC_FROM = {"FLOP": 1e15}
"""Beyond the prefixes that people know."""
LARGE = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
PER = ("/W", "/USD")


def figure_text(value: float, unit: str, *, short: bool = False) -> str:
    """A figure with its unit; a tick of an axis is `short`, without noughts behind the point.

    >>> figure_text(2e6, "1").split(), figure_text(2e6, "1", short=True).split(), figure_text(16384.0, "1")
    (['2.00', 'million'], ['2', 'million'], '16,384')
    """
    if value >= SCIENTIFIC_FROM.get(unit, math.inf):
        text = number(value)
        if short:
            text = text.replace(f".00{TIMES}", TIMES).replace(f"1{TIMES}", "")
        return f"{text}{THIN_SPACE}{unit}"
    if unit == "1":
        return _count(value, short=short)
    ending = next((one for one in PER if unit.endswith(one)), "")
    shown = show(value, unit.removesuffix(ending) if ending else unit)
    text = shown.value.rstrip("0").rstrip(".") if short and "." in shown.value else shown.value
    return f"{shown._replace(value=text).text}{ending}"


def times(factor: float) -> str:
    """A factor of growth.

    >>> times(4.4671), times(162934.1), times(64.0)
    ('×4.47', '×163,000', '×64')
    """
    return f"{TIMES}{brief(factor)}"


def doubling_text(years: float | None) -> str:
    """A doubling time in the unit that people think it in.

    >>> doubling_text(0.463).split(), doubling_text(2.29).split(), doubling_text(None)
    (['5.6', 'months'], ['2.3', 'years'], 'not growing')
    """
    if years is None:
        return "not growing"
    return f"{12 * years:.1f}{WIDE_SPACE}months" if years < 1 else f"{years:.1f}{WIDE_SPACE}years"


def _count(value: float, *, short: bool) -> str:
    scale, word = next(((scale, f"{WIDE_SPACE}{word}") for scale, word in LARGE if value >= scale), (1.0, ""))
    if scale == 1:
        return number(round(value))
    scaled = rounded(value / scale)
    decimals = 2 - math.floor(math.log10(scaled))
    return f"{scaled:g}{word}" if short else f"{scaled:,.{decimals}f}{word}"
