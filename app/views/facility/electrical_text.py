"""An electrical chain as lines of text."""

from __future__ import annotations

import math

from app.views.facility.electrical import ElectricalAnswer
from app.views.facility.electrical_report import BlockLine, LostLine, electrical_report

UNKNOWN = "unknown"


def electrical_text(answer: ElectricalAnswer) -> str:
    """Loads, blocks, what losing one does, losses by stage, and what stands in the way."""
    report, standby = electrical_report(answer), answer.standby
    lines = [
        (
            f"Sized on        {report.sized_on}, {report.standard.upper()}; {report.redundancy}, {report.distribution}, "
            f"{report.ups}"
        ),
        (
            f"Hottest hour    {_kw(report.it_power_w)} IT, {_kw(report.site_power_w)} at the meter, "
            f"{_number(standby.hottest_dry_bulb_c, 1)} degC"
        ),
        (
            f"Generators      {_number(standby.generator_derating * 100, 1)} % of their rating here; "
            f"{_number(standby.load_steps)} load steps of {_kw(standby.load_step_w)} at most; "
            f"the job swings by {_kw(standby.job_swing_w)}"
        ),
        f"Batteries       {_number(standby.battery_energy_j / 3.6e6)} kWh for {standby.battery_time_s:g} s",
        f"Fuel            {_number(standby.fuel_l)} L",
        (
            f"All units hold  {_kw(report.allowed_it_power_w)} IT with one block lost; the narrowest is the "
            f"{answer.chain.title(report.narrowest).lower() if report.narrowest else UNKNOWN}"
        ),
        "",
        f"{'Block':<22}{'Units':>14}{'Rating':>12}{'Load':>12}{'Each at':>9}{'Breaker A':>11}",
        *(_block(line) for line in report.blocks),
        "",
        f"{'One lost':<22}{'Moves':>12}{'Rest at':>9}{'IT served':>13}{'Rides s':>9}  Carried by",
        *(_lost(line) for line in report.lost),
        "",
        f"{'Loss at mean load':<22}{'Load':>9}{'Loss':>12}{'Of IT':>9}",
        *(
            f"{one.stage:<22}{_percent(one.load):>9}{_kw(one.loss_w):>12}{_percent(one.share_of_it, 2):>9}"
            for one in report.losses
        ),
    ]
    if report.problems:
        lines += ["", *(f"{problem.kind}: {problem.message}" for problem in report.problems)]
    return "\n".join(lines)


def _block(line: BlockLine) -> str:
    count = _number(line.units)
    if line.idle_units:
        count += f" ({line.idle_units:g} idle)"
    if line.places is None or line.places != 1:
        count += " a rack"
    return (
        f"{line.title:<22}{count:>14}{_kw(line.rating_w):>12}{_kw(line.load_w):>12}"
        f"{_percent(line.normal_load):>9}{_number(line.breaker_a) if line.breaker_a else '':>11}"
    )


def _lost(line: LostLine) -> str:
    after = f"{_percent(line.load_after)}{' !' if line.overloaded else ''}"
    rides = "" if line.ride_through_s is None else f"{line.ride_through_s:.3g}"
    return (
        f"{line.title:<22}{_kw(line.load_moved_w):>12}{after:>9}{_kw(line.it_served_w):>13}{rides:>9}"
        f"  {line.carried_by}"
    )


def _kw(watts: float | None) -> str:
    if watts is None or math.isnan(watts):
        return UNKNOWN
    return f"{_number(watts / 1e3, 1)} kW"


def _percent(share: float | None, digits: int = 1) -> str:
    return "n/a" if share is None else f"{share:.{digits}%}"


def _number(value: float | None, digits: int = 0) -> str:
    return UNKNOWN if value is None or math.isnan(value) else f"{value:,.{digits}f}"
