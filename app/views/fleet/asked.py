"""A fleet document made ready to run: designs that its pods name are replaced by their numbers."""

from __future__ import annotations

from collections.abc import Callable

from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fleet.build import built
from app.scenarios.fleet.document import FleetDocument
from app.views.fleet.tasks import with_numbers


def asked_fleet(document: FleetDocument, evaluated: Callable[[str], EvaluatedScenario]) -> FleetDocument:
    """The fleet in numbers alone, checked.

    Parameters
    ----------
    evaluated : finds a design by what a pod calls it; raises ScenarioError where there is none

    Raises
    ------
    ScenarioError : a design is not there or cannot be evaluated, or the fleet cannot be built
    """
    found: dict[str, EvaluatedScenario] = {}
    faults: list[InputError] = []
    for place, pod in enumerate(document.pods):
        if pod.design is None or pod.design in found:
            continue
        try:
            found[pod.design] = evaluated(pod.design)
        except ScenarioError as error:
            faults += [
                InputError(
                    path=f"pods[{place}].design",
                    value=pod.design,
                    rule=fault.rule,
                    message=fault.message,
                    hint=fault.hint,
                )
                for fault in error.errors
            ]
    if faults:
        raise ScenarioError(faults)
    whole = with_numbers(document, found)
    built(whole)
    return whole
