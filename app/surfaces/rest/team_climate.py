"""Climate years of a workspace: an EPW file becomes an hourly year of its catalog."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from starlette.concurrency import run_in_threadpool

from app.catalog.own.known import Known
from app.catalog.weather.year import About
from app.saved.team_catalog.errors import RowChangedError
from app.saved.team_catalog.service import own_revision
from app.surfaces.rest.bodies import BYTES
from app.surfaces.rest.catalog import ANSWERS, read_part
from app.surfaces.rest.catalog_models import PartAnswer, part_answer
from app.surfaces.rest.conditional import content_etag
from app.surfaces.rest.documented import ETAG, IF_NONE_MATCH, OF_A_BODY, problem_answers, query_parameter
from app.surfaces.rest.parameters import only
from app.surfaces.rest.preconditions import changed_meanwhile, required_precondition
from app.surfaces.rest.problem_types import (
    CHANGED_MEANWHILE,
    INVALID_CATALOG_ROW,
    NOT_FOUND,
    PRECONDITION_REQUIRED,
    UNSUPPORTED_MEDIA_TYPE,
)
from app.surfaces.rest.problems import ProblemError, json_response
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.team_catalog import IF_MATCH, OF_A_WRITE, remove_own_row

router = APIRouter(prefix="/catalog/climate", tags=["catalog"])

KIND = "climate"
TYPES = ("text/plain", "text/csv", BYTES)
TEXT = {"type": "string", "maxLength": 200}
ABOUT = {
    "source": "Where the year comes from; required.",
    "name": "Name; the city of the file without it.",
    "year_kind": "TMY, a measured year, ...; else what the file says.",
    "licence": "On what terms it may be passed on; shown as not stated when left out.",
    "url": "Where it was found.",
    "as_of": "When it was made: 2026, 2026-11 or 2026-11-22.",
}
SOURCE = query_parameter("source", ABOUT["source"], TEXT, example="Own station") | {"required": True}
Key = Annotated[str, Path(description="The key of the year.", examples=["graz_2023"])]
Given = Annotated[dict[str, str], only(*ABOUT)]
BEGINNING = "LOCATION,Graz,Styria,AUT,TMYx,112400,46.99,15.44,1.0,340.0\n"


@router.put(
    "/{key}",
    summary="Upload a climate year",
    response_model=PartAnswer,
    response_description="The year as it is now; what was done to the file stands in its notes.",
    responses={
        200: {"headers": ETAG},
        **problem_answers(
            *OF_A_WRITE, *OF_A_BODY, INVALID_CATALOG_ROW, CHANGED_MEANWHILE, PRECONDITION_REQUIRED
        ),
    },
    openapi_extra={
        "parameters": [
            SOURCE,
            *(query_parameter(name, words, TEXT) for name, words in ABOUT.items() if name != "source"),
            IF_MATCH,
        ],
        "requestBody": {
            "required": True,
            "description": "An EnergyPlus weather file: 8 header lines, then 8,760 hours of 35 values. Also as "
            "text/plain or text/csv.",
            "content": {
                BYTES: {
                    "schema": {"type": "string", "format": "binary"},
                    "examples": {"beginning": {"value": BEGINNING}},
                }
            },
        },
    },
)  # fmt: skip
async def put_climate_year(key: Key, request: Request, found: ServicesDep, given: Given) -> Response:
    """An EPW file as a climate year of the workspace, which sites and scenarios may name from then on. Wet bulb is
    computed from humidity and pressure. A leap day is left out, gaps of up to 6 hours are bridged, and both are said;
    what is wrong with the file is named by its line. Revisions keep the hours that they were computed with.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in TYPES:
        detail = f"Send the file as {', '.join(TYPES[:-1])} or {TYPES[-1]}."
        raise ProblemError(UNSUPPORTED_MEDIA_TYPE, detail, headers={"accept-post": ", ".join(TYPES)})
    content = await request.body()
    return await run_in_threadpool(_put, found, key, content, given, request)


def _put(found: Services, key: str, content: bytes, given: dict[str, str], request: Request) -> Response:
    team = found.team_catalog
    team.require("write")
    catalog = found.catalog()
    if own_revision(catalog, KIND, key):
        required_precondition(request).check(_tag(found, key))
    try:
        team.put_climate(key, content, About(**given), own_revision(catalog, KIND, key))
    except RowChangedError as error:
        raise changed_meanwhile(_tag(found, key), str(error)) from None
    now = found.catalog()
    answer = part_answer(now, now.part(KIND, key))
    return json_response(answer, {"etag": content_etag(answer), "cache-control": "no-cache"})


def _tag(found: Services, key: str) -> str:
    catalog = found.catalog()
    part = Known(catalog).part(KIND, key)
    return content_etag(part_answer(catalog, part)) if part is not None else '"none"'


@router.get(
    "/{key}",
    summary="Read a climate year",
    response_model=PartAnswer,
    response_description="The year.",
    responses={200: {"headers": ETAG}, **ANSWERS, **problem_answers(NOT_FOUND)},
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_climate_year(key: Key, request: Request, found: ServicesDep) -> Response:
    """As any other part: every figure with its source."""
    return read_part(KIND, key, request, found)


@router.delete(
    "/{key}",
    summary="Remove an own climate year",
    status_code=204,
    response_description="It is gone; the built-in year of this key counts again, where there is one.",
    responses=problem_answers(*OF_A_WRITE, INVALID_CATALOG_ROW, CHANGED_MEANWHILE, PRECONDITION_REQUIRED),
    openapi_extra={"parameters": [IF_MATCH | {"required": True}]},
    dependencies=[only()],
)
def remove_climate_year(key: Key, request: Request, found: ServicesDep) -> Response:
    """An own year goes; built-in ones stay as they are."""
    return remove_own_row(KIND, key, request, found)
