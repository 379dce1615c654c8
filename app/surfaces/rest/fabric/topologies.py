"""Every topology for the pod of a scenario, side by side."""

from __future__ import annotations

import dataclasses
from typing import Any

from fastapi import APIRouter, Response

from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked, options_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, request_shapes
from app.views.fabric.alternatives import Alternative, alternatives
from app.views.view import NoOptions

router = APIRouter()

TITLE = "PodTopologies"


@router.post(
    "/topologies",
    summary="Compare topologies",
    responses={200: json_answer(TITLE, "Every topology, sized for the pod."), **PROBLEMS},
    openapi_extra=options_body("TopologiesRequest", "A scenario."),
    dependencies=[only()],
)
async def compare_topologies(body: BodyDep, found: ServicesDep) -> Response:
    """Switches, links, bisection, oversubscription, diameter, mean distance and latency of every topology for the
    SuperNodes, NICs and switch of a scenario; `refusal` says which limit one meets. None where one SuperNode is
    all there is.
    """
    return await found.workers.run(_topologies, body, found)


def _topologies(body: Body, found: Services) -> Response:
    _, scenario = asked(NoOptions, body, found)
    rows = [dataclasses.asdict(row) for row in alternatives(scenario, found.catalog())]
    return json_response({"topologies": rows})


def topology_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {
        **answer_shapes("TopologyAlternative", Alternative),
        TITLE: {
            "type": "object",
            "title": TITLE,
            "properties": {
                "topologies": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/TopologyAlternative"},
                }
            },
            "required": ["topologies"],
            "additionalProperties": False,
        },
        **request_shapes("TopologiesRequest", NoOptions),
    }
