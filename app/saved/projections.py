"""Saved projections: what they come to, and the scenario that they count by."""

from __future__ import annotations

from typing import Any

from app.catalog.view import CatalogView
from app.likeness import nearest_names
from app.saved.errors import NotSavedError
from app.saved.expand import FindSaved, expanded
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import evaluated
from app.scenarios.examples import example, list_examples
from app.scenarios.load import build_scenario
from app.views.projecting.options import ProjectionDocument
from app.views.projecting.project import project

MODEL = ("parameters", "tokens", "flops", "loss")


def projected(document: ProjectionDocument, catalog: CatalogView, find: FindSaved) -> dict[str, Any]:
    """What a projection comes to with the catalog and the designs of today, as plain JSON.

    Raises
    ------
    ScenarioError : the law has no such model, or the scenario is not there or cannot be evaluated
    """
    scenario = projected_scenario(document, find)
    if scenario is None:
        return project(document.options)
    full = expanded(scenario.as_dict(), find)
    counted = build_scenario(full.document) if full.uses else scenario
    return project(document.options, evaluated(counted, catalog))


def projected_scenario(document: ProjectionDocument, find: FindSaved) -> ScenarioDocument | None:
    """The scenario that a projection counts by, None where it counts by none.

    Raises
    ------
    ScenarioError : there is no such example or saved scenario, or it was deleted
    """
    named = document.scenario
    if named is None or isinstance(named, ScenarioDocument):
        return named
    keys = [known.key for known in list_examples()]
    if named in keys:
        return example(named).read()
    try:
        saved = find("scenario", named)
    except NotSavedError:
        raise refuse(
            f"There is no example and no saved scenario {named!r}.",
            rule="unknown_scenario",
            path="scenario",
            value=named,
            hint=f"Nearest example: {nearest_names(named, keys, count=1)}.",
        ) from None
    if saved.deleted_at is not None:
        raise refuse(
            f"The scenario {saved.name!r} was deleted.",
            rule="deleted_scenario",
            path="scenario",
            value=named,
            hint="Restore it, or choose another.",
        )
    return build_scenario(saved.document)


def projection_summary(answer: dict[str, Any]) -> dict[str, Any]:
    """What lists and cards say of a projection."""
    design = answer["design"] or {}
    return {
        "law": answer["law"],
        "law_name": answer["law_name"],
        **{name: answer["model"][name] for name in MODEL},
        "design": design.get("name"),
        "days": design.get("days"),
        "usd": design.get("usd"),
    }
