"""An energy what-if as lines of text."""

from __future__ import annotations

from app.views.facility.savings.report import SavingsReport
from app.views.table import Column, fixed, number, percent, text_table, titled_line

MWH = fixed(1, per=1e3)
STEPS = (
    Column("Step", "title", width=-28),
    Column("MWh saved", "energy_kwh", MWH, 12),
    Column("% of base", "energy_share", lambda share: number(100 * share, 1), 11),
    Column("displaced", "displaced_kwh", MWH, 12),
    Column("USD", "utilities_usd", number, 14),
    Column("t CO2e", "carbon_kg", fixed(1, per=1e3), 10),
    Column("m3", "water_m3", fixed(1), 11),
    Column("PUE", "after.pue", fixed(3), 8),
)
STATES = (
    Column("State", lambda state: "", width=-28),
    Column("MWh at meter", "energy_kwh", MWH, 13),
    Column("from grid", "grid_kwh", MWH, 12),
    Column(
        "J a token", "energy_j_per_token", lambda joules: "n/a" if joules is None else number(joules, 3), 11
    ),
    Column("m3", "water_m3", fixed(1), 11),
    Column("PUE", "pue", fixed(3), 8),
)


def savings_text(report: SavingsReport) -> str:
    """The baseline, what each step saves, both ends, the hours, and the verdict."""
    lines = [
        f"Baseline        {report.baseline_said}",
        f"Figures         of {report.run}; {number(report.runs_per_year, 2)} runs a year",
        "",
        *text_table(STEPS, report.steps),
        "",
        *text_table(STATES, ()),
        *(
            titled_line(title, state, STATES)
            for title, state in (
                ("Baseline", report.baseline),
                ("After all steps", report.final),
                ("This design as stated", report.as_stated),
            )
        ),
    ]
    if report.matching:
        found = report.matching
        clean = f"{percent(found.generated_share)} of the load generated, {percent(found.matched_share)} matched hour "
        clean += f"by hour, {percent(found.battery_loss_share)} lost in the battery, "
        lines += ["", f"Clean energy    {clean}{percent(found.curtailed_share)} without a use"]
    lines += ["", f"Claim           {report.verdict.claim}", *report.verdict.sentences]
    return "\n".join([*lines, "", *(f"- {note}" for note in report.notes)])
