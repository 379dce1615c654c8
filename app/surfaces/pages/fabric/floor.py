"""The floor tab: racks in their rows, one from the front, and how long cables are."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.charts.floor_plan import COLOURINGS, KIND, DrawnFloor, floor_plan_figure
from app.charts.floor_rooms import Plant, PowerBlock
from app.charts.format import Shown, rounded, show
from app.charts.rack_elevation import rack_elevation_figure, rack_facts
from app.engine.fabric.floor.totals import FloorTotals
from app.engine.facility.electrical.kinds import IN_A_RACK
from app.engine.facility.electrical.redundancy import SCHEMES
from app.engine.trace import first_of
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.floor import FloorAnswer, FloorOptions, floor_answer
from app.views.facility.electrical import ElectricalOptions, electrical_answer
from app.views.facility.electrical_report import block_lines

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

NOT_IN_ROOMS = ("utility_feed", "busway", *IN_A_RACK)  # these run to the racks and in them
LISTED_RACKS = 2_000  # of a list to choose from; there are more than anybody reads


class Length(NamedTuple):
    """Cables of a tier as a line of the table."""

    network: str
    tier: str
    links: str
    mean: Shown
    longest: Shown
    together: Shown


@router.get("/fabric/{key}/floor")
def floor(opened: OpenedDep, page: TemplatesDep, rack: str = "", colour: str = KIND) -> HTMLResponse:
    """The floor of a design; `rack` is drawn from the front, `colour` names what racks are coloured by."""
    if opened.scenario is None:
        return page.page("fabric/floor.html", opened=opened)
    fault = ""
    try:
        answer = floor_answer(opened.scenario, FloorOptions(rack=rack[:20]))
    except ScenarioError as error:
        fault = error.errors[0].words
        answer = floor_answer(opened.scenario, FloorOptions())
    measure = colour if colour in COLOURINGS else KIND
    return page.page(
        "fabric/floor.html",
        status=422 if fault else 200,
        opened=opened,
        answer=answer,
        plan=floor_plan_figure(drawn_floor(answer, plant_of(opened.scenario)), measure),
        elevation=rack_elevation_figure(answer.rack) if answer.rack else None,
        rack_facts=rack_facts(answer.rack) if answer.rack else (),
        measures=COLOURINGS,
        measure=measure,
        rack=rack,
        fault=fault,
        facts=_facts(answer.totals),
        lengths=_lengths(answer),
        listed=answer.rack_names[:LISTED_RACKS],
    )


def plant_of(scenario: EvaluatedScenario) -> Plant:
    """CDUs as the cooling plant counts them, and the blocks of the electrical chain that stand in rooms."""
    cooling = scenario.evaluation.sections.cooling
    cdus = first_of(cooling.cdu_count)
    answer = electrical_answer(scenario, ElectricalOptions())
    count = round(cdus) if np.isfinite(cdus) else 0
    return Plant(
        cdus=count,
        cdu_heat_w=first_of(cooling.liquid_heat_design_w) / count if count else math.nan,
        blocks=tuple(
            PowerBlock(
                title=line.title,
                units=round(line.units or 0),
                rating_w=math.nan if line.rating_w is None else line.rating_w,
                is_drawn=line.kind == "ups",
            )
            for line in block_lines(answer)
            if line.kind not in NOT_IN_ROOMS
        ),
        rooms=SCHEMES[answer.chain.redundancy].sides,
        redundancy=answer.chain.redundancy,
    )


def drawn_floor(answer: FloorAnswer, plant: Plant) -> DrawnFloor:
    """The floor with its names, as it is drawn."""
    rules = answer.laid.rules
    return DrawnFloor(
        floor=answer.laid.floor,
        names=answer.rack_names,
        make_up=answer.make_up,
        examples=answer.examples,
        rack_width_m=first_of(rules.rack_width_m),
        rack_depth_m=first_of(rules.rack_depth_m),
        plant=plant,
    )


def _facts(totals: FloorTotals) -> list[tuple[str, Shown]]:
    return [
        ("Racks", show(totals.racks_total)),
        ("Rows", show(totals.rows)),
        ("Floor area, aisles included", show(rounded(totals.area_m2), "m2")),
        ("Rated power of all racks", show(totals.rated_power_w, "W")),
        ("Rated power by area", Shown(*show(totals.power_w_per_m2, "W")[:1], _by_area(totals))),
        ("Highest rated rack power", show(totals.largest_rack_power_w, "W")),
        ("Highest heat to air per rack", show(totals.largest_rack_air_heat_w, "W")),
        ("Highest known rack weight", show(totals.heaviest_rack_kg, "kg")),
    ]


def _by_area(totals: FloorTotals) -> str:
    unit = show(totals.power_w_per_m2, "W").unit
    return f"{unit}/m²" if unit else ""


def _lengths(answer: FloorAnswer) -> list[Length]:
    return [
        Length(
            network=one.network.replace("_", "-").capitalize(),
            tier=one.tier.replace("_", " ").capitalize(),
            links=f"{one.links:,}",
            mean=show(rounded(one.mean_length_m), "m"),
            longest=show(one.longest_m, "m"),
            together=show(rounded(one.metres / 1e3), "km"),
        )
        for one in answer.cables
    ]
