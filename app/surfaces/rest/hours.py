"""The year of a saved scenario hour by hour, as CSV."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

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
from app.surfaces.rest.saved.referred import OF, referred_scenario
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.views import file_response
from app.views.facility.hours import hours_answer
from app.views.facility.room import ALL_HOURS

router = APIRouter()

DISPOSITION = {"description": "attachment, with a name for the file.", "schema": {"type": "string"}}
READING = (INVALID_PARAMETER, NOT_FOUND, INVALID_SCENARIO, TOO_BUSY, TOOK_TOO_LONG, NOT_READY, DATABASE_BUSY)
Given = Annotated[dict[str, str], only("scenario")]


@router.get(
    "/hours",
    summary="Write the hours of a saved scenario",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "A row an hour.",
            "content": {"text/csv": {"schema": {"type": "string"}}},
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


def _saved_file(found: Services, given: dict[str, str]) -> Response:
    return file_response(ALL_HOURS, hours_answer(referred_scenario(found, given)))
