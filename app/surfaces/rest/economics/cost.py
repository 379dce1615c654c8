"""What a scenario costs to own, as a tree."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.scenarios.fields import Part
from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked, options_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, request_shapes, with_unknown
from app.views.economics.cost_tree import CostTree, cost_tree, tree_json

router = APIRouter()

TITLE, REQUEST = "CostTree", "CostTreeRequest"


class CostTreeOptions(Part):
    """Nothing beside the scenario: its terms are in it."""


@router.post(
    "/cost",
    summary="Show what owning costs, part by part",
    responses={200: json_answer(TITLE, "The tree, what decides, and both buildings."), **PROBLEMS},
    openapi_extra=options_body(REQUEST, "A scenario."),
    dependencies=[only()],
)
async def show_cost(body: BodyDep, found: ServicesDep) -> Response:
    """Every part of what is bought and of what is paid each year, with its price, its yearly cost, its cost over the
    life and in a used accelerator-hour, its share of the total cost and the source of its price; parts sum to branches
    and branches to the whole. `levers` say how far a used hour moves when one term goes from low to high of the
    catalog, the widest first; `buildings` is the design in a building of its own and in colocation.
    """
    return await found.workers.run(_cost, body, found)


def _cost(body: Body, found: Services) -> Response:
    _, scenario = asked(CostTreeOptions, body, found)
    return json_response(tree_json(cost_tree(scenario, found.catalog())))


def cost_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**with_unknown(answer_shapes(TITLE, CostTree)), **request_shapes(REQUEST, CostTreeOptions)}
