"""The shape of an evaluation, read off the engine's sections: names, units and meanings come from there."""

from __future__ import annotations

import dataclasses
import typing
from types import NoneType, UnionType
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from app.engine.evaluation import Sections
from app.engine.problems import Problem
from app.engine.quantities import REGISTRY, Quantity
from app.scenarios.evaluation.decisions import AutomaticChoice
from app.scenarios.evaluation.intervals import Intervals

WORDS_OF_PLACE = {
    "performance": "How fast it runs, and why.",
    "fabric": "What the network is made of.",
    "reliability": "How often it fails, and what that costs in time.",
    "power": "What it draws.",
    "cooling": "How it is cooled.",
    "cost": "What it costs, against renting.",
    "carbon": "What it emits.",
    "workloads": "Every workload of a pod that several share, the first one first; none where one has it to itself.",
}

TABLES = frozenset({"cooling.pue_by_month_and_hour"})
"""Which only a displayed design has."""


def evaluation_schemas() -> dict[str, Any]:
    """JSON Schemas of an evaluation and of the parts that have a name."""
    sections = {
        name: _schema(kind, name) | {"description": WORDS_OF_PLACE[name]}
        for name, kind in typing.get_type_hints(Sections).items()
    }
    problem, intervals, decision = (_dataclass_schema(kind) for kind in (Problem, Intervals, AutomaticChoice))
    problem["description"] = "Problems, by how much, and the smallest change that mends it."
    # "Problem" is RFC 9457's word for an error of the API
    inner = problem.pop("$defs", {}) | intervals.pop("$defs", {}) | decision.pop("$defs", {})
    return {
        "Evaluation": {
            "type": "object",
            "title": "Evaluation",
            "description": "Every figure of a design, with its unit in its name; what is unknown is null.",
            "properties": {
                "name": {"type": "string"},
                **sections,
                "feasible": {"type": "boolean"},
                "problems": {"type": "array", "items": {"$ref": "#/components/schemas/DesignProblem"}},
                "intervals": {"$ref": "#/components/schemas/Intervals"},
                "not_applicable": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Places of figures that a design of this kind does not have: null, not unknown.",
                },
                "estimates": {
                    "type": "array",
                    "items": {"type": "object"},
                    "description": "Accepted estimates that the design uses: place, value, range, rule, and the "
                    "figures that rest on each.",
                },
                "decisions": {
                    "type": "array",
                    "items": {"$ref": "#/components/schemas/AutomaticChoice"},
                    "description": "What was chosen where the scenario says auto, with what it adds to the design.",
                },
                "suggested_estimates": {
                    "type": "object",
                    "additionalProperties": {"type": "object"},
                    "description": "Estimates of missing inputs by place, in the answer of POST /evaluations where inputs are missing; put into "
                    "`estimates` of the scenario they are accepted.",
                },
                "inputs": {
                    "type": "object",
                    "description": "Names and sizes of what was evaluated.",
                    "additionalProperties": {"type": "object"},
                },
                "provenance": {"$ref": "#/components/schemas/Provenance"},
            },
            # not intervals and workloads: results that were kept before there were any have none
            "required": [
                "name",
                *(name for name in sections if name != "workloads"),
                "feasible",
                "problems",
                "inputs",
                "provenance",
            ],
        },
        "Intervals": intervals | {"title": "Intervals"},
        "AutomaticChoice": decision | {"title": "AutomaticChoice"},
        "DesignProblem": problem | {"title": "DesignProblem"},
        **inner,
        "Provenance": {
            "type": "object",
            "title": "Provenance",
            "description": "What the figures depend on.",
            "properties": {
                "engine_version": {"type": "string"},
                "catalog_revision": {"type": "string"},
                "seed": {"type": ["integer", "null"], "description": "null where nothing is sampled."},
                "inputs_hash": {"type": "string"},
            },
            "required": ["engine_version", "catalog_revision", "seed", "inputs_hash"],
        },
    }


def _dataclass_schema(kind: type) -> dict[str, Any]:
    return TypeAdapter(kind).json_schema(ref_template="#/components/schemas/{model}", mode="serialization")


def _schema(kind: Any, path: str) -> dict[str, Any]:
    if typing.get_origin(kind) is UnionType:
        return _union_schema(typing.get_args(kind), path)
    if dataclasses.is_dataclass(kind):
        fields = typing.get_type_hints(kind)
        properties = {name: _schema(part, f"{path}.{name}") for name, part in fields.items()}
        return {"type": "object", "properties": properties, "required": list(fields)}
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin is np.ndarray:
        return _figure(path, ["number", "null"])
    if origin is tuple:
        return {"type": "array", "items": _schema(inside[0], f"{path}[]")}
    if origin is dict:
        # by name: the registry is in the order in which modules happen to be imported
        parts = {name: record for name, record in sorted(REGISTRY.items()) if name.startswith(f"{path}.")}
        return {
            "type": "object",
            "properties": {name.rpartition(".")[2]: _leaf(part) for name, part in parts.items()},
            "additionalProperties": {"type": ["number", "null"]},
        }
    if kind is str:
        return {"type": "string"}
    if kind is NoneType:
        return {"type": "null"}
    raise TypeError(f"{path}: {kind} has no JSON shape")


def _union_schema(kinds: tuple[Any, ...], path: str) -> dict[str, Any]:
    """A room that depends on the kind of workload: figures of either, those that a job lacks null."""
    whole = [kind for kind in kinds if dataclasses.is_dataclass(kind) or typing.get_origin(kind) is dict]
    if NoneType in kinds and whole:  # a part that some designs lack
        return _schema(whole[0], path) | {"type": ["object", "null"]}
    if NoneType in kinds:  # a figure that some jobs lack
        return _table(path) if path in TABLES else _figure(path, ["number", "null"])
    first, *others = (_schema(kind, path) for kind in kinds)
    properties = dict(first["properties"])
    for other in others:
        properties |= {name: part for name, part in other["properties"].items() if name not in properties}
    required = [name for name in first["required"] if all(name in other["required"] for other in others)]
    return {"type": "object", "properties": properties, "required": required}


def _figure(path: str, types: list[str]) -> dict[str, Any]:
    record = REGISTRY.get(path)
    return _leaf(record, types) if record else {"type": types}


def _table(path: str) -> dict[str, Any]:
    """Rows of numbers, or null where a design has no such table."""
    row = {"type": "array", "items": {"type": ["number", "null"]}}
    return _figure(path, ["array", "null"]) | {"items": row}


def _leaf(record: Quantity, types: list[str] | None = None) -> dict[str, Any]:
    unit = "" if record.unit == "1" else f" [{record.unit}]"
    return {"type": types or ["number", "null"], "description": f"{record.label}{unit}."}
