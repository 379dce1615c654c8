"""`/api/v1/saved-projections`: projections of scaling laws that last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Request, Response
from pydantic import Field

from app.saved.documents import build_saved
from app.saved.records import Kind, Page, Saved
from app.surfaces.rest.bodies import JSON, BodyValues
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import IF_NONE_MATCH, json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import INVALID_PROJECTION
from app.surfaces.rest.saved.answers import Item, Links
from app.surfaces.rest.saved.declared import Id, Number, Responses, reading
from app.surfaces.rest.saved.evaluations import COMPUTED
from app.surfaces.rest.saved.filters import COMMON, common_filters, shared_page
from app.surfaces.rest.saved.items import FOR_EVER
from app.surfaces.rest.saved.routes import shelf_router
from app.surfaces.rest.saved.saving import PRIVATE
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services, ServicesDep
from app.views.projecting.options import ProjectionDocument

HERE = "/api/v1/saved-projections/{id}"
EXAMPLES: dict[str, dict[str, Any]] = {
    "deadline": {
        "name": "Best model of the edge node in 90 days",
        "scenario": "edge_node",
        "deadline_days": 90,
    },
    "compute": {"name": "Compute of Chinchilla", "flops": 5.76e23, "law": "chinchilla_1"},
}


def check(read: BodyValues) -> Kind:
    """A projection that can be saved, its faults told with their lines."""
    build_saved("projection", read.values, read.positions)
    return "projection"


def listed(found: Services, given: Mapping[str, str]) -> Page[Saved]:
    """A page of projections."""
    shared = shared_page(found, ("projection",), "projection", given)
    return shared or found.saved.listed("projection", **common_filters(given, found.limits))


def body() -> dict[str, Any]:
    """A projection with a name, with examples to try."""
    schema = {"$ref": "#/components/schemas/ProjectionDocument"}
    return {
        "required": True,
        "description": "What a projection asks, with a name. `scenario` is the key of an example, the id of a saved "
        "scenario, or a scenario written out.",
        "content": {
            JSON: {
                "schema": schema,
                "examples": {
                    key: {"summary": str(value["name"]), "value": value} for key, value in EXAMPLES.items()
                },
            },
        },
    }


class ProjectionSummary(Answer):
    """Key figures as they were when it was saved; what is unknown is null."""

    law: str
    law_name: str
    parameters: float | None
    tokens: float | None
    flops: float | None
    loss: float | None = Field(description="null where the law says nothing of it.")
    design: str | None = Field(description="Name of its scenario; null where it counts by none.")
    days: float | None
    usd: float | None


class ProjectionLinks(Links):
    """Addresses of what belongs to it; page is for people."""

    diff: str
    projection: str
    page: str


class ProjectionItem(Item):
    """A saved projection in short."""

    summary: ProjectionSummary
    links: ProjectionLinks


class ProjectionAnswer(ProjectionItem):
    """A saved projection."""

    document: dict[str, Any] = Field(description="Query as saved.")


class ProjectionsPage(Answer):
    """A page of saved projections."""

    items: list[ProjectionItem]
    next: str | None = Field(description="Value of `after` for the next page; null at the end.")


PROJECTIONS = Shelf(
    address="/api/v1/saved-projections",
    one="projection",
    many="projections",
    kinds=("projection",),
    answer=ProjectionAnswer,
    page=ProjectionsPage,
    invalid=INVALID_PROJECTION,
    links={
        "self": HERE,
        "revisions": f"{HERE}/revisions",
        "diff": f"{HERE}/diff",
        "projection": f"{HERE}/projection",
        "page": "/scaling/{id}",
    },
    filters=COMMON,
    making_body=body(),
    changing_body=body(),
    check=check,
    listed=listed,
)

router = shelf_router(PROJECTIONS)


def _answers(description: str) -> Responses:
    answers = reading(None, description, also=COMPUTED)
    answers[200] |= {"content": json_answer("Projection", description)["content"]}
    return answers


@router.get(
    "/{id}/projection",
    name="project_saved_projection",
    summary="Project a saved projection today",
    description="Results of the newest revision with today's catalog and engine; a scenario that it names as "
    "it is today.",
    responses=_answers("The model, the best one for its compute, and the design."),
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
async def today(id: Id, request: Request, found: ServicesDep) -> Response:
    return await found.workers.run(_today, found, id, request)


@router.get(
    "/{id}/revisions/{number}/projection",
    name="read_revision_projection",
    summary="Read the results of a revision of a projection",
    description="Every figure as it was computed when the revision was saved; nothing is recomputed.",
    responses=_answers("The model, the best one for its compute, and the design, as they were."),
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
async def then(id: Id, number: Number, request: Request, found: ServicesDep) -> Response:
    return await found.workers.run(_then, found, id, number, request)


def _today(found: Services, id: str, request: Request) -> Response:
    saved = PROJECTIONS.find(found, id)
    document = build_saved("projection", saved.document)
    assert isinstance(document, ProjectionDocument)
    content = found.saved.projected(document, saved)
    return conditional(request, content_etag(content), lambda: (content, {}), cache_control=PRIVATE)


def _then(found: Services, id: str, number: int, request: Request) -> Response:
    PROJECTIONS.find(found, id, number=number)
    content = found.saved.projection(id, number)
    return conditional(request, content_etag(content), lambda: (content, {}), cache_control=FOR_EVER)
