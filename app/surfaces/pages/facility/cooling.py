"""The cooling tab: both loops, all plants side by side, units, checks, and what happens without flow."""

from __future__ import annotations

import math
from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.charts.facility.cooling_loops import cooling_loops_figure
from app.charts.format import HEAT, THIN_SPACE, Shown, number, rounded, show, temperature
from app.engine.facility.cooling.checks.condensation import AirCheck, Surface
from app.engine.facility.cooling.checks.lost_cooling import LostCooling
from app.engine.facility.cooling.loops.cdus import Cdus
from app.engine.facility.cooling.loops.pipes import Header
from app.engine.facility.cooling.plants import PLANTS
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.surfaces.pages.facility.opened import OpenedDep
from app.surfaces.pages.templating import TemplatesDep
from app.views.facility.cooling import CoolingAnswer, CoolingOptions, cooling_answer
from app.views.facility.cooling_loads import PlantLine

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

UNPROCESSABLE = 422


@router.get("/facility/{key}/cooling")
def cooling(opened: OpenedDep, page: TemplatesDep, tank: str = "0") -> HTMLResponse:
    """The cooling of a design; `tank` is the cold water that is added to the plant, m3."""
    if opened.scenario is None:
        return page.page("facility/cooling.html", opened=opened)
    typed, fault, options = tank.strip()[:20], "", CoolingOptions()
    try:
        options = build_document(CoolingOptions, {"tank_m3": _as_number(typed)})
    except ScenarioError as error:
        fault = error.errors[0].words
    answer = cooling_answer(opened.scenario, opened.catalog, options)
    return page.page(
        "facility/cooling.html",
        status=UNPROCESSABLE if fault else 200,
        opened=opened,
        answer=answer,
        figure=cooling_loops_figure(answer.sides),
        plants=[plant_line(one) for one in answer.plants],
        units=[unit_line(one) for one in answer.cdus],
        headers=[header_line(one) for one in answer.headers],
        exchanger=exchanger_lines(answer),
        surfaces=[surface_line(one) for one in answer.surfaces],
        lost=[lost_line(one) for one in answer.lost],
        air_classes=[air_class_line(one) for one in answer.air_classes],
        facts=fact_lines(answer),
        reuse=reuse_lines(answer),
        tank=typed,
        fault=fault,
    )


def _as_number(typed: str) -> float | str:
    """What is no number stays text, to be refused by its name."""
    try:
        return float(typed)
    except ValueError:
        return typed


CDU_KINDS = {"liquid_to_liquid": "Liquid to liquid", "liquid_to_air": "Liquid to air"}


class Line(NamedTuple):
    """A plant as a line of the table."""

    name: str
    chosen: bool
    note: str
    refused: bool
    pue: str
    hottest: str
    water: Shown
    free_hours: Shown
    chillers: Shown


class UnitLine(NamedTuple):
    """CDUs of one kind as a line of the table."""

    name: str
    unit: Shown
    units: str
    load: str
    lost: str
    flow: Shown
    approach: Shown


class HeaderLine(NamedTuple):
    name: str
    flow: Shown
    size: str
    velocity: Shown


class SurfaceLine(NamedTuple):
    """A cold surface, and the hours in which outdoor air is too damp for it."""

    name: str
    here: Shown
    lowest: Shown
    holds: bool
    hours: Shown


class LostLine(NamedTuple):
    """What stops, as a line of the table."""

    lost: str
    lasts: Shown
    to_last: Shown
    holds: bool
    answer: str


class AirClassLine(NamedTuple):
    """A class of equipment as a line of the table."""

    name: str
    lowest: Shown
    highest: Shown
    holds: bool


def plant_line(one: PlantLine) -> Line:
    return Line(
        name=PLANTS[one.plant].label,
        chosen=one.chosen,
        note=one.refusal or one.warning,
        refused=bool(one.refusal),
        pue=_ratio(one.pue),
        hottest=_ratio(one.pue_hottest_hour),
        water=show(rounded(one.wue_l_per_kwh), "L/kWh") if one.wue_l_per_kwh else Shown("none"),
        free_hours=show(one.economiser_hours, "h"),
        chillers=show(one.chiller_w, HEAT) if one.chiller_w else Shown("none"),
    )


def unit_line(one: Cdus) -> UnitLine:
    known = not math.isnan(one.installed)
    return UnitLine(
        name=CDU_KINDS[one.kind],
        unit=show(one.unit_w, HEAT),
        units=f"{one.needed:,.0f} + {one.installed - one.needed:,.0f}" if known else "unknown",
        load=_percent(one.load_all),
        lost="none left" if math.isinf(one.load_one_lost) else _percent(one.load_one_lost),
        flow=show(rounded(one.flow_l_per_min), "L/min"),
        approach=Shown(
            f"{one.approach_design_k if math.isnan(one.approach_all_k) else one.approach_all_k:.1f}", "K"
        ),
    )


