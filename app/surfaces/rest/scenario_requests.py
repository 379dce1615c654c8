"""Bodies that hold a scenario and options alongside it: how they are declared, and how they are read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.scenarios.load import build_document, build_scenario
from app.surfaces.rest.bodies import JSON, Body, BodyValues, read_body
from app.surfaces.rest.documented import OF_A_BODY, example_scenarios, problem_answers
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.problem_types import INVALID_PARAMETER, INVALID_SCENARIO, TOO_BUSY
from app.surfaces.rest.services import Services

Options = TypeVar("Options", bound=Part)

PROBLEMS = problem_answers(INVALID_PARAMETER, INVALID_SCENARIO, TOO_BUSY, *OF_A_BODY)
EXAMPLE = "edge_node"
SCENARIO = "scenario"


def options_body(schema: str, description: str, **options: Any) -> dict[str, Any]:
    """Declares a body whose example is a small scenario with these options."""
    example = {"scenario": small_scenario(), **options}
    return examples_body(schema, description, {EXAMPLE: {"summary": "A small one", "value": example}})


def examples_body(schema: str, description: str, examples: dict[str, Any]) -> dict[str, Any]:
    """Declares a body with examples of its own."""
    reference = {"$ref": f"#/components/schemas/{schema}"}
    content = {JSON: {"schema": reference, "examples": examples}}
    return {"requestBody": {"required": True, "description": description, "content": content}}


def small_scenario() -> dict[str, Any]:
    """The scenario of the examples, as it is written."""
    values: dict[str, Any] = example_scenarios()[EXAMPLE]["value"]
    return values


def options_and_evaluation(
    kind: type[Options], body: Body, found: Services, *, other: type[Part] | None = None
) -> tuple[Options, EvaluatedScenario]:
    """The options of a body, and the evaluation of its scenario.

    Options that only the `other` kind takes, which the schema allows and this scenario does not, are beyond it.
    """
    try:
        options, (scenario,) = asked_of(kind, body, found, (SCENARIO,))
    except ScenarioError as error:
        if other is None or not _fits_schema(other, _mapping(body, found)):
            raise
        raise ScenarioError(replace(fault, stated=False) for fault in error.errors) from None
    return options, scenario


def asked_of(
    kind: type[Options], body: Body, found: Services, scenarios: tuple[str, ...]
) -> tuple[Options, tuple[EvaluatedScenario, ...]]:
    """The options of a body, and the evaluations of its scenarios, which have these names."""
    read = _mapping(body, found)
    options = _options(kind, read, required=True, scenarios=scenarios)
    return options, tuple(_evaluated(read, found, name) for name in scenarios)


def workload_kind(body: Body, found: Services) -> str:
    """The kind of workload that the scenario of a body states, "" where it states none that could be one."""
    values: Any = _mapping(body, found).values
    for name in (SCENARIO, "workload", "kind"):
        values = values.get(name) if isinstance(values, dict) else None
    return values if isinstance(values, str) else ""


def asked_of_any(
    kind: type[Options], body: Body, found: Services
) -> tuple[Options, EvaluatedScenario | None]:
    """The same of a body that may do without a scenario."""
    read = _mapping(body, found)
    options = _options(kind, read, required=False)
    return options, _evaluated(read, found) if SCENARIO in read.values else None


def _fits_schema(kind: type[Part], read: BodyValues) -> bool:
    try:
        _options(kind, read, required=True)
    except ScenarioError as error:
        return not any(fault.stated for fault in error.errors)
    return True


def _mapping(body: Body, found: Services) -> BodyValues:
    read = read_body(body, found.limits)
    if not isinstance(read.values, dict):
        raise refuse(
            "The body is not a mapping.", rule="mapping", hint="It has a scenario, or options.", stated=True
        )
    return read


def _evaluated(read: BodyValues, found: Services, name: str = SCENARIO) -> EvaluatedScenario:
    inside = read.below(name)
    try:
        return found.evaluated(build_scenario(inside.values, inside.positions))
    except ScenarioError as error:
        raise scenario_problem(error, found.limits, above=f"/{name}") from None


def _options(
    kind: type[Options], read: BodyValues, *, required: bool, scenarios: tuple[str, ...] = (SCENARIO,)
) -> Options:
    beside = {name: value for name, value in read.values.items() if name not in scenarios}
    missing = [name for name in scenarios if required and name not in read.values]
    faults = [
        InputError(path=name, value=None, rule="required", message="is required.", stated=True)
        for name in missing
    ]
    try:
        options = build_document(kind, beside, read.positions)
    except ScenarioError as error:
        raise ScenarioError([*faults, *error.errors]) from None
    if faults:
        raise ScenarioError(faults)
    return options
