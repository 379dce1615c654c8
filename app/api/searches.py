"""Searches over many designs of a scenario: its layouts, and sizes of its scale-up domain."""

from __future__ import annotations

from typing import Any, TypeVar

from fastapi import APIRouter, Response

from app.api.bodies import JSON, YAML, Body, BodyValues, read_body
from app.api.documented import OF_A_BODY, example_scenarios, json_answer, problem_answers
from app.api.evaluations import BodyDep, ServicesDep
from app.api.handlers import scenario_problem
from app.api.parameters import only
from app.api.problem_types import INVALID_PARAMETER, INVALID_SCENARIO, TOO_BUSY
from app.api.problems import json_response
from app.api.services import Services
from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.fields import Part
from app.scenarios.load import build_document, build_scenario
from app.scenarios.searching.domains import domain_study
from app.scenarios.searching.options import SearchOptions
from app.scenarios.searching.search import search_scenario
from app.scenarios.service import EvaluatedScenario

router = APIRouter(tags=["searches"])
Options = TypeVar("Options", bound=Part)

PROBLEMS = problem_answers(INVALID_PARAMETER, INVALID_SCENARIO, TOO_BUSY, *OF_A_BODY)
EXAMPLE = "edge_node"


class NoOptions(Part):
    """A body that has nothing beside its scenario."""


def options_body(schema: str, description: str, **options: Any) -> dict[str, Any]:
    reference = {"$ref": f"#/components/schemas/{schema}"}
    example = {"scenario": example_scenarios()[EXAMPLE]["value"], **options}
    content = {
        JSON: {"schema": reference, "examples": {EXAMPLE: {"summary": "A small one", "value": example}}},
        YAML: {"schema": reference},
    }
    return {"requestBody": {"required": True, "description": description, "content": content}}


@router.post(
    "/searches",
    summary="Search every layout",
    responses={200: json_answer("Search", "The best layouts, and what the others are like."), **PROBLEMS},
    openapi_extra=options_body(
        "SearchRequest", "A scenario and what to search for.", objective="step_time", hold={"pp": [1]}, top=3
    ),
    dependencies=[only()],
)
async def search(body: BodyDep, found: ServicesDep) -> Response:
    """Every parallel layout of a scenario, computed: the `best`, the Pareto front of step time and memory,
    the best of each pair of tensor and pipeline parallelism, and why the rest cannot run. The objectives
    `cost`, `energy` and `accelerators` compare numbers of SuperNodes, in `sizes`. A space of more layouts
    than one search computes is refused, with a hint at what to hold.
    """
    return await found.workers.run(_search, body, found)


@router.post(
    "/domain-studies",
    summary="Compare scale-up domains",
    responses={200: json_answer("DomainStudy", "One entry a size and bandwidth."), **PROBLEMS},
    openapi_extra=options_body("DomainStudyRequest", "A scenario."),
    dependencies=[only()],
)
async def study_domains(body: BodyDep, found: ServicesDep) -> Response:
    """What the SuperNode buys: the same job on the same accelerators, joined into scale-up domains of other
    sizes and at half, the same and twice the bandwidth, with the best layout at each.
    """
    return await found.workers.run(_domain_study, body, found)


def _search(body: Body, found: Services) -> Response:
    options, scenario = asked(SearchOptions, body, found)
    return json_response(search_scenario(scenario, options))


def _domain_study(body: Body, found: Services) -> Response:
    _, scenario = asked(NoOptions, body, found)
    return json_response(domain_study(scenario))


def asked(kind: type[Options], body: Body, found: Services) -> tuple[Options, EvaluatedScenario]:
    """The options of a body, and the evaluation of its scenario."""
    read = read_body(body, found.limits)
    if not isinstance(read.values, dict):
        raise refuse("The body is not a mapping.", rule="mapping", hint="It has a scenario.")
    options = _options(kind, read)
    inside = read.below("scenario")
    try:
        return options, found.evaluated(build_scenario(inside.values, inside.positions))
    except ScenarioError as error:
        raise scenario_problem(error, found.limits, above="/scenario") from None


def _options(kind: type[Options], read: BodyValues) -> Options:
    beside = {name: value for name, value in read.values.items() if name != "scenario"}
    faults: list[InputError] = []
    if "scenario" not in read.values:
        faults.append(InputError(path="scenario", value=None, rule="required", message="is required."))
    try:
        options = build_document(kind, beside, read.positions)
    except ScenarioError as error:
        raise ScenarioError([*faults, *error.errors]) from None
    if faults:
        raise ScenarioError(faults)
    return options
