"""The floor of a scenario: its racks, and how long its cables are."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked, options_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import report_shapes, request_shapes
from app.views.fabric.floor_answer import FloorOptions, FloorReport, floor_answer, floor_report
from app.views.plain import report_json

router = APIRouter()

TITLE = "FloorPlan"
PARTS = ("FloorTotals", "CableTotals", "RackLine", "FullRack", "Shelf")


@router.post(
    "/floor",
    summary="Plan the floor",
    responses={200: json_answer(TITLE, "Every rack, cables by tier, and the rack asked for."), **PROBLEMS},
    openapi_extra=options_body("FloorPlanRequest", "A scenario, and a rack of its floor.", rack="R01-01"),
    dependencies=[only()],
)
async def plan_floor(body: BodyDep, found: ServicesDep) -> Response:
    """Racks filled by power, heat, height and weight, set in rows so that what belongs together stands together;
    the length of cables by network and tier, from their routes over the trays; what no rack can carry, with the
    nearest design that works; and, where a `rack` is named, all that stands in it. The rules are those of
    `pod.floor`.
    """
    return await found.workers.run(_floor, body, found)


def _floor(body: Body, found: Services) -> Response:
    options, scenario = asked(FloorOptions, body, found)
    return json_response(report_json(floor_report(floor_answer(scenario, options))))


def floor_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**report_shapes(TITLE, FloorReport, PARTS), **request_shapes("FloorPlanRequest", FloorOptions)}
