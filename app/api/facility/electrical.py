"""The electrical chain of a scenario: sized, and with every kind of block lost in turn."""

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
from app.scenarios.facility.electrical import ElectricalOptions, electrical_answer
from app.scenarios.facility.electrical_report import ElectricalReport, electrical_report, report_json

router = APIRouter()

TITLE = "ElectricalChain"
PARTS = ("BlockLine", "LostLine", "SchemeLoads", "StageLoss", "Standby")


@router.post(
    "/electrical",
    summary="Size the electrical chain",
    responses={
        200: json_answer(TITLE, "Blocks from the utility to the rack, and what losing one of each does."),
        **PROBLEMS,
    },
    openapi_extra=options_body(
        "ElectricalChainRequest", "A scenario, and how its chain is sized.", sized_on="rating", standard="nec"
    ),
    dependencies=[only()],
)
async def size_electrical_chain(body: BodyDep, found: ServicesDep) -> Response:
    """Feeds, transformers, generators, UPS, switchboards, busways and rack feeds for the hottest hour, derated for the
    site; batteries and fuel; for every kind of block what happens when one is lost while each node draws its
    rating; and what each stage loses at the mean load. Unit sizes are assumptions of the scenario.
    """
    return await found.workers.run(_electrical, body, found)


def _electrical(body: Body, found: Services) -> Response:
    options, scenario = asked(ElectricalOptions, body, found)
    return json_response(report_json(electrical_report(electrical_answer(scenario, options))))


def electrical_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {
        **report_shapes(TITLE, ElectricalReport, PARTS),
        **request_shapes("ElectricalChainRequest", ElectricalOptions),
    }
