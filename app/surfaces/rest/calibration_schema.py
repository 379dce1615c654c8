"""The shapes of calibrations: what is asked, and what is found."""

from __future__ import annotations

from typing import Any

from app.scenarios.document.calibration import CalibrationDocument
from app.scenarios.document.serving_calibration import ServingCalibrationDocument
from app.surfaces.rest.search_schema import NUMBER, SCENARIO
from app.validation.calibration.latency import ROWS
from app.validation.calibration.measured import MeasuredRuns

FACTOR = {"type": "number", "exclusiveMinimum": 0}
SPREAD = {"type": "number", "minimum": 0}
FIGURE_FIELDS = ("predicted", "predicted_low", "predicted_high", "corrected", "low", "high")


def calibration_schemas() -> dict[str, Any]:
    """JSON Schemas of calibrations by name."""
    return {
        "CalibrationRequest": _request(),
        "Calibration": _calibration(),
        "ServingCalibration": _serving_calibration(),
        "AnyCalibration": {
            "title": "AnyCalibration",
            "description": "By what the scenario does: trains or serves.",
            "oneOf": [
                {"$ref": "#/components/schemas/Calibration"},
                {"$ref": "#/components/schemas/ServingCalibration"},
            ],
        },
    }


def _request() -> dict[str, Any]:
    shape = MeasuredRuns.model_json_schema()
    run = shape.pop("$defs")["MeasuredRun"]
    shape["properties"]["runs"]["items"] = run
    shape["properties"] = {"scenario": SCENARIO, **shape["properties"]}
    return shape | {"title": "CalibrationRequest", "required": ["scenario"]}


def _calibration() -> dict[str, Any]:
    run = {
        "source": {"type": "string", "description": "Where the measurement stands."},
        "measured": FACTOR | {"description": "Tokens a second and accelerator."},
        "predicted": FACTOR | {"description": "Tokens a second and accelerator."},
        "ratio": FACTOR | {"description": "Measured over predicted."},
    }
    figure = {name: dict(NUMBER) for name in FIGURE_FIELDS}
    return _object(
        "Calibration",
        {
            "scenario": {"type": "string", "description": "Its name."},
            "deployment": {"type": "object", "additionalProperties": {"type": "string"}},
            "probability": FACTOR | {"description": "Of a run to lie between the bounds."},
            "runs": {"type": "array", "items": _object("", run)},
            "beliefs": {
                "type": "array",
                "items": {"type": "number"},
                "description": "Share of each run's error that is believed of the scenario.",
            },
            "correction": FACTOR | {"description": "Factor on the predicted speed."},
            "low": FACTOR | {"description": "One run of ten is slower: measured over predicted speed."},
            "high": FACTOR | {"description": "One run of ten is faster: measured over predicted speed."},
            "workload_calibration": CalibrationDocument.model_json_schema()
            | {"description": "To be stated as `workload.calibration` of the scenario."},
            "bias_spread": SPREAD,
            "design_spread": SPREAD,
            "repeat_spread": SPREAD,
            "spread": SPREAD | {"description": "What is left for the next run: of logarithms of speed."},
            "figures": {
                "type": "object",
                "description": "Figures that follow from speed, by their place, before and after.",
                "additionalProperties": _object("", figure),
            },
        },
    )


def _serving_calibration() -> dict[str, Any]:
    run = {
        "quantity": {"type": "string", "enum": list(ROWS)},
        "source": {"type": "string", "description": "What was measured."},
        "measured": FACTOR | {"description": "Seconds."},
        "predicted": FACTOR | {"description": "Seconds."},
        "ratio": FACTOR | {"description": "Measured over predicted time."},
    }
    correction = {
        "correction": FACTOR | {"description": "Factor on the predicted time."},
        "low": FACTOR
        | {"description": "One other point of ten of the deployment is faster: factor on the same."},
        "high": FACTOR
        | {"description": "One other point of ten of the deployment is slower: factor on the same."},
    }
    return _object(
        "ServingCalibration",
        {
            "scenario": {"type": "string", "description": "Its name."},
            "deployment": {"type": "object", "additionalProperties": {"type": "string"}},
            "concurrency": NUMBER
            | {"description": "Requests in flight on the pod that the prediction is of."},
            "probability": FACTOR
            | {"description": "Of another point of the deployment to lie between the bounds."},
            "runs": {"type": "array", "items": _object("", run)},
            "corrections": {
                "type": "object",
                "description": "By quantity, those that were measured alone.",
                "additionalProperties": _object("", correction),
            },
            "workload_calibration": ServingCalibrationDocument.model_json_schema()
            | {"description": "To be stated as `workload.calibration` of the scenario."},
            "figures": {
                "type": "object",
                "description": "Figures that follow from the latencies, by their place, before and after.",
                "additionalProperties": _object("", {name: dict(NUMBER) for name in FIGURE_FIELDS}),
            },
        },
    )


def _object(title: str, properties: dict[str, Any]) -> dict[str, Any]:
    shape = {"type": "object", "properties": properties, "required": list(properties)}
    return shape | ({"title": title} if title else {})
