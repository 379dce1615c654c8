"""An energy what-if as lines of text."""

from __future__ import annotations

import math

from app.views.facility.savings.report import SavingsAccount, SavingsReport


def savings_text(report: SavingsReport) -> str:
    """The baseline, what each step saves, both ends, the hours, and the verdict."""
    lines = [
        f"Baseline        {report.baseline_said}",
        f"Figures         of {report.run}; {_number(report.runs_per_year, 2)} runs a year",
        "",
        f"{'Step':<28}{'MWh saved':>12}{'% of base':>11}{'displaced':>12}{'USD':>14}{'t CO2e':>10}{'m3':>11}{'PUE':>8}",
    ]
    lines += [
        f"{step.title:<28}{_number(step.energy_kwh / 1e3, 1):>12}{_number(100 * step.energy_share, 1):>11}"
        f"{_number(step.displaced_kwh / 1e3, 1):>12}{_number(step.utilities_usd):>14}"
        f"{_number(step.carbon_kg / 1e3, 1):>10}{_number(step.water_m3, 1):>11}{_number(step.after.pue, 3):>8}"
        for step in report.steps
    ]
    lines += ["", f"{'State':<28}{'MWh at meter':>13}{'from grid':>12}{'J a token':>11}{'m3':>11}{'PUE':>8}"]
    lines += [
        _state("Baseline", report.baseline),
        _state("After all steps", report.final),
        _state("This design as stated", report.as_stated),
    ]
    if report.matching:
        found = report.matching
        clean = f"{_percent(found.generated_share)} of the load generated, {_percent(found.matched_share)} matched hour "
        clean += f"by hour, {_percent(found.battery_loss_share)} lost in the battery, "
        lines += ["", f"Clean energy    {clean}{_percent(found.curtailed_share)} without a use"]
    lines += ["", f"Claim           {report.verdict.claim}", *report.verdict.sentences]
    return "\n".join([*lines, "", *(f"- {note}" for note in report.notes)])


def _state(title: str, account: SavingsAccount) -> str:
    per_token = account.energy_j_per_token
    token = "n/a" if per_token is None else _number(per_token, 3)
    return (
        f"{title:<28}{_number(account.energy_kwh / 1e3, 1):>13}{_number(account.grid_kwh / 1e3, 1):>12}"
        f"{token:>11}{_number(account.water_m3, 1):>11}{_number(account.pue, 3):>8}"
    )


def _number(value: float, digits: int = 0) -> str:
    return "unknown" if math.isnan(value) else f"{value:,.{digits}f}"


def _percent(share: float) -> str:
    return "unknown" if math.isnan(share) else f"{share:.1%}"
