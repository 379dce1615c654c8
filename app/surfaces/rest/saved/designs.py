"""`/api/v1/designs`: SuperNode and SuperPOD designs that scenarios share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import Request, Response

from app.saved.documents import build_saved
from app.saved.expand import DESIGN_KINDS
from app.saved.records import Kind, Listed, Page, Saved
from app.scenarios.errors import refuse
from app.surfaces.rest.bodies import JSON, BodyValues
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import IF_NONE_MATCH
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import INVALID_DESIGN
from app.surfaces.rest.saved.answers import DesignAnswer, DesignsPage, UsesAnswer
from app.surfaces.rest.saved.declared import Id, reading
from app.surfaces.rest.saved.filters import COMMON, OF_DESIGNS, choice, common_filters, shared_page
from app.surfaces.rest.saved.routes import shelf_router
from app.surfaces.rest.saved.saving import PRIVATE
from app.surfaces.rest.saved.scenarios import SCENARIOS
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services, ServicesDep

HERE = "/api/v1/designs/{id}"
EXAMPLES: dict[Kind, dict[str, Any]] = {
    "supernode": {
        "name": "DGX H100 at 9 kW",
        "description": "Capped below its rating.",
        "supernode": {"system": "dgx_h100", "override": {"max_power_w": 9000}},
    },
    "pod": {
        "name": "64 SuperNodes, two to one",
        "pod": {"supernodes": 64, "fabric": {"switch": "qm9700", "oversubscription": 2}},
    },
}


def check(read: BodyValues) -> Kind:
    """A design that can be saved, its faults told with their lines; it is of the kind of its one part."""
    kinds: list[Kind] = [
        kind for kind in DESIGN_KINDS if isinstance(read.values, dict) and kind in read.values
    ]
    if len(kinds) > 1:
        hint = "Save them as two designs."
        raise refuse("has both a supernode and a pod.", rule="one_of", path="pod", hint=hint)
    if isinstance(read.values, dict) and not kinds:
        hint = "Such as supernode: {system: dgx_h100}."
        raise refuse("A design has a supernode or a pod.", rule="one_of", hint=hint)
    kind = kinds[0] if kinds else "supernode"
    build_saved(kind, read.values, read.positions)
    return kind


def listed(found: Services, given: Mapping[str, str]) -> Page[Saved]:
    """A page of designs."""
    asked = choice(given, "kind", DESIGN_KINDS)
    kind: Listed = next((kind for kind in DESIGN_KINDS if kind == asked), "design")
    shared = shared_page(found, DESIGN_KINDS, kind, given)
    return shared or found.saved.listed(kind, **common_filters(given, found.limits))


def body(*kinds: Kind) -> dict[str, Any]:
    """A design of either kind, with examples of these kinds."""
    schema = {
        "anyOf": [{"$ref": f"#/components/schemas/{name}"} for name in ("SuperNodeDesign", "PodDesign")]
    }
    return {
        "required": True,
        "description": "A SuperNode or a SuperPOD with a name.",
        "content": {
            JSON: {
                "schema": schema,
                "examples": {
                    kind: {"summary": str(EXAMPLES[kind]["name"]), "value": EXAMPLES[kind]} for kind in kinds
                },
            },
        },
    }


DESIGNS = Shelf(
    address="/api/v1/designs",
    one="design",
    many="designs",
    kinds=DESIGN_KINDS,
    answer=DesignAnswer,
    page=DesignsPage,
    invalid=INVALID_DESIGN,
    links={
        "self": HERE,
        "revisions": f"{HERE}/revisions",
        "diff": f"{HERE}/diff",
        "uses": f"{HERE}/uses",
    },
    filters=(*COMMON, *OF_DESIGNS),
    making_body=body("supernode", "pod"),
    changing_body=body("supernode"),  # the kind of what is saved under the id of the examples
    check=check,
    listed=listed,
)

router = shelf_router(DESIGNS)


@router.get(
    "/{id}/uses",
    name="list_design_uses",
    summary="List the scenarios that use a design",
    responses=reading(UsesAnswer, "Every scenario whose newest revision names the design, by name."),
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def list_uses(id: Id, request: Request, found: ServicesDep) -> Response:
    """Saved scenarios whose newest revision names the design. A change of it shows in their next evaluation;
    what was saved before stays as it was.
    """
    design = DESIGNS.find(found, id)
    content = {"items": [SCENARIOS.item_of(one) for one in found.saved.used_by(design.kind, id)]}
    return conditional(request, content_etag(content), lambda: (content, {}), cache_control=PRIVATE)
