"""Own, rent or both: the decision by its questions."""

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
from app.surfaces.rest.shapes import answer_shapes, request_shapes, with_unknown
from app.views.economics.decision import Decision, DecisionOptions, decision_answer
from app.views.plain import without_unknown

router = APIRouter()

TITLE = "Decision"
REQUEST = "DecisionRequest"


@router.post(
    "/decision",
    summary="Decide to own or rent",
    responses={200: json_answer(TITLE, "Five questions with their answers, and a summing-up."), **PROBLEMS},
    openapi_extra=options_body(
        REQUEST, "A scenario, and what only the reader knows.", data_must_stay=False, months_of_work=36
    ),
    dependencies=[only()],
)
async def decide(body: BodyDep, found: ServicesDep) -> Response:
    """Own, rent or both, by five questions: how much computing there is, whether data may leave, from which use
    owning is cheaper (and whether that is the 70 % of a rule of thumb), what owning costs and what decides that, and
    what a start in the cloud costs. `summing_up` has the cheapest choice that is allowed and what would turn it. What
    is unknown is null, and listed under `missing` with the scenario field that states it; a break-even that is never
    reached is null too, and the sentences say which.
    """
    return await found.workers.run(_decide, body, found)


def _decide(body: Body, found: Services) -> Response:
    options, scenario = asked(DecisionOptions, body, found)
    answer = decision_answer(scenario, found.catalog(), options)
    return json_response(without_unknown(dataclasses.asdict(answer)))


def decision_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**with_unknown(answer_shapes(TITLE, Decision)), **request_shapes(REQUEST, DecisionOptions)}
