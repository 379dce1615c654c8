"""An electrical chain as lines of text."""

from __future__ import annotations

from functools import partial

from app.views.facility.electrical import ElectricalAnswer
from app.views.facility.electrical_report import BlockLine, LostLine, electrical_report
from app.views.table import UNKNOWN, Column, number, percent, text_table

kw = partial(number, digits=1, per=1e3, unit=" kW")


def share(value: float | None, digits: int = 1) -> str:
    return "n/a" if value is None else percent(value, digits)


def _units(line: BlockLine) -> str:
    count = number(line.units)
    if line.idle_units:
        count += f" ({line.idle_units:g} idle)"
    return count if line.places == 1 else f"{count} a rack"


def _rest(line: LostLine) -> str:
    return f"{share(line.load_after)}{' !' if line.overloaded else ''}"


BLOCKS = (
    Column("Block", "title", width=-22),
    Column("Units", _units, width=14),
    Column("Rating", "rating_w", kw, 12),
    Column("Load", "load_w", kw, 12),
    Column("Each at", "normal_load", share, 9),
    Column("Breaker A", "breaker_a", lambda amperes: number(amperes) if amperes else "", 11),
)
LOST = (
    Column("One lost", "title", width=-22),
    Column("Moves", "load_moved_w", kw, 12),
    Column("Rest at", _rest, width=9),
    Column("IT served", "it_served_w", kw, 13),
    Column("Rides s", "ride_through_s", lambda time: "" if time is None else f"{time:.3g}", 9),
    Column("Carried by", "carried_by"),
)
LOSSES = (
    Column("Loss at mean load", "stage", width=-22),
    Column("Load", "load", share, 9),
    Column("Loss", "loss_w", kw, 12),
    Column("Of IT", "share_of_it", partial(share, digits=2), 9),
)


def electrical_text(answer: ElectricalAnswer) -> str:
    """Loads, blocks, what losing one does, losses by stage, and what stands in the way."""
    report, standby = electrical_report(answer), answer.standby
    lines = [
        (
            f"Sized on        {report.sized_on}, {report.standard.upper()}; {report.redundancy}, {report.distribution}, "
            f"{report.ups}"
        ),
        (
            f"Hottest hour    {kw(report.it_power_w)} IT, {kw(report.site_power_w)} at the meter, "
            f"{number(standby.hottest_dry_bulb_c, 1)} degC"
        ),
        (
            f"Generators      {number(standby.generator_derating * 100, 1)} % of their rating here; "
            f"{number(standby.load_steps)} load steps of {kw(standby.load_step_w)} at most; "
            f"the job swings by {kw(standby.job_swing_w)}"
        ),
        f"Batteries       {number(standby.battery_energy_j, per=3.6e6)} kWh for {standby.battery_time_s:g} s",
        f"Fuel            {number(standby.fuel_l)} L",
        (
            f"All units hold  {kw(report.allowed_it_power_w)} IT with one block lost; the narrowest is the "
            f"{answer.chain.title(report.narrowest).lower() if report.narrowest else UNKNOWN}"
        ),
        "",
        *text_table(BLOCKS, report.blocks),
        "",
        *text_table(LOST, report.lost),
        "",
        *text_table(LOSSES, report.losses),
    ]
    if report.problems:
        lines += ["", *(f"{problem.kind}: {problem.message}" for problem in report.problems)]
    return "\n".join(lines)
