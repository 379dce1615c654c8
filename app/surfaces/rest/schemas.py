"""The schemas that answers and bodies are declared with, beside those of the pydantic models."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from app.saved.documents import PodDesign, SuperNodeDesign
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.sweeping.document import SweepDocument
from app.surfaces.rest.batches import batch_schemas
from app.surfaces.rest.bill import bill_schemas
from app.surfaces.rest.cables import cable_schemas
from app.surfaces.rest.calibration_schema import calibration_schemas
from app.surfaces.rest.evaluation_schema import evaluation_schemas
from app.surfaces.rest.model_descriptions import ModelRequest
from app.surfaces.rest.projection_schema import projection_schemas
from app.surfaces.rest.saved.changes import CHANGE
from app.surfaces.rest.search_schema import search_schemas
from app.surfaces.rest.step_timelines import step_timeline_schemas
from app.surfaces.rest.team_catalog_models import ExportAnswer, OwnRow
from app.surfaces.rest.uncertainty import uncertainty_schemas
from app.surfaces.rest.views import view_schemas
from app.views.projecting.document import ProjectionDocument
from app.views.rooms import VIEWS

REFERENCE = "#/components/schemas/{model}"

PROBLEM: dict[str, Any] = {
    "type": "object",
    "title": "Problem",
    "description": "Problem details (RFC 9457).",
    "properties": {
        "type": {"type": "string", "format": "uri-reference", "description": "Leads to what it means."},
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
        "role": {"type": "string", "description": "What it is to the step above."},
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
        "takeaway": {"type": "string", "description": "What it shows, in a sentence."},
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


def named_schemas() -> dict[str, Any]:
    """Every schema of ours by name."""
    return {
        **_with_parts(ScenarioDocument),
        **_with_parts(SuperNodeDesign),
        **_with_parts(PodDesign),
        **_with_parts(ProjectionDocument),
        **_with_parts(SweepDocument),
        **_with_parts(OwnRow),
        **_with_parts(ModelRequest),
        **_with_parts(ExportAnswer),
        "SavedChange": CHANGE,
        **evaluation_schemas(),
        **batch_schemas(),
        **search_schemas(),
        **step_timeline_schemas(),
        **calibration_schemas(),
        **projection_schemas(),
        **cable_schemas(),
        **bill_schemas(),
        **view_schemas(VIEWS),
        **uncertainty_schemas(),
        "Explanation": EXPLANATION,
        "ExplanationNode": NODE,
        "ExplanationRequest": EXPLANATION_REQUEST,
        "Figure": FIGURE,
        "Health": HEALTH,
        "Problem": PROBLEM,
    }


def _with_parts(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a document, and those of its parts beside it."""
    schema = model.model_json_schema(ref_template=REFERENCE)
    return {**schema.pop("$defs", {}), model.__name__: schema}
