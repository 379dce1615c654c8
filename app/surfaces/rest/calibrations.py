"""Correcting a scenario by one's own measured runs."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Response

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
from app.surfaces.rest.services import Services, ServicesDep
from app.validation.calibration.measured import MeasuredRuns, calibrated

router = APIRouter(tags=["calibrations"])

KEEPING = problem_answers(FOREIGN_SITE, READ_ONLY, STORAGE_FULL, DATABASE_BUSY, NOT_READY, TOO_BUSY)


@router.post(
    "/calibrations",
    summary="Calibrate on measured runs",
    responses={
        200: json_answer("AnyCalibration", "What the runs say of the scenario."),
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
