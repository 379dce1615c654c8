"""IT power of a scenario: by component, under power caps, and how it swings."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.api.bodies import Body, BodyDep
from app.api.documented import json_answer
from app.api.parameters import only
from app.api.problems import json_response
from app.api.scenario_requests import PROBLEMS, asked, options_body
from app.api.services import Services, ServicesDep
from app.api.shapes import report_shapes, request_shapes
from app.scenarios.facility.it import ItOptions, it_answer
from app.scenarios.facility.it_report import ItReport, it_report, report_json

router = APIRouter()

TITLE, REQUEST = "ItPower", "ItPowerRequest"
PARTS = ("ItTotals", "NodeLoad", "PartLine", "CapPoint", "Swing")


@router.post(
    "/it",
    summary="Split IT power by component",
    responses={200: json_answer(TITLE, "Components, power caps, and the swing of the job."), **PROBLEMS},
    openapi_extra=options_body(REQUEST, "A scenario, and what the feed allows.", ramp_limit_w_per_s=100_000),
    dependencies=[only()],
)
async def split_it_power(body: BodyDep, found: ServicesDep) -> Response:
    """Accelerators, CPUs, memory, NICs, fans, power supplies, switches, optics and storage, each idle, at work, at the
    coincident peak and as rated; the columns sum to the figures of the evaluation, and what nobody published is null
    with its power in "other". Step time and energy over power caps, with the layout that the design has. How far the
    power of the job swings, and the storage that hides it at the ramp limit of the utility.
    """
    return await found.workers.run(_it, body, found)


def _it(body: Body, found: Services) -> Response:
    options, scenario = asked(ItOptions, body, found)
    return json_response(report_json(it_report(it_answer(scenario, found.catalog(), options))))


def it_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**report_shapes(TITLE, ItReport, PARTS), **request_shapes(REQUEST, ItOptions)}
