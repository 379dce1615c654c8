"""The cash flow of owning the pod of a scenario."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, NoOptions, asked, options_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, request_shapes, with_unknown
from app.views.economics.cash_flow import CashFlowAnswer, cash_flow_answer
from app.views.economics.cash_flow.answer import answer_json

router = APIRouter()

TITLE = "CashFlow"
REQUEST = "CashFlowRequest"
KNOWN = ("per_usd",)


@router.post(
    "/cash_flow",
    summary="Draw up the cash flow",
    responses={200: json_answer(TITLE, "Every year, their sums, and what they are worth."), **PROBLEMS},
    openapi_extra=options_body(REQUEST, "A scenario; its terms are under `economics.finance`."),
    dependencies=[only()],
)
async def draw_up_cash_flow(body: BodyDep, found: ServicesDep) -> Response:
    """Year by year over the life of the equipment: revenue (used hours at a stated price, else the rent on demand that
    owning avoids), running cost by kind, purchase and worth at the end, depreciation, tax, debt, and the cash of the
    project and of its owners; net present value, rates of return, payback, debt service cover and the levelised cost
    of a used hour. Year 0 is the day of purchase. Nothing is saved.
    """
    return await found.workers.run(_cash_flow, body, found)


def _cash_flow(body: Body, found: Services) -> Response:
    _, scenario = asked(NoOptions, body, found)
    return json_response(answer_json(cash_flow_answer(scenario)))


def cash_flow_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {
        **with_unknown(answer_shapes(TITLE, CashFlowAnswer), KNOWN),
        **request_shapes(REQUEST, NoOptions),
    }
