"""The four networks of a scenario, side by side."""

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
from app.views.fabric.networks import PodNetworks, pod_networks
from app.views.view import NoOptions

router = APIRouter()

TITLE = "PodNetworks"


@router.post(
    "/networks",
    summary="Show the four networks",
    responses={200: json_answer(TITLE, "Every network, built or not, and the kinds of fabric."), **PROBLEMS},
    openapi_extra=options_body("NetworksRequest", "A scenario."),
    dependencies=[only()],
)
async def show_networks(body: BodyDep, found: ServicesDep) -> Response:
    """The compute, storage, in-band and out-of-band network of a scenario: ports of a node, switches, links,
    cables, modules, watts and price. A network is built where `pod.networks` asks for it. Beside them the kinds of
    fabric, with what each implies and what of the catalog belongs to it.
    """
    return await found.workers.run(_networks, body, found)


def _networks(body: Body, found: Services) -> Response:
    _, scenario = asked(NoOptions, body, found)
    return json_response(dataclasses.asdict(pod_networks(scenario, found.catalog())))


def network_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**answer_shapes(TITLE, PodNetworks), **request_shapes("NetworksRequest", NoOptions)}
