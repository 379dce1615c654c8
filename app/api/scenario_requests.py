"""Bodies that hold a scenario and options beside it: how they are declared, and how they are read."""

from __future__ import annotations

from typing import Any, TypeVar

from app.api.bodies import JSON, YAML, Body, BodyValues, read_body
from app.api.documented import OF_A_BODY, example_scenarios, problem_answers
from app.api.handlers import scenario_problem
from app.api.problem_types import INVALID_PARAMETER, INVALID_SCENARIO, TOO_BUSY
from app.api.services import Services
from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.fields import Part
from app.scenarios.load import build_document, build_scenario
from app.scenarios.service import EvaluatedScenario

Options = TypeVar("Options", bound=Part)

PROBLEMS = problem_answers(INVALID_PARAMETER, INVALID_SCENARIO, TOO_BUSY, *OF_A_BODY)
EXAMPLE = "edge_node"


class NoOptions(Part):
    """A body that has nothing beside its scenario."""


def options_body(schema: str, description: str, **options: Any) -> dict[str, Any]:
    reference = {"$ref": f"#/components/schemas/{schema}"}
    example = {"scenario": example_scenarios()[EXAMPLE]["value"], **options}
    content = {
        JSON: {"schema": reference, "examples": {EXAMPLE: {"summary": "A small one", "value": example}}},
        YAML: {"schema": reference},
    }
    return {"requestBody": {"required": True, "description": description, "content": content}}


def asked(kind: type[Options], body: Body, found: Services) -> tuple[Options, EvaluatedScenario]:
    """The options of a body, and the evaluation of its scenario."""
    read = read_body(body, found.limits)
    if not isinstance(read.values, dict):
        raise refuse("The body is not a mapping.", rule="mapping", hint="It has a scenario.")
    options = _options(kind, read)
    inside = read.below("scenario")
    try:
        return options, found.evaluated(build_scenario(inside.values, inside.positions))
    except ScenarioError as error:
        raise scenario_problem(error, found.limits, above="/scenario") from None


def _options(kind: type[Options], read: BodyValues) -> Options:
    beside = {name: value for name, value in read.values.items() if name != "scenario"}
    faults: list[InputError] = []
    if "scenario" not in read.values:
        faults.append(InputError(path="scenario", value=None, rule="required", message="is required."))
    try:
        options = build_document(kind, beside, read.positions)
    except ScenarioError as error:
        raise ScenarioError([*faults, *error.errors]) from None
    if faults:
        raise ScenarioError(faults)
    return options
