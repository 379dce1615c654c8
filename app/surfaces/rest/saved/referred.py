"""A scenario that the address names: a saved one by its id, or an example by its key."""

from __future__ import annotations

from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.examples import example, list_examples
from app.scenarios.load import build_scenario
from app.surfaces.rest.documented import query_parameter
from app.surfaces.rest.parameters import parameter_problem
from app.surfaces.rest.saved.scenarios import SCENARIOS
from app.surfaces.rest.services import Services

OF = query_parameter(
    "scenario",
    "A saved scenario by its id, or an example by its key.",
    {"type": "string", "minLength": 1, "maxLength": 80},
    example="edge_node",
)


def referred_scenario(found: Services, given: dict[str, str]) -> EvaluatedScenario:
    """The evaluation of the scenario that the parameters name."""
    name = given.get("scenario", "")
    if not name:
        hint = "Name a saved scenario by its id, or an example by its key; or POST a scenario as JSON."
        raise parameter_problem("scenario", "required", "scenario is missing.", hint)
    if name in {known.key for known in list_examples()}:
        return found.evaluated(example(name).read())
    saved = SCENARIOS.find(found, name)
    return found.evaluated(build_scenario(saved.document), saved)
