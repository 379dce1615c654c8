"""What a fabric still does when parts of it fail, when jobs share it, and under its own workload."""

from __future__ import annotations

import dataclasses
from typing import Any

from fastapi import APIRouter, Response

from app.scenarios.fields import Part
from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked, examples_body, small_scenario
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, request_shapes
from app.views.fabric.faults import fabric_faults
from app.views.fabric.faults_answer import FaultsAnswer
from app.views.fabric.faults_document import FaultsDocument
from app.views.fabric.sharing import SharingAnswer, fabric_sharing
from app.views.fabric.sharing_document import SharingDocument
from app.views.fabric.utilisation import UtilisationAnswer, fabric_utilisation
from app.views.view import NoOptions

router = APIRouter()

JOBS = [{"hosts": 1, "placement": "packed"}, {"hosts": 1, "pattern": "all_to_all", "exposed_share": 0.2}]
TWO_SERVERS = "two_servers"
ANSWERS = {
    "FabricFaults": FaultsAnswer,
    "FabricSharing": SharingAnswer,
    "FabricUtilisation": UtilisationAnswer,
}
OPTIONS: dict[str, type[Part]] = {
    "FabricFaultsRequest": FaultsDocument,
    "FabricSharingRequest": SharingDocument,
    "FabricUtilisationRequest": NoOptions,
}


def _body(schema: str, description: str, **options: Any) -> dict[str, Any]:
    """Declares a body whose example is the smallest scenario that has a fabric."""
    scenario = small_scenario() | {"pod": {"supernodes": 2}}
    example = {"summary": "Two servers", "value": {"scenario": scenario, **options}}
    return examples_body(schema, description, {TWO_SERVERS: example})


@router.post(
    "/faults",
    summary="Let parts of a fabric fail",
    responses={200: json_answer("FabricFaults", "What is left of the fabric."), **PROBLEMS},
    openapi_extra=_body("FabricFaultsRequest", "A scenario and what fails.", switches=["leaf-1"]),
    dependencies=[only()],
)
async def let_fail(body: BodyDep, found: ServicesDep) -> Response:
    """Links, switches, planes, rails or a power feed that fail all at once: hosts cut off, capacity left by tier,
    bandwidth left between halves, between the worst two hosts and between two that are named, and the step time of
    the workload with what is left; and the same for one link, switch, plane and rail of each tier by itself.
    """
    return await found.workers.run(_faults, body, found)


def _faults(body: Body, found: Services) -> Response:
    options, scenario = asked(FaultsDocument, body, found)
    return json_response(dataclasses.asdict(fabric_faults(scenario, options)))


@router.post(
    "/sharing",
    summary="Let jobs share a fabric",
    responses={200: json_answer("FabricSharing", "Every job, and the load of every tier."), **PROBLEMS},
    openapi_extra=_body("FabricSharingRequest", "A scenario and the jobs on its hosts.", jobs=JOBS),
    dependencies=[only()],
)
async def let_share(body: BodyDep, found: ServicesDep) -> Response:
    """Up to eight jobs on one fabric, each placed on hosts of its own: the pace of its communication alone and
    beside the others, by max-min fair shares of the links where they meet, and how much slower its step becomes.
    """
    return await found.workers.run(_sharing, body, found)


def _sharing(body: Body, found: Services) -> Response:
    options, scenario = asked(SharingDocument, body, found)
    return json_response(dataclasses.asdict(fabric_sharing(scenario, options)))


@router.post(
    "/utilisation",
    summary="Show how busy links are",
    responses={200: json_answer("FabricUtilisation", "Traffic of a step, and every tier."), **PROBLEMS},
    openapi_extra=_body("FabricUtilisationRequest", "A scenario."),
    dependencies=[only()],
)
async def show_utilisation(body: BodyDep, found: ServicesDep) -> Response:
    """Bytes that an accelerator sends in a step by purpose, and the mean and peak utilisation of the links of every
    tier, the scale-up fabric first.
    """
    return await found.workers.run(_utilisation, body, found)


def _utilisation(body: Body, found: Services) -> Response:
    _, scenario = asked(NoOptions, body, found)
    return json_response(dataclasses.asdict(fabric_utilisation(scenario)))


def resilience_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    found: dict[str, Any] = {}
    for name, answer in ANSWERS.items():
        found |= answer_shapes(name, answer)
    for name, options in OPTIONS.items():
        found |= request_shapes(name, options)
    return found
