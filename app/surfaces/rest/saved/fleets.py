"""`/api/v1/saved-fleets`: fleets that last, with the answer of a run where one was kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import Field

from app.saved.documents import build_saved
from app.saved.records import Kind, Page, Saved
from app.surfaces.rest.bodies import JSON, BodyValues
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import IF_NONE_MATCH, json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import INVALID_FLEET, NOT_FOUND
from app.surfaces.rest.problems import ProblemError
from app.surfaces.rest.saved.answers import Item, Links
from app.surfaces.rest.saved.declared import Id, reading
from app.surfaces.rest.saved.filters import COMMON, common_filters, shared_page
from app.surfaces.rest.saved.routes import shelf_router
from app.surfaces.rest.saved.saving import PRIVATE
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services, ServicesDep
from app.views.fleet.answer import FleetAnswer
from app.views.plain import report_json
from app.views.written import read_back

HERE = "/api/v1/saved-fleets/{id}"
EXAMPLES: dict[str, dict[str, Any]] = {
    "one": {
        "name": "A shared pod",
        "days": 4,
        "warmup_days": 1,
        "classes": [{"name": "Research", "jobs_per_hour": 2, "sizes": [1, 2, 4, 8], "duration_hours": 2}],
        "pods": [{"name": "Pod", "supernodes": 8, "accelerators": 8}],
        "policies": ["fifo", "preemption"],
    },
}


def check(read: BodyValues) -> Kind:
    """A fleet that can be saved, its faults told with their lines."""
    build_saved("fleet", read.values, read.positions)
    return "fleet"


def listed(found: Services, given: Mapping[str, str]) -> Page[Saved]:
    """A page of fleets."""
    shared = shared_page(found, ("fleet",), "fleet", given)
    return shared or found.saved.listed("fleet", **common_filters(given, found.limits))


def body() -> dict[str, Any]:
    """A fleet with a name, with an example to try."""
    return {
        "required": True,
        "description": "A fleet with a name: jobs, pods and policies. A pod may name an example or a saved scenario.",
        "content": {
            JSON: {
                "schema": {"$ref": "#/components/schemas/FleetDocument"},
                "examples": {
                    key: {"summary": str(value["name"]), "value": value} for key, value in EXAMPLES.items()
                },
            },
        },
    }


class FleetSummary(Answer):
    """A fleet in short; figures of the last policy, null where no answer was kept with it."""

    classes: int = Field(description="Job classes and served models.")
    trace: bool = Field(description="Whether it runs recorded jobs.")
    days: float | None
    pods: list[str]
    supernodes: int | None
    policies: list[str]
    policy: str | None = Field(description="Name of the last policy.")
    utilisation: float | None = Field(description="Productive share, as `economics.utilisation` of a design.")
    allocated: float | None
    wait_p95_s: float | None
    cost_usd: float | None


class FleetLinks(Links):
    """Addresses of what belongs to it; page is for people."""

    diff: str
    page: str


class FleetItem(Item):
    """A saved fleet in short."""

    summary: FleetSummary
    links: FleetLinks


class FleetRecord(FleetItem):
    """A saved fleet."""

    document: dict[str, Any] = Field(description="The fleet as it was written.")


class FleetsPage(Answer):
    """A page of saved fleets."""

    items: list[FleetItem]
    next: str | None = Field(description="Value of `after` for the next page; null at the end.")


FLEETS = Shelf(
    address="/api/v1/saved-fleets",
    one="fleet",
    many="fleets",
    kinds=("fleet",),
    answer=FleetRecord,
    page=FleetsPage,
    invalid=INVALID_FLEET,
    links={
        "self": HERE,
        "revisions": f"{HERE}/revisions",
        "diff": f"{HERE}/diff",
        "page": "/fleet/saved/{id}",
    },
    filters=COMMON,
    making_body=body(),
    changing_body=body(),
    check=check,
    listed=listed,
)

router: APIRouter = shelf_router(FLEETS)


@router.get(
    "/{id}/answer",
    name="read_saved_fleet_answer",
    summary="Read the answer that is kept with a fleet",
    description="The answer of the run that was kept with the newest revision, as it was. 404 where none was kept.",
    responses={
        **reading(None, "Policies, waiting and findings."),
        200: json_answer("FleetAnswer", "The answer."),
    },
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_answer(id: Id, request: Request, found: ServicesDep) -> Response:
    saved = FLEETS.find(found, id)
    kept = found.saved.kept("fleet", id, saved.revision)
    if kept is None:
        detail = f"No answer is kept with {saved.name!r}. Run it, and keep the run on its page."
        raise ProblemError(NOT_FOUND, detail)
    content = report_json(read_back(FleetAnswer, kept))
    return conditional(request, content_etag(content), lambda: (content, {}), cache_control=PRIVATE)
