"""Cooling in detail as lines of text."""

from __future__ import annotations

import math
from functools import partial

from app.engine.facility.cooling.checks.lost_cooling import LostCooling
from app.engine.facility.cooling.loops.loops import Side
from app.views.facility.cooling import CoolingAnswer
from app.views.facility.cooling_loads import PlantLine
from app.views.table import Column, fixed, number, percent, percents, text_table, titled_line

kw = partial(number, per=1e3, unit=" kW")


def _answer(one: LostCooling) -> str:
    if one.answer == "tank":
        return f"tank of {number(one.tank_m3, 1)} m3"
    return f"on the UPS, {kw(one.power_w)}" if one.answer == "on the UPS" else one.answer


def _note(one: PlantLine) -> str:
    return "; ".join(part for part in ("chosen" if one.chosen else "", one.refusal or one.warning) if part)


LOOPS = (
    Column("Loop", "name", width=-34),
    Column("Cold degC", "cold_c", fixed(1), 10),
    Column("Hot degC", "hot_c", fixed(1), 10),
    Column("Flow", lambda loop: f"{number(loop.flow)} {loop.flow_unit}", width=16),
    Column("Heat", "heat_w", kw, 12),
)
HEADERS = (
    Column("Header", "name", width=-34),
    Column("L/min", "flow_l_per_min", number, 10),
    Column("Size", lambda one: f"{one.pipes} x {one.size}", width=14),
    Column("m/s", "velocity_m_per_s", fixed(2), 8),
)
CDUS = (
    Column("CDUs", lambda one: one.kind.replace("_", " "), width=-20),
    Column("Unit", "unit_w", kw, 10),
    Column("Units", lambda one: f"{number(one.needed)} + {number(one.installed - one.needed)}", width=12),
    Column("All run", "load_all", percents(0), 9),
    Column(
        "One lost", "load_one_lost", lambda load: "none left" if math.isinf(load) else percent(load, 0), 10
    ),
    Column("L/min", "flow_l_per_min", number, 9),
)
SURFACES = (
    Column("Surface", "name", width=-34),
    Column("degC", "temperature_c", fixed(1), 8),
    Column("Closed hall", lambda one: "dry" if one.holds else "too cold", width=13),
    Column(
        "Too damp, outdoor air",
        lambda one: f"{number(one.outside_air_hours)} h",
        width=27,
    ),
)
LOST = (
    Column("Lost", "lost", width=-44),
    Column("Lasts s", "lasts_s", number, 9),
    Column("To last s", "to_last_s", number, 11),
    Column("Result", _answer),
)
PLANTS = (
    Column("Plant", "plant", width=-26),
    Column("PUE", "pue", fixed(3), 7),
    Column("Hottest", "pue_hottest_hour", fixed(3), 9),
    Column("L/kWh", "wue_l_per_kwh", fixed(2), 8),
    Column("Free h", "economiser_hours", number, 8),
    Column("Chillers", "chiller_w", kw, 11),
    Column("Note", _note),
)


def cooling_text(answer: CoolingAnswer) -> str:
    """Loops, units, checks, what lasts how long, plants, and what stands in the way."""
    lines = [
        f"Plant           {answer.plant} at {answer.site}, {answer.air_handling.replace('_', '-')} air handling"
    ]
    if answer.flow:
        lines.append(
            f"Coolant         {answer.coolant}, {number(answer.flow.coolant_l_per_min)} L/min, "
            f"{number(answer.flow.l_per_min_per_kw, 2)} L/min/kW, "
            f"{number(answer.flow.l_per_min_per_rack)} L/min a rack"
        )
    if answer.water:
        limit = "within" if answer.water.holds else "above"
        lines.append(
            f"Facility water  {number(answer.water.facility_supply_c, 1)} degC, class {answer.water.name}; coolant "
            f"{number(answer.water.coolant_supply_c, 1)} degC, {limit} {number(answer.water.coolant_limit_c, 1)} degC"
        )
    classes = ", ".join(f"{one.name} {one.highest_c:.1f}" for one in answer.air_classes if one.holds)
    lines.append(f"Air classes     {classes or 'none'} degC at the inlet, at this altitude")
    if answer.reuse:
        lifted = (
            f"lifted with a COP of {answer.reuse.cop:.1f}" if answer.reuse.cop else "warm enough as it is"
        )
        lines.append(
            f"Heat reuse      {kw(answer.reuse.heat_w)} to {answer.reuse.network_c:g} degC, {lifted}; "
            f"ERE {answer.reuse.ere:.3f}, ERF {answer.reuse.erf:.3f}"
        )
    lines += ["", *text_table(LOOPS, ()), *(text for side in answer.sides for text in _side(side))]
    for columns, rows in (
        (HEADERS, answer.headers),
        (CDUS, answer.cdus),
        (SURFACES, answer.surfaces),
        (LOST, answer.lost),
        (PLANTS, answer.plants),
    ):
        if rows or columns not in (HEADERS, CDUS):
            lines += ["", *text_table(columns, rows)]
    if answer.problems:
        lines += ["", *(f"{problem.kind}: {problem.message}" for problem in answer.problems)]
    return "\n".join(lines)


def _side(side: Side) -> list[str]:
    lines = []
    for loop, after in zip(side.loops, side.exchanges, strict=True):
        lines.append(titled_line(f"{side.name}: {loop.name}", loop, LOOPS))
        lines.append(f"  {after.name}, approach {number(after.approach_k, 1)} K")
    lines.append(f"  outdoors, {side.outdoors} up to {number(side.outdoors_c, 1)} degC")
    return lines
