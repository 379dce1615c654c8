"""Cooling in detail as lines of text."""

from __future__ import annotations

import math

from app.engine.facility.cooling.checks.lost_cooling import LostCooling
from app.engine.facility.cooling.loops.cdus import Cdus
from app.engine.facility.cooling.loops.loops import Side
from app.views.facility.cooling import CoolingAnswer
from app.views.facility.cooling_plants import PlantLine


def cooling_text(answer: CoolingAnswer) -> str:
    """Loops, units, checks, what lasts how long, plants, and what stands in the way."""
    lines = [
        f"Plant           {answer.plant} at {answer.site}, {answer.air_handling.replace('_', '-')} air handling"
    ]
    if answer.flow:
        lines.append(
            f"Coolant         {answer.coolant}, {_number(answer.flow.coolant_l_per_min)} L/min, "
            f"{_number(answer.flow.l_per_min_per_kw, 2)} L/min/kW, "
            f"{_number(answer.flow.l_per_min_per_rack)} L/min a rack"
        )
    if answer.water:
        limit = "within" if answer.water.holds else "above"
        lines.append(
            f"Facility water  {_number(answer.water.facility_supply_c, 1)} degC, class {answer.water.name}; coolant "
            f"{_number(answer.water.coolant_supply_c, 1)} degC, {limit} {_number(answer.water.coolant_limit_c, 1)} degC"
        )
    classes = ", ".join(f"{one.name} {one.highest_c:.1f}" for one in answer.air_classes if one.holds)
    lines.append(f"Air classes     {classes or 'none'} degC at the inlet, at this altitude")
    if answer.reuse:
        lifted = (
            f"lifted with a COP of {answer.reuse.cop:.1f}" if answer.reuse.cop else "warm enough as it is"
        )
        lines.append(
            f"Heat reuse      {_kw(answer.reuse.heat_w)} to {answer.reuse.network_c:g} degC, {lifted}; "
            f"ERE {answer.reuse.ere:.3f}, ERF {answer.reuse.erf:.3f}"
        )
    lines += ["", f"{'Loop':<34}{'Cold degC':>10}{'Hot degC':>10}{'Flow':>16}{'Heat':>12}"]
    lines += [text for side in answer.sides for text in _side(side)]
    if answer.headers:
        lines += ["", f"{'Header':<34}{'L/min':>10}{'Size':>14}{'m/s':>8}"]
        lines += [
            f"{one.name:<34}{_number(one.flow_l_per_min):>10}{f'{one.pipes} x {one.size}':>14}"
            f"{_number(one.velocity_m_per_s, 2):>8}"
            for one in answer.headers
        ]
    if answer.cdus:
        lines += ["", f"{'CDUs':<20}{'Unit':>10}{'Units':>12}{'All run':>9}{'One lost':>10}{'L/min':>9}"]
        lines += [_cdus(one) for one in answer.cdus]
    lines += ["", f"{'Surface':<34}{'degC':>8}{'Closed hall':>13}{'Too damp with outdoor air':>27}"]
    lines += [
        f"{one.name:<34}{_number(one.temperature_c, 1):>8}{'dry' if one.holds else 'too cold':>13}"
        f"{_number(one.outside_air_hours):>25} h"
        for one in answer.surfaces
    ]
    lines += ["", f"{'Lost':<44}{'Lasts s':>9}{'To last s':>11}  Answer"]
    lines += [_lost(one) for one in answer.lost]
    lines += ["", f"{'Plant':<26}{'PUE':>7}{'Hottest':>9}{'L/kWh':>8}{'Free h':>8}{'Chillers':>11}  Note"]
    lines += [_plant(one) for one in answer.plants]
    if answer.problems:
        lines += ["", *(f"{problem.kind}: {problem.message}" for problem in answer.problems)]
    return "\n".join(lines)


def _side(side: Side) -> list[str]:
    lines = []
    for loop, after in zip(side.loops, side.exchanges, strict=True):
        flow = f"{_number(loop.flow)} {loop.flow_unit}"
        lines.append(
            f"{side.name + ': ' + loop.name:<34}{_number(loop.cold_c, 1):>10}{_number(loop.hot_c, 1):>10}{flow:>16}"
            f"{_kw(loop.heat_w):>12}"
        )
        lines.append(f"  {after.name}, approach {_number(after.approach_k, 1)} K")
    lines.append(f"  outdoors, {side.outdoors} up to {_number(side.outdoors_c, 1)} degC")
    return lines


def _cdus(one: Cdus) -> str:
    units = f"{_number(one.needed)} + {_number(one.installed - one.needed)}"
    return (
        f"{one.kind.replace('_', ' '):<20}{_kw(one.unit_w):>10}{units:>12}{_percent(one.load_all):>9}"
        f"{_percent(one.load_one_lost):>10}{_number(one.flow_l_per_min):>9}"
    )


def _lost(one: LostCooling) -> str:
    answer = one.answer
    if answer == "tank":
        answer = f"tank of {_number(one.tank_m3, 1)} m3"
    elif answer == "on the UPS":
        answer = f"on the UPS, {_kw(one.power_w)}"
    return f"{one.lost:<44}{_number(one.lasts_s):>9}{_number(one.to_last_s):>11}  {answer}"


def _plant(one: PlantLine) -> str:
    note = "chosen" if one.chosen else ""
    note = "; ".join(part for part in (note, one.refusal or one.warning) if part)
    return (
        f"{one.plant:<26}{_number(one.pue, 3):>7}{_number(one.pue_hottest_hour, 3):>9}{_number(one.wue_l_per_kwh, 2):>8}"
        f"{_number(one.economiser_hours):>8}{_kw(one.chiller_w):>11}  {note}"
    ).rstrip()


def _kw(watts: float) -> str:
    return "unknown" if math.isnan(watts) else f"{watts / 1e3:,.0f} kW"


def _percent(share: float) -> str:
    return "unknown" if math.isnan(share) else f"{share:.0%}"


def _number(value: float, digits: int = 0) -> str:
    return "unknown" if math.isnan(value) else f"{value:,.{digits}f}"
