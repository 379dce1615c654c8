"""Cost of a million tokens, by hardware and number format."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.surfaces.files.serving_files import view_json
from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.serving.bodies import served_body
from app.surfaces.rest.shapes import answer_shapes, request_shapes, with_unknown
from app.views.serving.token_cost import TokenCostView, token_cost_view
from app.views.serving.token_cost_options import TokenCostOptions

router = APIRouter()

TITLE, REQUEST = "ServingTokenCost", "ServingTokenCostRequest"


@router.post(
    "/cost",
    summary="Compare the cost of tokens",
    responses={
        200: json_answer(TITLE, "A row a system and format, the scenario as it stands first."),
        **PROBLEMS,
    },
    openapi_extra=served_body(
        REQUEST,
        "A scenario that serves a model, and what it is compared over.",
        systems=["dgx_b200"],
        formats=["fp8"],
    ),
    dependencies=[only()],
)
async def compare_token_cost(body: BodyDep, found: ServicesDep) -> Response:
    """A million tokens in and out, owned and rented: the scenario as it stands, then the same demand on its own
    SuperNode and on `systems`, in each of `formats`, each sized to the demand and with the best of a modest set of
    layouts. What nobody published is null, and named in `unknown` with the field that states it; `refused` rows could
    not be tried, and say why in `reason`.
    """
    return await found.workers.run(_view, body, found)


def _view(body: Body, found: Services) -> Response:
    options, scenario = asked(TokenCostOptions, body, found)
    return json_response(view_json(token_cost_view(scenario, found.catalog(), options, found.evaluated)))


def cost_view_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**with_unknown(answer_shapes(TITLE, TokenCostView)), **request_shapes(REQUEST, TokenCostOptions)}
