"""Ladders of bandwidth and latency: a scenario beside systems of the catalog."""

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
from app.views.fabric.bandwidth import BandwidthOptions, Ladders, bandwidth_ladders

router = APIRouter()

TITLE, REQUEST = "BandwidthLadders", "BandwidthRequest"


@router.post(
    "/bandwidth",
    summary="Compare bandwidths level by level",
    responses={200: json_answer(TITLE, "The design first, then the systems."), **PROBLEMS},
    openapi_extra=options_body(REQUEST, "A scenario and what stands beside it.", systems=["gb200_nvl72"]),
    dependencies=[only()],
)
async def compare_bandwidths(body: BodyDep, found: ServicesDep) -> Response:
    """Bandwidth and latency of every level that one accelerator sees, from its registers to another site: of the
    scenario, and of up to four systems of the catalog beside it. With each the operations that must be done on a byte
    to keep the arithmetic busy, and the ratio of scale-up to scale-out. What nobody published is null.
    """
    return await found.workers.run(_bandwidth, body, found)


def _bandwidth(body: Body, found: Services) -> Response:
    options, scenario = asked(BandwidthOptions, body, found)
    return json_response(dataclasses.asdict(bandwidth_ladders(scenario, found.catalog(), options)))


def bandwidth_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**answer_shapes(TITLE, Ladders), **request_shapes(REQUEST, BandwidthOptions)}
