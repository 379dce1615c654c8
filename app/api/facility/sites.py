"""The same design at every site of the catalog, ranked."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.api.bodies import Body, BodyDep
from app.api.documented import json_answer
from app.api.parameters import only
from app.api.problems import json_response
from app.api.scenario_requests import PROBLEMS, asked, options_body
from app.api.services import Services, ServicesDep
from app.api.shapes import answer_shapes, request_shapes, with_unknown
from app.scenarios.facility.sites import SitesAnswer, SitesOptions, report_json, sites_answer

router = APIRouter()

TITLE = "SiteComparison"
NEVER_UNKNOWN = ("warming_k",)


@router.post(
    "/sites",
    summary="Compare sites",
    responses={
        200: json_answer(TITLE, "Every site with its figures and places, in the order asked for."),
        **PROBLEMS,
    },
    openapi_extra=options_body(
        "SiteComparisonRequest", "A scenario, and how sites are compared.", sort="score"
    ),
    dependencies=[only()],
)
async def compare_sites(body: BodyDep, found: ServicesDep) -> Response:
    """The design at each site of the catalog whose hourly year is there: cost, carbon, water and PUE with their
    places, a weighed order, and which sites no other beats in cost and carbon at once. Sites whose weather is of
    another climate are listed without a place. Where the scenario contracts clean electricity, market-based carbon
    stands beside the location-based. Nothing is saved.
    """
    return await found.workers.run(_sites, body, found)


def _sites(body: Body, found: Services) -> Response:
    options, scenario = asked(SitesOptions, body, found)
    return json_response(report_json(sites_answer(scenario, found.catalog(), options)))


def site_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    parts = answer_shapes(TITLE, SitesAnswer)
    return {
        **{name: with_unknown(schema, NEVER_UNKNOWN) for name, schema in parts.items()},
        **request_shapes("SiteComparisonRequest", SitesOptions),
    }
