"""The run of a scenario by every method that costs of runs are counted by."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked, options_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, request_shapes, with_unknown
from app.views.economics.run_methods.answer import run_methods_answer
from app.views.economics.run_methods.options import RunMethodsOptions
from app.views.economics.run_methods.report import RunMethods
from app.views.plain import report_json

router = APIRouter()

TITLE = "RunMethods"
REQUEST = "RunMethodsRequest"
EXAMPLE = {"tokens_per_s": 20_000, "accelerators": 8}


@router.post(
    "/runs",
    summary="Count a run by every method",
    responses={200: json_answer(TITLE, "The run by every method, and served tokens."), **PROBLEMS},
    openapi_extra=options_body(REQUEST, "A scenario, and a rate of serving.", **EXAMPLE),
    dependencies=[only()],
)
async def count_run(body: BodyDep, found: ServicesDep) -> Response:
    """One run of the scenario rented on demand, by commitment, on spot and by capacity block, owned at a level cost,
    amortised by Epoch's method, and bought whole; with and without `economics.research_multiplier`. Each figure comes
    with its arithmetic in words. With `tokens_per_s`, a million served tokens by every price of an hour, and their
    energy: of a scenario that serves the rate is computed where none is given, and there are no methods, as it has no
    run. Unknown is null, nothing is saved.
    """
    return await found.workers.run(_runs, body, found)


def _runs(body: Body, found: Services) -> Response:
    options, scenario = asked(RunMethodsOptions, body, found)
    return json_response(report_json(run_methods_answer(scenario, found.catalog(), options)))


def runs_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**with_unknown(answer_shapes(TITLE, RunMethods)), **request_shapes(REQUEST, RunMethodsOptions)}
