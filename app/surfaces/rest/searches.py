"""Searches over many designs of a scenario: its layouts, and sizes of its scale-up domain."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import example_scenarios, json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import (
    EXAMPLE,
    PROBLEMS,
    examples_body,
    options_and_evaluation,
    options_body,
    small_scenario,
    workload_kind,
)
from app.surfaces.rest.services import Services, ServicesDep
from app.views.plain import report_json
from app.views.searching.options import SearchOptions
from app.views.searching.serving_options import ServingSearchOptions
from app.views.view import NoOptions

router = APIRouter(tags=["searches"])
SERVED = "deepseek_r1_on_8_h200"


def search_examples() -> dict[str, Any]:
    """Bodies to try: of a training run and of a served model."""
    small = {"scenario": small_scenario(), "objective": "step_time", "hold": {"pp": [1]}, "top": 3}
    served = {"scenario": example_scenarios()[SERVED]["value"], "objective": "cost", "power_limit_w": 1e4}
    return {
        EXAMPLE: {"summary": "A small one", "value": small},
        SERVED: {"summary": "A served model", "value": served},
    }


@router.post(
    "/searches",
    summary="Search every layout",
    responses={200: json_answer("AnySearch", "The best layouts, and what the others are like."), **PROBLEMS},
    openapi_extra=examples_body("AnySearchRequest", "A scenario and what to search for.", search_examples()),
    dependencies=[only()],
)
async def search(body: BodyDep, found: ServicesDep) -> Response:
    """Every parallel layout of a scenario, computed: the `best`, the Pareto front of step time and memory,
    the best of each pair of tensor and pipeline parallelism, and why the rest cannot run. The objectives
    `cost`, `energy` and `accelerators` compare numbers of SuperNodes, in `sizes`. A space of more layouts
    than one search computes is refused, with a hint at what to hold. An equal request is answered from memory until
    the catalog changes.

    Of a scenario that serves a model: layouts of instances, of prefill and decode instances, and their loads, on its
    own hardware and on what else is named; the Pareto fronts of output tokens a second for a user against for an
    accelerator, the `cheapest` that keeps the service level, the best `within_power`, or the `nearest`. The members of
    body and answer are then those of ServingSearchRequest and ServingSearch.
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
    """Effect of the scale-up domain size: the same job on the same accelerators, joined into scale-up domains of other
    sizes and at half, the same and twice the bandwidth, with the best layout at each.
    """
    return await found.workers.run(_domain_study, body, found)


def _search(body: Body, found: Services) -> Response:
    if workload_kind(body, found) == "serving":
        asked_for, served = options_and_evaluation(ServingSearchOptions, body, found, other=SearchOptions)
        return json_response(report_json(found.searches.serving_search(served, found.catalog(), asked_for)))
    options, scenario = options_and_evaluation(SearchOptions, body, found, other=ServingSearchOptions)
    return json_response(found.searches.search(scenario, options))


def _domain_study(body: Body, found: Services) -> Response:
    _, scenario = options_and_evaluation(NoOptions, body, found)
    return json_response(found.searches.domain_study(scenario, found.catalog()))
