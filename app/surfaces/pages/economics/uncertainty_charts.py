"""Charts of one figure: how far it may be off, and what makes it so."""

from __future__ import annotations

from app.charts.economics.distribution import Spread, distribution_figure
from app.charts.economics.sobol import VarianceBar, sobol_figure
from app.charts.economics.spider import RangeLine, spider_figure
from app.charts.economics.tornado import SwingBar, tornado_figure
from app.charts.figure import Figure
from app.charts.format import is_percent
from app.surfaces.pages.economics.uncertainty_inputs import input_text
from app.views.uncertainty.report import UncertainFigure, UncertaintyReport

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
