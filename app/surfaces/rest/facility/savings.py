"""What other plants, hours and sources of electricity save of a scenario's energy."""

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
from app.views.facility.savings.answer import savings_answer
from app.views.facility.savings.document import SavingsOptions
from app.views.facility.savings.report import SavingsReport
from app.views.plain import report_json

router = APIRouter()

TITLE = "FacilitySavings"
REQUEST = "FacilitySavingsRequest"
EXAMPLE = {"steps": ["liquid_cooling", "power_cap", "renewables"], "solar_over_load": 0.6, "battery_h": 6}


@router.post(
    "/savings",
    summary="Show what steps save of the energy",
    responses={200: json_answer(TITLE, "The baseline, every step, the hours, and the verdict."), **PROBLEMS},
    openapi_extra=options_body(REQUEST, "A scenario, and the steps from its air-cooled baseline.", **EXAMPLE),
    dependencies=[only()],
)
async def show_savings(body: BodyDep, found: ServicesDep) -> Response:
    """The same job in an air-cooled hall, then with each of the `steps` in their order: every state is an evaluation
    of a changed scenario, so what each step saves of energy, grid energy, water, money and carbon comes from the
    engine. Energy that is saved and grid energy that clean energy takes the place of are kept apart; clean energy
    counts in the hour that it is used, through a battery too. `verdict` says whether more than half is saved.
    """
    return await found.workers.run(_savings, body, found)


def _savings(body: Body, found: Services) -> Response:
    options, scenario = asked(SavingsOptions, body, found)
    return json_response(report_json(savings_answer(scenario, found.catalog(), options)))


def savings_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**with_unknown(answer_shapes(TITLE, SavingsReport)), **request_shapes(REQUEST, SavingsOptions)}
