"""The carbon of a run as lines of text."""

from __future__ import annotations

from app.views.economics.carbon.report import CarbonReport
from app.views.table import Column, amount, fixed, number, percent, text_rows, text_table

SITES = 8
"""Sites that are listed: the cleanest."""


def kg(value: float | None) -> str:
    return "n/a" if value is None else amount(value, "kg", 3)


def times(value: float) -> str:
    return f"x {number(value, 3)}"


BOUNDARIES = (
    Column("Boundary", "title", width=-34),
    Column("a run", "kg_per_run", kg, 12),
    Column("a year", "kg_per_year", kg, 12),
    Column("M tokens", "kg_per_million_tokens", kg, 12),
    Column("useful h", "kg_per_useful_accelerator_hour", kg, 12),
    Column("ratio", "over_tdp_only", fixed(2), 8),
)
FACTORS = (Column("", "title", width=-32), Column("", "factor", times, -12))
PARTS = (Column("", "title", width=-32), Column("", "kg_per_run", kg, 12), Column("", "share", percent, 9))
MATCHED = (
    Column("", "plants", width=-32),
    Column("", "kg_per_run", kg, 12),
    Column("", "matched_share", lambda share: f"{percent(share)} of the hours", 22),
)
CLEANEST = (
    Column("", "name", width=-32),
    Column("", "operational_kg", kg, 12),
    Column("", "intensity_kg_per_kwh", lambda value: f"{number(value, 4)} kg/kWh", 16),
)


def carbon_text(report: CarbonReport) -> str:
    """Boundaries, the factors between them, parts, waiting, contracts, and the cleanest sites."""
    grid = report.grid
    lines = [
        report.name,
        f"Grid            {number(grid.intensity_kg_per_kwh, 4)} kg/kWh, {grid.site}: {grid.source} ({grid.kind})",
        (
            f"Energy          {number(report.run_energy_kwh, per=1e3)} MWh a run at the meter, "
            f"{number(report.runs_per_year, 2)} runs a year"
        ),
        "",
        *text_table(BOUNDARIES, report.boundaries),
        "",
        f"From design power to the meter: {times(report.ratio)}",
        *text_rows(FACTORS, report.factors, indent="  "),
        f"  {'Restarts (in both)':<32}{times(report.restarts_factor)}",
        "",
        "Parts",
        *text_rows(PARTS, report.parts, indent="  "),
        "",
        (
            f"Waiting         {kg(report.waiting.idle_kg)} beside the run and between runs; "
            f"{percent(report.waiting.floor_share)} of the run's electricity is what idle machines would draw"
        ),
    ]
    if report.clean:
        lines.append(
            f"Contracts       {percent(report.clean.contracted_share)} of the year: {kg(report.clean.market_kg)} "
            "market based"
        )
        lines += text_rows(MATCHED, report.clean.matched, indent="  ")
    if report.hourly:
        lines.append(
            f"By the hour     {kg(report.hourly.kg_per_run)} at {number(report.hourly.by_load_kg_per_kwh, 4)} kg/kWh "
            "in the hours of the load"
        )
    lines += ["", "Cleanest sites", *text_rows(CLEANEST, report.sites[:SITES], indent="  ")]
    return "\n".join([*lines, "", *(f"- {note}" for note in (*report.left_out, *report.notes))])
