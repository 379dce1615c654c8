"""The uncertainty report of a design, as the page shows it: the verdict and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.charts.economics.distribution import Spread, distribution_figure
from app.charts.economics.sobol import VarianceBar, sobol_figure
from app.charts.economics.spider import RangeLine, spider_figure
from app.charts.economics.tornado import SwingBar, share_text, tornado_figure
from app.charts.figure import Figure
from app.charts.format import UNKNOWN, Shown, is_percent, number, percent, rounded, show, show_at
from app.engine.units import inside
from app.surfaces.pages.economics.uncertainty_inputs import input_text
from app.surfaces.pages.studio.changes import listed
from app.views.uncertainty.findings import spread_shares
from app.views.uncertainty.inputs import OF_SERVING
from app.views.uncertainty.plan import MOST_NUMBERS
from app.views.uncertainty.report import Probability, UncertainFigure, UncertainInput, UncertaintyReport

PREFERRED = (*OF_SERVING, "cost.usd_per_run", "cost.usd_per_accelerator_hour", "performance.elapsed_time_s")
ELECTRICITY = "facility.site.electricity_price_usd_per_kwh"
DECIDES = 0.05
"""Share of the spread below which an input is not said to decide."""


class FigureCells(NamedTuple):
    """A figure as a line of the table."""

    path: str
    label: str
    point: Shown
    p10: Shown
    p50: Shown
    p90: Shown
    unknown: str


class LimitCells(NamedTuple):
    """A limit, and how likely the design keeps to it."""

    label: str
    share: str
    width: float  # of the bar, in percent
    said: str


class KnowingCells(NamedTuple):
    """Value of perfect information on an input."""

    name: str
    value: Shown


def chosen_path(report: UncertaintyReport, asked: str) -> str:
    """The figure that is drawn: the one asked for, else the first of those that people ask for; "" without any."""
    known = [figure.path for figure in report.figures if figure.p50 is not None]
    return next((path for path in (asked, *PREFERRED, *known) if path in known), "")


def verdict(report: UncertaintyReport, path: str) -> tuple[str, ...]:
    """The answer in a few sentences: between what, what decides, and what does not."""
    figure = next((one for one in report.figures if one.path == path), None)
    if figure is None or figure.p10 is None or figure.p50 is None or figure.p90 is None:
        return ("No figure of this design is known, so none can be more or less sure.",)
    if figure.p10 == figure.p90:
        return (f"{figure.label}: {_shown(path, figure.p50).text}. Nothing that varies moves it.",)
    between = _between(_shown(path, figure.p10), _shown(path, figure.p90))
    said = f"{figure.label}: 80 % between {between}, half below {_shown(path, figure.p50).text}."
    parts = spread_shares(path, report.tornado, report.sobol)
    labels = {one.place: one.label for one in report.inputs}
    deciding = [(labels[place], share) for place, share in parts[:3] if share >= DECIDES]
    sentences = [said]
    if deciding:
        named = [
            f"{inside(name) if place else name} ({share_text(share)})"
            for place, (name, share) in enumerate(deciding)
        ]
        sentences.append(f"{listed(named)} {'decides' if len(named) == 1 else 'decide'}.")
    electricity = dict(parts).get(ELECTRICITY)
    if electricity is not None and electricity < DECIDES:
        sentences.append(f"The price of electricity makes {share_text(electricity)} of the spread.")
    return tuple(sentences)


def figure_cells(report: UncertaintyReport) -> tuple[FigureCells, ...]:
    """The key figures; those that are unknown say so."""
    return tuple(
        FigureCells(
            path=one.path,
            label=one.label,
            point=_shown(one.path, one.point),
            p10=_shown(one.path, one.p10),
            p50=_shown(one.path, one.p50),
            p90=_shown(one.path, one.p90),
            unknown=f"{share_text(one.unknown_share)} of the samples unknown"
            if 0 < one.unknown_share < 1
            else "",
        )
        for one in report.figures
    )


def limit_cells(report: UncertaintyReport) -> tuple[LimitCells, ...]:
    """Limits with their probability; one that is not stated says where to state it."""
    return tuple(
        LimitCells(
            label=f"{one.label}{_limit_words(one)}",
            share="not asked" if one.share is None and one.limit is None else _chance(one.share),
            width=100 * (one.share or 0.0),
            said=one.said,
        )
        for one in report.probabilities
    )


def knowing_cells(report: UncertaintyReport) -> tuple[KnowingCells, ...]:
    """What is worth knowing, the most valuable first; nothing where no knowledge would change the choice."""
    labels = {one.place: one.label for one in report.inputs} | {"": "All inputs"}
    worth = [one for one in report.information if one.value_usd >= 0.5]
    return tuple(
        KnowingCells(labels.get(one.place, one.place), show(rounded(one.value_usd), "USD"))
        for one in worth[: MOST_BARS + 1]
    )


def method_words(report: UncertaintyReport, asked: int) -> str:
    """How the samples were drawn, so that they can be drawn again."""
    sampler = {"latin_hypercube": "Latin hypercube", "sobol": "a scrambled Sobol sequence"}[report.sampler]
    said = f"{report.samples:,} samples of {len(report.inputs)} inputs by {sampler}, seed {report.seed}: the same seed draws the same samples."
    if asked > report.samples:
        said += (
            f" The page draws no more, to be quick; the files and the API draw all {asked:,} where that makes at "
            f"most {MOST_NUMBERS:,} numbers of inputs and figures."
        )
    return said


def varying_words(inputs: Sequence[UncertainInput]) -> str:
    """Number of varying inputs, by origin."""
    own = sum(one.origin == "scenario" for one in inputs)
    if not inputs:
        return "nothing varies"
    return f"{len(inputs)} vary, {own or 'none'} of them by ranges of this scenario"


def _shown(path: str, value: float | None) -> Shown:
    return UNKNOWN if value is None else show_at(path, value)


def _limit_words(one: Probability) -> str:
    if one.limit is None:
        return ""
    return f", {show(one.limit, one.unit).text}" if one.unit != "days" else f", {number(one.limit)} days"


def _chance(share: float | None) -> str:
    """A probability of samples is never said to be certain."""
    if share is None:
        return "unknown"
    if share in (0.0, 1.0):
        return "none of the samples" if share == 0 else "all samples"
    return percent(min(max(rounded(share), 0.001), 0.999)).text


def _between(low: Shown, high: Shown) -> str:
    """Both ends; the unit once where they share it."""
    return f"{low.value if low.unit == high.unit else low.text} and {high.text}"


MOST_BARS = 10


def charts(report: UncertaintyReport, path: str) -> tuple[Figure, ...]:
    """Distribution, tornado and spider of one figure; without Sobol indices, which take longer."""
    figure = next((one for one in report.figures if one.path == path), None)
    if figure is None:
        return ()
    unit, factor = _unit(figure)
    inputs = {one.place: one for one in report.inputs}
    bars = [bar for bar in report.tornado if bar.figure == path]
    drawn = [
        SwingBar(
            name=inputs[bar.place].label,
            low_words=input_text(inputs[bar.place], bar.low_value),
            high_words=input_text(inputs[bar.place], bar.high_value),
            at_low=bar.at_low * factor,
            at_high=bar.at_high * factor,
        )
        for bar in bars[:MOST_BARS]
        if bar.at_low is not None and bar.at_high is not None
    ]
    lines = [
        RangeLine(
            name=inputs[line.place].label,
            low_words=input_text(inputs[line.place], inputs[line.place].low),
            high_words=input_text(inputs[line.place], inputs[line.place].high),
            shares=line.shares,
            values=[None if value is None else value * factor for value in line.values],
        )
        for line in report.spider
        if line.figure == path
    ]
    point = None if figure.point is None else figure.point * factor
    return (
        distribution_figure(figure.label, _spread(report, figure, unit, factor)),
        tornado_figure(figure.label, unit, point, drawn, left_out=max(len(bars) - MOST_BARS, 0)),
        spider_figure(figure.label, unit, lines),
    )


def sobol_chart(report: UncertaintyReport, path: str) -> Figure:
    """Sobol indices of one figure."""
    labels = {one.place: one.label for one in report.inputs}
    label = next((one.label for one in report.figures if one.path == path), path)
    found = [one for one in report.sobol if one.figure == path]
    bars = [
        VarianceBar(
            name=labels[one.place],
            first=one.first,
            first_low=one.first_low,
            first_high=one.first_high,
            total=one.total,
            total_low=one.total_low,
            total_high=one.total_high,
        )
        for one in found
    ]
    return sobol_figure(label, bars)


def _spread(report: UncertaintyReport, figure: UncertainFigure, unit: str, factor: float) -> Spread | None:
    if figure.p10 is None or figure.p50 is None or figure.p90 is None:
        return None
    limit, words = _limit_of(report, figure.path)
    return Spread(
        label=figure.label,
        unit=unit,
        point=None if figure.point is None else figure.point * factor,
        p10=figure.p10 * factor,
        p50=figure.p50 * factor,
        p90=figure.p90 * factor,
        edges=[edge * factor for edge in figure.edges],
        counts=figure.counts,
        limit=limit,
        limit_words=words,
    )


def _limit_of(report: UncertaintyReport, path: str) -> tuple[float | None, str]:
    """The limit that a figure is held against."""
    limits = {one.name: one.limit for one in report.probabilities}
    if path == "cost.usd_per_run":
        return limits.get("budget"), "budget"
    if path == "power.utility_peak_w":
        return limits.get("power_limit"), "connection"
    days = limits.get("deadline")
    return (
        (None if days is None else days * 86_400, "deadline")
        if path == "performance.elapsed_time_s"
        else (None, "")
    )


def _unit(figure: UncertainFigure) -> tuple[str, float]:
    """Fractions that people read as percentages are drawn as such."""
    return ("%", 100.0) if is_percent(figure.path) else (figure.unit, 1.0)
