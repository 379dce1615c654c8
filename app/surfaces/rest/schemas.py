"""The schemas that answers and bodies are declared with, beside those of the pydantic models."""

from __future__ import annotations

import dataclasses
import typing
from types import NoneType, UnionType
from typing import Any

import numpy as np
from pydantic import BaseModel, TypeAdapter

from app.engine.evaluation import Sections
from app.engine.problems import Problem
from app.engine.quantities import REGISTRY, Quantity
from app.saved.documents import PodDesign, SuperNodeDesign
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.evaluation.decisions import AutomaticChoice
from app.scenarios.evaluation.intervals import Intervals
from app.scenarios.fleet.document import FleetDocument
from app.scenarios.study.document import StudyDocument
from app.scenarios.sweeping.document import SweepDocument
from app.surfaces.rest.batches import batch_schemas
from app.surfaces.rest.bill import bill_schemas
from app.surfaces.rest.cables import cable_schemas
from app.surfaces.rest.calibrations import calibration_schemas
from app.surfaces.rest.fleets import fleet_schemas
from app.surfaces.rest.model_descriptions import ModelRequest
from app.surfaces.rest.projections import projection_schemas
from app.surfaces.rest.questions import question_schemas
from app.surfaces.rest.saved.changes import CHANGE
from app.surfaces.rest.searches import search_schemas
from app.surfaces.rest.step_timelines import step_timeline_schemas
from app.surfaces.rest.study import study_schemas
from app.surfaces.rest.team_catalog_models import ExportAnswer, OwnRow
from app.surfaces.rest.uncertainty import uncertainty_schemas
from app.surfaces.rest.views import view_schemas
from app.views.projecting.options import ProjectionDocument
from app.views.rooms import VIEWS

REFERENCE = "#/components/schemas/{model}"

PROBLEM: dict[str, Any] = {
    "type": "object",
    "title": "Problem",
    "description": "Problem details (RFC 9457).",
    "properties": {
        "type": {"type": "string", "format": "uri-reference", "description": "Link to the explanation."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string", "description": "The path that was asked for."},
        "request_id": {"type": "string", "description": "Also in the X-Request-ID header, and in the log."},
        "etag": {"type": "string", "description": "Of what was changed meanwhile, as it is now (412)."},
        "errors": {
            "type": "array",
            "description": "One entry a fault: of the body with pointer, of the address with parameter.",
            "items": {
                "type": "object",
                "properties": {
                    "pointer": {"type": "string", "description": "JSON pointer into the body (RFC 6901)."},
                    "path": {"type": "string", "description": "The same as people write it."},
                    "parameter": {"type": "string"},
                    "code": {"type": "string", "description": "A short stable word."},
                    "message": {"type": "string"},
                    "hint": {"type": "string", "description": "A way out."},
                    "line": {"type": "integer", "minimum": 1},
                    "column": {"type": "integer", "minimum": 1},
                },
                "required": ["code", "message"],
            },
        },
    },
    "required": ["type", "title", "status", "detail", "instance", "request_id"],
}

EXPLANATION_REQUEST: dict[str, Any] = {
    "type": "object",
    "title": "ExplanationRequest",
    "properties": {
        "scenario": {"$ref": "#/components/schemas/ScenarioDocument"},
        "quantity": {"type": "string", "description": "Place of the figure, such as performance.mfu."},
    },
    "required": ["scenario", "quantity"],
    "additionalProperties": False,
}

NODE: dict[str, Any] = {
    "type": "object",
    "title": "ExplanationNode",
    "description": "A step of a computation. What was shown before has see, and nothing below it.",
    "properties": {
        "kind": {"type": "string", "enum": ["quantity", "operator", "search", "input", "constant"]},
        "name": {"type": "string"},
        "value": {"description": "A number, a list of numbers, a word, or null where it is unknown."},
        "unit": {"type": "string"},
        "id": {"type": "string"},
        "see": {"type": "string", "description": "id of the same step."},
        "role": {"type": "string", "description": "Relation to the step above."},
        "label": {"type": "string"},
        "formula": {"type": "string", "description": "As it is computed."},
        "description": {"type": "string"},
        "source": {"type": "string"},
        "note": {"type": "string"},
        "origin": {
            "type": "object",
            "description": "Of an input: kind, source, date, catalog row, field; own says whose own value it is.",
        },
        "inputs": {"type": "array", "items": {"$ref": "#/components/schemas/ExplanationNode"}},
    },
    "required": ["kind", "name", "value", "unit"],
}

EXPLANATION: dict[str, Any] = {
    "title": "Explanation",
    "description": "The tree of a figure.",
    "allOf": [
        {"$ref": "#/components/schemas/ExplanationNode"},
        {
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "interval": {
                    "type": "object",
                    "description": "low and high of a figure that follows from speed, with the measured runs "
                    "that they come from, as in the intervals of an evaluation.",
                },
            },
            "required": ["path"],
        },
    ],
}

