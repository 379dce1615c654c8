"""IT power as lines of text."""

from __future__ import annotations

import math
from functools import partial

from app.views.facility.it_report import ItReport, Swing
from app.views.table import Column, fixed, number, percents, text_table, titled_line

kw = partial(number, digits=1, per=1e3)
kwh = partial(number, digits=2, per=3.6e6)
share = percents(0)
PARTS = (
    Column("IT power, kW", "label", width=-26),
    Column("Idle", "idle_w", kw, 12),
    Column("At work", "mean_w", kw, 12),
    Column("Peak", "peak_w", kw, 12),
    Column("Rated", "design_w", kw, 12),
    Column("Basis", "basis"),
)
CAPS = (
    Column("Power cap", "power_cap", share, -12),
    Column("Step s", "step_time_s", fixed(3), 10),
    Column("IT mean kW", "it_power_mean_w", kw, 14),
    Column("Utility peak kW", "utility_peak_w", kw, 18),
    Column("J/token", "energy_j_per_token", fixed(3), 12),
)


def it_text(report: ItReport) -> str:
    """Components with their sums, caps, the swing, and what stands in the way."""
    node = report.node
    busy = "" if math.isnan(node.busy_share) else f"; accelerators compute {node.busy_share:.0%} of the step"
    lines = [
        f"Load profile    {node.load_profile}, {node.power_utilisation:.2f} of the rating without a cap{busy}",
        f"One SuperNode   {kw(node.mean_w)} kW at work, {kw(node.peak_w)} at the peak, {kw(node.rating_w)} rated",
        "",
        *text_table(PARTS, report.parts),
        titled_line("Total", report.totals, PARTS[:5]),
        "",
        *text_table(CAPS, report.caps),
        "",
        *_swing(report.swing),
    ]
    if report.problems:
        lines += ["", *(f"{problem.kind}: {problem.message}" for problem in report.problems)]
    return "\n".join(lines)


def _swing(swing: Swing) -> list[str]:
    held = "within" if swing.generator_step_share <= swing.generator_step_limit else "beyond"
    inside = swing.flicker_least_hz <= swing.step_frequency_hz <= swing.flicker_greatest_hz
    return [
        (
            f"Swing           {kw(swing.swing_w)} kW, from {kw(swing.trough_w)} in a pause to {kw(swing.peak_w)}; "
            f"below a second up to {kw(swing.sub_second_peak_w)} (secondary source, low confidence)"
        ),
        (
            f"Ramp            {kw(swing.ramp_limit_w_per_s)} kW/s: {number(swing.ramp_time_s, 0)} s, "
            f"{kwh(swing.smoothing_energy_j)} kWh of storage; {kwh(swing.smoothing_energy_after_supplies_j)} kWh "
            f"with storage in the power supplies"
        ),
        (
            f"Generators      a step of {share(swing.generator_step_share)} of the site's peak, {held} the "
            f"{share(swing.generator_step_limit)} that a generator takes at once"
        ),
        (
            f"Steps           {number(swing.step_frequency_hz, 3)} a second, "
            f"{'inside' if inside else 'outside'} the band of {swing.flicker_least_hz:g} to "
            f"{swing.flicker_greatest_hz:g} Hz in which a swing disturbs the grid"
        ),
    ]
