"""A scenario with its layout held: what a search found at the typical values, every sample runs."""

from __future__ import annotations

from typing import Any

from app.engine.leaves import plain_values
from app.scenarios.document.layout import layout_document
from app.scenarios.document.scenario import TrainingDocument
from app.scenarios.evaluation.service import EvaluatedScenario

SAID = "The layout was searched for once, at the values as they are; every sample runs it."


def searched(scenario: EvaluatedScenario) -> bool:
    """Return whether the layout comes from a search."""
    document = scenario.document
    return document.parallelism == "auto" and isinstance(document.workload, TrainingDocument)


def held_values(scenario: EvaluatedScenario) -> dict[str, Any]:
    """The plain values of the scenario with the layout that was found; as they are where none was."""
    values = scenario.document.as_dict()
    if not searched(scenario):
        return values
    performance: Any = scenario.evaluation.sections.performance
    found = layout_document(plain_values(performance.strategy, "performance.strategy"))
    return values | {"parallelism": found} if found else values
