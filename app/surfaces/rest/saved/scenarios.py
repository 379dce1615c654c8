"""`/api/v1/scenarios`: scenarios that last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.saved.documents import build_saved
from app.saved.records import Kind, Page, Saved
from app.surfaces.rest.bodies import BodyValues
from app.surfaces.rest.documented import scenario_body
from app.surfaces.rest.problem_types import INVALID_SCENARIO
from app.surfaces.rest.saved.answers import ScenarioAnswer, ScenariosPage
from app.surfaces.rest.saved.evaluations import add_evaluations
from app.surfaces.rest.saved.filters import COMMON, OF_SCENARIOS, common_filters, flag, shared_page
from app.surfaces.rest.saved.routes import shelf_router
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services

HERE = "/api/v1/scenarios/{id}"


def check(read: BodyValues) -> Kind:
    """A scenario that can be saved, its faults told with their lines."""
    build_saved("scenario", read.values, read.positions)
    return "scenario"


def listed(found: Services, given: Mapping[str, str]) -> Page[Saved]:
    """A page of scenarios."""
    return shared_page(found, ("scenario",), "scenario", given) or found.saved.listed(
        "scenario",
        model=given.get("model"),
        system=given.get("system"),
        feasible=flag(given, "feasible"),
        **common_filters(given, found.limits),
    )


def body() -> dict[str, Any]:
    """A scenario with a name, with one example to try."""
    declared = scenario_body()
    declared["description"] = "A scenario, schema version 1, with a name."
    for content in declared["content"].values():
        content["examples"] = dict(list(content["examples"].items())[:1])
    return declared


SCENARIOS = Shelf(
    address="/api/v1/scenarios",
    one="scenario",
    many="scenarios",
    kinds=("scenario",),
    answer=ScenarioAnswer,
    page=ScenariosPage,
    invalid=INVALID_SCENARIO,
    links={
        "self": HERE,
        "revisions": f"{HERE}/revisions",
        "diff": f"{HERE}/diff",
        "evaluation": f"{HERE}/evaluation",
        "page": "/designs/{id}",
    },
    filters=(*COMMON, *OF_SCENARIOS),
    making_body=body(),
    changing_body=body(),
    check=check,
    listed=listed,
)

router = shelf_router(SCENARIOS)
add_evaluations(router, SCENARIOS)
