"""What explains the difference between two scenarios."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import (
    EXAMPLE,
    PROBLEMS,
    TWO,
    asked_of_two,
    examples_body,
    small_scenario,
)
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import SCENARIO, answer_shapes, request_shapes, with_unknown
from app.views.economics.difference.options import DifferenceOptions
from app.views.economics.difference.report import DifferenceReport
from app.views.plain import report_json

router = APIRouter()

TITLE = "Difference"
REQUEST = "DifferenceRequest"


def _example() -> dict[str, Any]:
    """A small scenario, and the same kept longer where electricity costs more."""
    first = small_scenario()
    second = first | {"economics": {"life_years": 6, "electricity_price_usd_per_kwh": 0.12}}
    return {"first": first, "second": second, "figure": "usd_per_run"}


@router.post(
    "/difference",
    summary="Explain a difference",
    responses={200: json_answer(TITLE, "The difference by category, by cause and by factor."), **PROBLEMS},
    openapi_extra=examples_body(
        REQUEST,
        "Two scenarios, and the figure whose difference is explained.",
        {EXAMPLE: {"summary": "A small one on other terms", "value": _example()}},
    ),
    dependencies=[only()],
)
async def explain_difference(body: BodyDep, found: ServicesDep) -> Response:
    """The figure of `second` less that of `first`, in views whose lines add up to all of it: by category of cost or
    carbon; by cause, each group of inputs by its mean effect over all orders in which the groups could be changed
    (Shapley value), with the least and the most that it brings; and by factor. Groups that cannot be combined are
    taken together, and `notes` says why. With the figure `rent`, two offers are compared by what their bills are
    made of. Nothing is saved.
    """
    return await found.workers.run(_difference, body, found)


def _difference(body: Body, found: Services) -> Response:
    options, first, second = asked_of_two(DifferenceOptions, body, found)
    report = found.searches.difference(first, second, found.catalog(), options)
    return json_response(report_json(report))


def difference_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    asked = request_shapes(REQUEST, DifferenceOptions)
    fields = {name: field for name, field in asked[REQUEST]["properties"].items() if name != "scenario"}
    asked[REQUEST] |= {"properties": dict.fromkeys(TWO, SCENARIO) | fields, "required": list(TWO)}
    return {**with_unknown(answer_shapes(TITLE, DifferenceReport)), **asked}
