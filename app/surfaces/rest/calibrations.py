"""Correcting a scenario by one's own measured runs."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Depends, Response

from app.scenarios.document.calibration import CalibrationDocument
from app.scenarios.document.serving import ServingCalibrationDocument
from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer, problem_answers
from app.surfaces.rest.origin import refuse_foreign_site
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import (
    DATABASE_BUSY,
    FOREIGN_SITE,
    NOT_READY,
    READ_ONLY,
    STORAGE_FULL,
    TOO_BUSY,
)
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, options_and_evaluation, options_body
from app.surfaces.rest.searches import NUMBER, SCENARIO
from app.surfaces.rest.services import Services, ServicesDep
from app.validation.calibration.latency import ROWS
from app.validation.calibration.measured import MeasuredRuns, calibrated

router = APIRouter(tags=["calibrations"])

KEEPING = problem_answers(FOREIGN_SITE, READ_ONLY, STORAGE_FULL, DATABASE_BUSY, NOT_READY, TOO_BUSY)


@router.post(
    "/calibrations",
    summary="Calibrate on measured runs",
    responses={
        200: json_answer("AnyCalibration", "Corrections of the scenario by the runs."),
        **PROBLEMS,
        **KEEPING,
    },
    openapi_extra=options_body(
        "CalibrationRequest",
        "A scenario and runs of it.",
        runs=[{"step_time_s": 15.1}, {"step_time_s": 15.3}],
    ),
    dependencies=[only(), Depends(refuse_foreign_site)],
)
async def calibrate(body: BodyDep, found: ServicesDep) -> Response:
    """The factor on its predicted speed that measured runs of a scenario ask for, with bounds, and every
    figure that follows from speed before and after. `workload_calibration` is what the scenario states as
    `workload.calibration` to be corrected so; nothing built in changes. A calibration that the scenario states
    already is set aside before its runs are compared. With `keep` the runs are kept with the workspace, for
    every scenario of their deployment (accelerator, framework and precision); with `use_kept` those that are
    kept count as well. By default, nothing is kept or looked up.

    Of a scenario that serves a model a run is one measured point under the load of the scenario: `ttft_s`, `tpot_s`
    or both. The answer has a correction for each, and nothing is kept.
    """
    return await found.workers.run(_calibration, body, found)


def _calibration(body: Body, found: Services) -> Response:
    measured, scenario = options_and_evaluation(MeasuredRuns, body, found)
    return json_response(calibrated(scenario, found.catalog(), measured, found.own_runs).as_json())


FACTOR = {"type": "number", "exclusiveMinimum": 0}
SPREAD = {"type": "number", "minimum": 0}
FIGURE_FIELDS = ("predicted", "predicted_low", "predicted_high", "corrected", "low", "high")


def calibration_schemas() -> dict[str, Any]:
    """JSON Schemas of calibrations by name."""
    return {
        "CalibrationRequest": _request(),
        "Calibration": _calibration_schema_calibration(),
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


def _calibration_schema_calibration() -> dict[str, Any]:
    run = {
        "source": {"type": "string", "description": "Where the measurement stands."},
        "measured": FACTOR | {"description": "Tokens per second and accelerator."},
        "predicted": FACTOR | {"description": "Tokens per second and accelerator."},
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
            "spread": SPREAD | {"description": "Remaining error for the next run: of logarithms of speed."},
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
        "source": {"type": "string", "description": "Quantity measured."},
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
