"""Evaluating a scenario, and explaining one figure of it."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from app.likeness import nearest_names
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_scenario
from app.surfaces.rest.bodies import JSON, Body, BodyDep, read_body
from app.surfaces.rest.conditional import etag
from app.surfaces.rest.documented import (
    ETAG,
    OF_A_BODY,
    example_scenarios,
    json_answer,
    problem_answers,
    scenario_body,
)
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import INVALID_PARAMETER, INVALID_SCENARIO, TOO_BUSY
from app.surfaces.rest.problems import KeptText, json_response
from app.surfaces.rest.services import Services, ServicesDep

router = APIRouter(tags=["evaluations"])

EXPLANATION_MEMBERS = ("scenario", "quantity")


@router.post(
    "/evaluations",
    summary="Evaluate a scenario",
    responses={
        200: json_answer("Evaluation", "Every figure; unknown ones are null.", headers=ETAG),
        **problem_answers(INVALID_PARAMETER, INVALID_SCENARIO, TOO_BUSY, *OF_A_BODY),
    },
    openapi_extra={"requestBody": scenario_body()},
    dependencies=[only()],
)
async def evaluate(request: Request, body: BodyDep, found: ServicesDep) -> Response:
    """Speed, fabric, power, cooling, cost, failures and carbon of one design.

    An infeasible design is evaluated all the same: `feasible` is false, and `problems` says what binds,
    by how much, and the smallest change that fixes it. The ETag is of the inputs and the engine: two
    evaluations with the same one have the same figures.
    """
    return await found.workers.run(_evaluation, request, body, found)


@router.post(
    "/explanations",
    summary="Explain one figure",
    responses={
        200: json_answer("Explanation", "The tree of the computation.", headers=ETAG),
        **problem_answers(INVALID_PARAMETER, INVALID_SCENARIO, TOO_BUSY, *OF_A_BODY),
    },
    openapi_extra={
        "requestBody": {
            "required": True,
            "description": "A scenario and the place of a figure in its evaluation.",
            "content": {
                JSON: {
                    "schema": {"$ref": "#/components/schemas/ExplanationRequest"},
                    "examples": {
                        "mfu": {
                            "summary": "Model FLOPs utilisation",
                            "value": {
                                "scenario": next(iter(example_scenarios().values()))["value"],
                                "quantity": "performance.mfu",
                            },
                        }
                    },
                },
            },
        }
    },
    dependencies=[only()],
)
async def explain(body: BodyDep, found: ServicesDep) -> Response:
    """Formula, values put in, units and sources of a figure, down to scenario fields, catalog facts and
    assumptions. `quantity` is the place of the figure in the evaluation, such as `performance.mfu` or
    `fabric.tiers[0].switches`. A part of the tree that was shown before is only named, with `see`.
    """
    return await found.workers.run(_explanation, body, found)


def _evaluation(request: Request, body: Body, found: Services) -> Response:
    scenario = found.evaluated(found.document(body))
    text = scenario.kept_answer("evaluation", lambda: KeptText.of(evaluation_answer(scenario)))
    return text.response(request, {"etag": etag(scenario.as_json["provenance"]["inputs_hash"])})


def evaluation_answer(scenario: EvaluatedScenario) -> dict[str, Any]:
    """An evaluation with estimates suggested for missing inputs, as the API answers with it."""
    offers = {place: one.model_dump() for place, one in scenario.suggested_estimates.items()}
    return scenario.as_json | ({"suggested_estimates": offers} if offers else {})


def _explanation(body: Body, found: Services) -> Response:
    read = read_body(body, found.limits)
    faults = list(_member_faults(read.values))
    if faults:
        raise ScenarioError(faults)
    inside = read.below("scenario")
    try:
        document = build_scenario(inside.values, inside.positions)
        scenario = found.evaluated(document)
    except ScenarioError as error:
        raise scenario_problem(error, found.limits, above="/scenario") from None
    quantity = read.values["quantity"]
    content = scenario.explain(quantity)
    tag = etag(scenario.as_json["provenance"]["inputs_hash"], quantity)
    return json_response(content, {"etag": tag})


def _member_faults(values: Any) -> list[InputError]:
    """Faults of the body of an explanation apart from its scenario."""
    if not isinstance(values, dict):
        return [_fault("", "mapping", "The body is not a mapping.", "It has scenario and quantity.")]
    faults = []
    for name in values:
        if name not in EXPLANATION_MEMBERS:
            near = nearest_names(name[:80], EXPLANATION_MEMBERS, count=1)
            hint = f"Did you mean {near}?" if near else "Known here: scenario, quantity."
            faults.append(_fault(name, "unknown_key", "is not a known key.", hint))
    faults += [
        _fault(name, "required", "is required.", "") for name in EXPLANATION_MEMBERS if name not in values
    ]
    if not isinstance(values.get("quantity", ""), str):
        faults.append(_fault("quantity", "text", "must be text.", "Such as performance.mfu."))
    return faults


def _fault(path: str, rule: str, message: str, hint: str) -> InputError:
    shown = "".join(letter if letter.isprintable() else "?" for letter in path[:160])
    return InputError(path=shown, value=None, rule=rule, message=message, hint=hint)
