"""The pods that a search of a served model compares: the scenario's own, in other formats and on other systems."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.catalog.view import CatalogView
from app.engine.trace import count_of
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.document.serving import ServingDocument
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.scenarios.resolve.lookups import part_or_error
from app.views.economics.systems_compared import on_system
from app.views.searching.serving_options import ServingSearchOptions
from app.views.serving.elsewhere import workload_elsewhere

MOST_PODS = 24


class Pod(NamedTuple):
    """A pod to search. `scenario` is None where there can be none, and `refused` says why."""

    system: str | None  # None: the SuperNode of the scenario
    name: str
    precision: str
    accelerators: int
    scenario: EvaluatedScenario | None
    refused: str


def pods_of(scenario: EvaluatedScenario, catalog: CatalogView, options: ServingSearchOptions) -> list[Pod]:
    """Each system in each format, the scenario as it is first.

    Raises
    ------
    ScenarioError : a system is not in the catalog, or more pods are asked for than one search compares
    """
    for place, system in enumerate(options.hardware):
        part_or_error(catalog, "systems", system, f"hardware[{place}]")
    own = None if scenario.resolved.design.kinds else scenario.document.supernode.system
    systems: list[str | None] = [None, *(system for system in options.hardware if system != own)]
    stated: str = _workload(scenario.document).precision
    formats: list[str] = [stated, *(word for word in options.formats if word != stated)]
    _refuse_too_many(len(systems) * len(formats))
    pods = []
    for key in systems:
        for precision in formats:
            try:
                pods.append(_pod(scenario, catalog, key, precision))
            except ScenarioError as error:
                name = _name(scenario, catalog, key)
                pods.append(Pod(key, name, precision, _used(scenario), None, error.errors[0].words))
    return pods


def _refuse_too_many(count: int) -> None:
    if count > MOST_PODS:
        raise refuse(
            f"{count} pods of hardware and formats are asked for, and one search compares at most {MOST_PODS}.",
            rule="at_most",
            path="hardware",
            value=count,
            hint="Name fewer systems or fewer formats.",
        )


def on_pod(document: ScenarioDocument, catalog: CatalogView, key: str | None, precision: str, accelerators: int,
           topology: str = "auto") -> dict[str, Any]:  # fmt: skip
    """The scenario on as many accelerators of a system, None for its own, in a format, as plain values.

    Layout, load and mode are left open, and what was measured of the scenario's own deployment is not used.
    """
    values = document.as_dict() | {"published": []}
    if key is not None:
        values = on_system(document, key, accelerators, _accelerators_of(catalog, key), topology)
    workload = workload_elsewhere(document, catalog, system=key, precision=precision, mode="auto")
    workload.pop("calibration", None)
    return values | {"workload": workload}


def _pod(scenario: EvaluatedScenario, catalog: CatalogView, key: str | None, precision: str) -> Pod:
    document = scenario.document
    if key is None and precision == _workload(document).precision:
        found = scenario
    else:
        found = _evaluated(document, catalog, key, precision, _used(scenario))
    supernode = found.resolved.whole.supernode
    return Pod(key, supernode.name, precision, _used(found), found, "")


def _evaluated(
    document: ScenarioDocument, catalog: CatalogView, key: str | None, precision: str, accelerators: int
) -> EvaluatedScenario:
    """The pod with the fabric taken unasked; where that does not reach so far, with a plain fat tree."""
    common = (document, catalog, key, precision, accelerators)
    usual = evaluate_scenario(build_scenario(on_pod(*common)), catalog)
    barred = any(
        problem.kind == "infeasible" and problem.field.startswith("pod.fabric")
        for problem in usual.evaluation.problems
    )
    if key is None or not barred:
        return usual
    return evaluate_scenario(build_scenario(on_pod(*common, topology="fat_tree")), catalog)


def _accelerators_of(catalog: CatalogView, key: str) -> int:
    part = part_or_error(catalog, "systems", key, "hardware")
    count = part.facts.get("accelerators")
    if count is None:
        raise refuse(
            f"How many accelerators {part.name} has is not published.",
            rule="unknown",
            path="hardware",
            value=key,
            hint="Choose another system.",
        )
    return round(count.value)


def _name(scenario: EvaluatedScenario, catalog: CatalogView, key: str | None) -> str:
    return scenario.resolved.design.supernode.name if key is None else catalog.part("systems", key).name


def _used(scenario: EvaluatedScenario) -> int:
    return count_of(scenario.resolved.design.pod.accelerators_used)


def _workload(document: ScenarioDocument) -> ServingDocument:
    assert isinstance(document.workload, ServingDocument)
    return document.workload
