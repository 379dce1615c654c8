"""Owning a scenario's pod against renting one, and against both."""

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
from app.views.economics.own_or_rent import OwnOrRent, own_or_rent_answer
from app.views.economics.own_or_rent.document import OwnOrRentOptions
from app.views.plain import report_json

router = APIRouter()

TITLE = "OwnOrRent"
REQUEST = "OwnOrRentRequest"


@router.post(
    "/own_or_rent",
    summary="Set owning against renting",
    responses={
        200: json_answer(TITLE, "Totals, where owning begins to pay, the mix, and regret."),
        **PROBLEMS,
    },
    openapi_extra=options_body(
        REQUEST, "A scenario, and the rental terms that owning is set against.", against="on_demand"
    ),
    dependencies=[only()],
)
async def set_owning_against_renting(body: BodyDep, found: ServicesDep) -> Response:
    """The same useful hours owned, rented on demand, reserved, on the spot market and in capacity blocks, and with the
    base owned and the peak rented, over `economics.renting.horizon_months` and on the scenario's price path: totals
    in today's worth, break-even utilisation and month by term, a map of owning less renting by utilisation and
    duration, and what each choice costs if prices take another path. Null is unknown; a break-even that never comes
    is null too, and `owning_pays` or `pays_back` says never. `offers` are the dated prices of the catalog.
    """
    return await found.workers.run(_compare, body, found)


def _compare(body: Body, found: Services) -> Response:
    options, scenario = asked(OwnOrRentOptions, body, found)
    return json_response(report_json(own_or_rent_answer(scenario, found.catalog(), options)))


def own_or_rent_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**with_unknown(answer_shapes(TITLE, OwnOrRent)), **request_shapes(REQUEST, OwnOrRentOptions)}
