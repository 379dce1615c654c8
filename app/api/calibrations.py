"""Correcting a scenario by one's own measured runs."""

from __future__ import annotations

from fastapi import APIRouter, Response

from app.api.bodies import Body
from app.api.documented import json_answer
from app.api.evaluations import BodyDep, ServicesDep
from app.api.parameters import only
from app.api.problems import json_response
from app.api.scenario_requests import PROBLEMS, asked, options_body
from app.api.services import Services
from app.validation.calibration.measured import MeasuredRuns, calibrated

router = APIRouter(tags=["calibrations"])


@router.post(
    "/calibrations",
    summary="Calibrate on own runs",
    responses={200: json_answer("Calibration", "What the runs say of the scenario."), **PROBLEMS},
    openapi_extra=options_body(
        "CalibrationRequest",
        "A scenario and runs of it.",
        runs=[{"step_time_s": 15.1}, {"step_time_s": 15.3}],
    ),
    dependencies=[only()],
)
async def calibrate(body: BodyDep, found: ServicesDep) -> Response:
    """The factor on its predicted speed that measured runs of a scenario ask for, with bounds, and every
    figure that follows from speed before and after. `workload_calibration` is what the scenario states as
    `workload.calibration` to be corrected so; nothing is kept, and nothing built in changes. A calibration
    that the scenario states already is set aside before its runs are compared.
    """
    return await found.workers.run(_calibration, body, found)


def _calibration(body: Body, found: Services) -> Response:
    measured, scenario = asked(MeasuredRuns, body, found)
    return json_response(calibrated(scenario, found.catalog(), measured).as_json())
