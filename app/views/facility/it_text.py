"""IT power as lines of text."""

from __future__ import annotations

import math

from app.engine.facility.it.lines import PartLine
from app.views.facility.it_report import ItReport, Swing

STATES = ("idle_w", "mean_w", "peak_w", "design_w")
HEAD = ("Idle", "At work", "Peak", "Rated")
WIDTH = 12


def it_text(report: ItReport) -> str:
    """Components with their sums, caps, the swing, and what stands in the way."""
    node = report.node
    busy = "" if math.isnan(node.busy_share) else f"; accelerators compute {node.busy_share:.0%} of the step"
    lines = [
        f"Load profile    {node.load_profile}, {node.power_utilisation:.2f} of the rating without a cap{busy}",
        f"One SuperNode   {_kw(node.mean_w)} kW at work, {_kw(node.peak_w)} at the peak, {_kw(node.rating_w)} rated",
        "",
        f"{'IT power, kW':<26}" + "".join(f"{title:>{WIDTH}}" for title in HEAD) + "  Basis",
        *(_part(part) for part in report.parts),
        f"{'Together':<26}" + "".join(f"{_kw(getattr(report.totals, state)):>{WIDTH}}" for state in STATES),
        "",
        f"{'Power cap':<12}{'Step s':>10}{'IT mean kW':>14}{'Utility peak kW':>18}{'J/token':>12}",
        *(
            f"{f'{cap.power_cap:.0%}':<12}{_number(cap.step_time_s, 3):>10}{_kw(cap.it_power_mean_w):>14}"
            f"{_kw(cap.utility_peak_w):>18}{_number(cap.energy_j_per_token, 3):>12}"
            for cap in report.caps
        ),
        "",
        *_swing(report.swing),
    ]
    if report.problems:
        lines += ["", *(f"{problem.kind}: {problem.message}" for problem in report.problems)]
    return "\n".join(lines)


def _part(part: PartLine) -> str:
    watts = "".join(f"{_kw(getattr(part, state)):>{WIDTH}}" for state in STATES)
    return f"{part.label:<26}{watts}  {part.basis}"


def _swing(swing: Swing) -> list[str]:
    held = "within" if swing.generator_step_share <= swing.generator_step_limit else "beyond"
    inside = swing.flicker_least_hz <= swing.step_frequency_hz <= swing.flicker_greatest_hz
    return [
        (
            f"Swing           {_kw(swing.swing_w)} kW, from {_kw(swing.trough_w)} in a pause to {_kw(swing.peak_w)}; "
            f"below a second up to {_kw(swing.sub_second_peak_w)} (secondary source, low confidence)"
        ),
        (
            f"Ramp            {_kw(swing.ramp_limit_w_per_s)} kW/s: {_number(swing.ramp_time_s, 0)} s, "
            f"{_kwh(swing.smoothing_energy_j)} kWh of storage; {_kwh(swing.smoothing_energy_after_supplies_j)} kWh "
            f"with storage in the power supplies"
        ),
        (
            f"Generators      a step of {_share(swing.generator_step_share)} of the site's peak, {held} the "
            f"{_share(swing.generator_step_limit)} that a generator takes at once"
        ),
        (
            f"Steps           {_number(swing.step_frequency_hz, 3)} a second, "
            f"{'inside' if inside else 'outside'} the band of {swing.flicker_least_hz:g} to "
            f"{swing.flicker_greatest_hz:g} Hz in which a swing disturbs the grid"
        ),
    ]


def _kw(watts: float) -> str:
    return _number(watts / 1e3, 1)


def _kwh(joules: float) -> str:
    return _number(joules / 3.6e6, 2)


def _share(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value:.0%}"


def _number(value: float, digits: int) -> str:
    return "unknown" if math.isnan(value) else f"{value:,.{digits}f}"