FIGURE: dict[str, Any] = {
    "type": "object",
    "title": "Figure",
    "properties": {
        "name": {"type": "string"},
        "title": {"type": "string"},
        "takeaway": {"type": "string", "description": "Finding, in a sentence."},
        "caption": {"type": "string"},
        "plot": {
            "type": ["object", "null"],
            "description": "data and layout for Plotly; null where what it would show is unknown.",
            "properties": {
                "data": {"type": "array", "items": {"type": "object"}},
                "layout": {"type": "object"},
            },
            "required": ["data", "layout"],
        },
        "table": {
            "type": "object",
            "properties": {
                "columns": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "name": {"type": "string"},
                            "unit": {"type": "string"},
                            "numeric": {"type": "boolean"},
                        },
                        "required": ["name", "unit", "numeric"],
                    },
                },
                "rows": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "cells": {"type": "array", "items": {"type": "string"}},
                            "path": {"type": "string", "description": "The figure to explain, or empty."},
                            "total": {"type": "boolean"},
                        },
                        "required": ["cells", "path", "total"],
                    },
                },
            },
            "required": ["columns", "rows"],
        },
    },
    "required": ["name", "title", "takeaway", "caption", "plot", "table"],
}

HEALTH: dict[str, Any] = {
    "type": "object",
    "title": "Health",
    "properties": {"status": {"type": "string"}, "version": {"type": "string"}},
    "required": ["status", "version"],
}


DOCUMENTS: tuple[type[BaseModel], ...] = (
    ScenarioDocument, SuperNodeDesign, PodDesign, ProjectionDocument, StudyDocument, SweepDocument, FleetDocument, OwnRow,
    ModelRequest, ExportAnswer,
)  # fmt: skip


def named_schemas() -> dict[str, Any]:
    """Every schema of ours by name."""
    return {
        **_documents(),
        "SavedChange": CHANGE,
        **evaluation_schemas(),
        **batch_schemas(),
        **question_schemas(),
        **fleet_schemas(),
        **search_schemas(),
        **step_timeline_schemas(),
        **calibration_schemas(),
        **projection_schemas(),
        **cable_schemas(),
        **bill_schemas(),
        **view_schemas(VIEWS),
        **uncertainty_schemas(),
        **study_schemas(),
        "Explanation": EXPLANATION,
        "ExplanationNode": NODE,
        "ExplanationRequest": EXPLANATION_REQUEST,
        "Figure": FIGURE,
        "Health": HEALTH,
        "Problem": PROBLEM,
    }


def _documents() -> dict[str, Any]:
    """The schemas of documents and of their parts.

    Raises
    ------
    ValueError : two parts of one name differ
    """
    found: dict[str, Any] = {}
    for model in DOCUMENTS:
        schema = model.model_json_schema(ref_template=REFERENCE)
        for name, part in {**schema.pop("$defs", {}), model.__name__: schema}.items():
            if found.setdefault(name, part) != part:
                raise ValueError(
                    f"{name} of {model.__name__} is another than that of the documents before it"
                )
    return found


WORDS_OF_PLACE = {
    "performance": "Speed and its explanation.",
    "fabric": "Parts of the network.",
    "reliability": "Failures, and the time lost to them.",
    "power": "Power.",
    "cooling": "Cooling.",
    "cost": "Cost, compared with renting.",
    "carbon": "Emissions.",
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
    problem["description"] = "Problems, by how much, and the smallest change that fixes it."
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
                    "description": "Choices where the scenario says auto, with their effect on the design.",
                },
                "suggested_estimates": {
                    "type": "object",
                    "additionalProperties": {"type": "object"},
                    "description": "Estimates of missing inputs by place, in the answer of POST /evaluations where inputs are missing; put into "
                    "`estimates` of the scenario they are accepted.",
                },
                "inputs": {
                    "type": "object",
                    "description": "Names and sizes of the evaluated design.",
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
            "description": "Inputs of the figures.",
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
        shown = {one.name for one in dataclasses.fields(kind) if one.metadata.get("figure", True)}
        fields = {name: part for name, part in typing.get_type_hints(kind).items() if name in shown}
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
    return {"type": types or ["number", "null"], "description": record.summary}
