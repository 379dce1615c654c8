"""The year of a scenario hour by hour: in short as JSON, and all of its hours as CSV."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse
from pydantic import Field

from app.surfaces.files.file_name import content_disposition
from app.surfaces.files.hours_csv import hours_csv
from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import problem_answers
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import (
    DATABASE_BUSY,
    INVALID_PARAMETER,
    INVALID_SCENARIO,
    NOT_FOUND,
    NOT_READY,
    TOO_BUSY,
    TOOK_TOO_LONG,
)
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.saved.referred import OF, referred_scenario
from app.surfaces.rest.saved.saving import PRIVATE
from app.surfaces.rest.scenario_requests import PROBLEMS, asked, options_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, request_shapes
from app.views.facility.hours import HoursAnswer, HoursOptions, hours_answer
from app.views.facility.hours_report import HoursReport, hours_report
from app.views.plain import report_json

router = APIRouter()

TITLE = "FacilityHours"
CSV = "text/csv"
TABLE = {CSV: {"schema": {"type": "string"}}}
DISPOSITION = {"description": "attachment, with a name for the file.", "schema": {"type": "string"}}
READING = (INVALID_PARAMETER, NOT_FOUND, INVALID_SCENARIO, TOO_BUSY, TOOK_TOO_LONG, NOT_READY, DATABASE_BUSY)
Given = Annotated[dict[str, str], only("scenario")]


class HoursFormat(HoursOptions):
    """How the hall fills, and what is answered."""

    format: Literal["json", "csv"] = Field(
        default="json", description="json: the year in short; csv: a row an hour."
    )


@router.get(
    "/hours",
    summary="Write the hours of a saved scenario",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "A row an hour.",
            "content": TABLE,
            "headers": {"Content-Disposition": DISPOSITION},
        },
        **problem_answers(*READING),
    },
    openapi_extra={"parameters": [OF | {"required": True}]},
)
async def saved_hours(found: ServicesDep, given: Given) -> Response:
    """A row an hour from 1 January in local standard time, 8,760 of them: weather, PUE, power at the meter and of the
    plants' parts, water, and the share of heat that leaves without a chiller. Units end the names of the columns.
    """
    return await found.workers.run(_saved_file, found, given)


@router.post(
    "/hours",
    summary="Draw up the hours of a year",
    response_class=Response,
    responses={
        200: {
            "description": "The year in short, as JSON; or a row an hour where `format` is csv.",
            "content": {
                "application/json": {"schema": {"$ref": f"#/components/schemas/{TITLE}"}},
                **TABLE,
            },
        },
        **PROBLEMS,
    },
    openapi_extra=options_body("FacilityHoursRequest", "A scenario, and how its hall fills.", ramp_months=12),
    dependencies=[only()],
)
async def draw_up_hours(body: BodyDep, found: ServicesDep) -> Response:
    """PUE, TUE, WUE and CUE over the year and in its hottest hour, with the band in which operators publish PUE; means
    by month and hour of the day, duration curves, and PUE while the hall fills. Nothing is saved.
    """
    return await found.workers.run(_hours, body, found)


def _hours(body: Body, found: Services) -> Response:
    options, scenario = asked(HoursFormat, body, found)
    answer = hours_answer(scenario, options)
    return _file(answer) if options.format == "csv" else json_response(report_json(hours_report(answer)))


def _saved_file(found: Services, given: dict[str, str]) -> Response:
    return _file(hours_answer(referred_scenario(found, given)))


def _file(answer: HoursAnswer) -> Response:
    headers = {
        "cache-control": PRIVATE,
        "content-disposition": content_disposition(f"{answer.name} hours", ".csv"),
    }
    return StreamingResponse(hours_csv(answer.hours), media_type="text/csv; charset=utf-8", headers=headers)


def hours_schemas() -> dict[str, Any]:
    """JSON Schemas of request and response, by name."""
    return {**answer_shapes(TITLE, HoursReport), **request_shapes("FacilityHoursRequest", HoursFormat)}