def header_line(one: Header) -> HeaderLine:
    return HeaderLine(
        name=one.name,
        flow=show(rounded(one.flow_l_per_min), "L/min"),
        size=one.size if one.pipes <= 1 else f"{one.pipes} × {one.size}",
        velocity=show(None)
        if math.isnan(one.velocity_m_per_s)
        else Shown(f"{one.velocity_m_per_s:.2f}", "m/s"),
    )


def surface_line(one: Surface) -> SurfaceLine:
    return SurfaceLine(
        name=one.name,
        here=_celsius(one.temperature_c),
        lowest=_celsius(one.lowest_c),
        holds=one.holds,
        hours=show(one.outside_air_hours, "h"),
    )


def air_class_line(one: AirCheck) -> AirClassLine:
    return AirClassLine(one.name, _celsius(one.lowest_c), _celsius(one.highest_c), one.holds)


def lost_line(one: LostCooling) -> LostLine:
    answer = one.answer
    if answer == "on the UPS":
        answer = f"on the UPS: {show(one.power_w, 'W').text} of pumps and fans"
    elif answer == "tank":
        answer = f"a tank of {number(one.tank_m3)}{THIN_SPACE}m³ of cold water, or chillers on the UPS"
    return LostLine(
        lost=one.lost,
        lasts=show(rounded(one.lasts_s), "s"),
        to_last=show(rounded(one.to_last_s), "s"),
        holds=one.holds,
        answer=answer,
    )


def fact_lines(answer: CoolingAnswer) -> list[tuple[str, str, str]]:
    """Checks as name, value and whether they hold: good, bad or nothing to say."""
    facts: list[tuple[str, str, str]] = []
    if answer.flow:
        facts += [
            ("Coolant of the pod", _litres(answer.flow.coolant_l_per_min), ""),
            ("Coolant per kilowatt", _litres(answer.flow.l_per_min_per_kw), ""),
            ("Coolant per rack", _litres(answer.flow.l_per_min_per_rack), ""),
        ]
    if answer.water:
        water = answer.water
        limit = (
            "no upper limit"
            if water.class_limit_c is None
            else f"up to {show(water.class_limit_c, 'degC').text}"
        )
        facts += [
            (
                "Facility water",
                f"{temperature(water.facility_supply_c).text}: class {water.name}, {limit}; usually {water.usual_plant}",
                "",
            ),
            (
                "Coolant at the SuperNode",
                f"{temperature(water.coolant_supply_c).text}, at most {show(water.coolant_limit_c, 'degC').text}",
                "good" if water.holds else "bad",
            ),
        ]
    return facts


def reuse_lines(answer: CoolingAnswer) -> list[tuple[str, str]]:
    reuse = answer.reuse
    if reuse is None:
        return []
    lifted = (
        f"COP {reuse.cop:.2f}, {show(reuse.heat_pump_w, 'W').text} at the network"
        if reuse.cop
        else "none: the return is warm enough"
    )
    return [
        ("Heat handed over, mean", show(reuse.heat_w, HEAT).text),
        ("Facility water's return", temperature(reuse.return_c).text),
        ("Network", show(reuse.network_c, "degC").text),
        ("Heat pump", lifted),
        ("ERE", _ratio(reuse.ere)),
        ("ERF", _ratio(reuse.erf)),
    ]


def exchanger_lines(answer: CoolingAnswer) -> list[tuple[str, str, str]]:
    plates = answer.exchanger
    if plates is None or math.isnan(plates.ntu):
        return []
    return [
        (f"{load:.0%}".replace("%", f"{THIN_SPACE}%"), f"{fixed:.1f}", f"{variable:.1f}")
        for load, fixed, variable in zip(
            plates.load_shares, plates.approach_fixed_flow_k, plates.approach_variable_flow_k, strict=True
        )
    ]


def _ratio(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value:.3f}"


def _litres(flow_l_per_min: float) -> str:
    return "unknown" if math.isnan(flow_l_per_min) else f"{number(flow_l_per_min)}{THIN_SPACE}L/min"


def _percent(share: float) -> str:
    return "unknown" if math.isnan(share) else f"{100 * share:.0f}{THIN_SPACE}%"


def _celsius(value: float) -> Shown:
    return temperature(value)
