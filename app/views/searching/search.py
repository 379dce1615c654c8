"""A search of a scenario: over its layouts, or over pods where the objective compares them."""

from __future__ import annotations

from typing import Any

from app import __version__
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario, inputs_hash
from app.scenarios.evaluation.training_only import training_run
from app.views.searching.layouts import of_one_pod
from app.views.searching.options import OVER_SIZES, SearchOptions
from app.views.searching.sizes import over_sizes


def search_scenario(scenario: EvaluatedScenario, options: SearchOptions) -> dict[str, Any]:
    """Search the layouts of a scenario; a layout that it states is compared with the best.

    Raises
    ------
    ScenarioError : the space is too large to compute, or the objective lacks its deadline
    """
    training_run(scenario.resolved.design, scenario.evaluation.sections, "A search over layouts")
    if options.objective == "accelerators" and options.deadline_days is None:
        raise refuse(
            "deadline_days is needed to find the fewest accelerators that meet it.",
            rule="required", path="deadline_days", value=None, hint="Give the days that the run may take.",
        )  # fmt: skip
    answer = (
        over_sizes(scenario, options) if options.objective in OVER_SIZES else of_one_pod(scenario, options)
    )
    return {
        "name": scenario.document.name,
        "objective": options.objective,
        "space": options.space,
        "hold": options.hold,
        **answer,
        "provenance": {
            "engine_version": __version__,
            "catalog_revision": scenario.resolved.catalog_revision,
            "inputs_hash": inputs_hash(scenario.document, scenario.resolved.catalog_revision),
        },
    }
