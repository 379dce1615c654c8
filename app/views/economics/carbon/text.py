"""The carbon of a run as lines of text."""

from __future__ import annotations

import math

from app.charts.format import show
from app.views.economics.carbon.report import CarbonBoundary, CarbonReport

SITES = 8
"""Sites that are listed: the cleanest."""


def carbon_text(report: CarbonReport) -> str:
    """Boundaries, the factors between them, parts, waiting, contracts, and the cleanest sites."""
    grid = report.grid
    lines = [
        report.name,
        f"Grid            {_number(grid.intensity_kg_per_kwh, 4)} kg/kWh, {grid.site}: {grid.source} ({grid.kind})",
        (
            f"Energy          {_number(report.run_energy_kwh / 1e3)} MWh a run at the meter, "
            f"{_number(report.runs_per_year, 2)} runs a year"
        ),
        "",
        f"{'Boundary':<34}{'a run':>12}{'a year':>12}{'M tokens':>12}{'useful h':>12}{'ratio':>8}",
        *(_boundary(boundary) for boundary in report.boundaries),
        "",
        f"From design power to the meter: x {_number(report.ratio, 3)}",
        *(f"  {factor.title:<32}x {_number(factor.factor, 3)}" for factor in report.factors),
        f"  {'Restarts (in both)':<32}x {_number(report.restarts_factor, 3)}",
        "",
        "Parts",
        *(f"  {part.title:<32}{_kg(part.kg_per_run):>12}{_percent(part.share):>9}" for part in report.parts),
        "",
        (
            f"Waiting         {_kg(report.waiting.idle_kg)} beside the run and between runs; "
            f"{_percent(report.waiting.floor_share)} of the run's electricity is what idle machines would draw"
        ),
    ]
    if report.clean:
        lines.append(
            f"Contracts       {_percent(report.clean.contracted_share)} of the year: {_kg(report.clean.market_kg)} "
            "market based"
        )
        lines += [
            f"  {matched.plants:<32}{_kg(matched.kg_per_run):>12}{_percent(matched.matched_share):>9} of the hours"
            for matched in report.clean.matched
        ]
    if report.hourly:
        lines.append(
            f"By the hour     {_kg(report.hourly.kg_per_run)} at {_number(report.hourly.by_load_kg_per_kwh, 4)} kg/kWh "
            "in the hours of the load"
        )
    lines += ["", "Cleanest sites"]
    lines += [
        f"  {site.name:<32}{_kg(site.operational_kg):>12}{_number(site.intensity_kg_per_kwh, 4):>9} kg/kWh"
        for site in report.sites[:SITES]
    ]
    return "\n".join([*lines, "", *(f"- {note}" for note in (*report.left_out, *report.notes))])


def _boundary(boundary: CarbonBoundary) -> str:
    tokens = boundary.kg_per_million_tokens
    return (
        f"{boundary.title:<34}{_kg(boundary.kg_per_run):>12}{_kg(boundary.kg_per_year):>12}"
        f"{'n/a' if tokens is None else _kg(tokens):>12}{_kg(boundary.kg_per_useful_accelerator_hour):>12}"
        f"{_number(boundary.over_tdp_only, 2):>8}"
    )


def _kg(value: float) -> str:
    return "unknown" if math.isnan(value) else show(float(f"{value:.3g}"), "kg").text


def _number(value: float, digits: int = 0) -> str:
    return "unknown" if math.isnan(value) else f"{value:,.{digits}f}"


def _percent(share: float) -> str:
    return "unknown" if math.isnan(share) else f"{share:.1%}"
