"""Searches over many designs of a scenario: its layouts, and sizes of its scale-up domain."""

from __future__ import annotations

from fastapi import APIRouter, Response

from app.api.bodies import Body, BodyDep
from app.api.documented import json_answer
from app.api.parameters import only
from app.api.problems import json_response
from app.api.scenario_requests import PROBLEMS, NoOptions, asked, options_body
from app.api.services import Services, ServicesDep
from app.scenarios.searching.options import SearchOptions

router = APIRouter(tags=["searches"])


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
    than one search computes is refused, with a hint at what to hold. An equal request is answered from memory until
    the catalog changes.
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
    return json_response(found.searches.search(scenario, options))


def _domain_study(body: Body, found: Services) -> Response:
    _, scenario = asked(NoOptions, body, found)
    return json_response(found.searches.domain_study(scenario))
