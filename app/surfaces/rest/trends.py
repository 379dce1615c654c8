"""Growth: trends of dated figures beside published rates, their projection, and the gap between two devices."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from app.scenarios.errors import shorten
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import ETAG, IF_NONE_MATCH, NOT_MODIFIED, problem_answers, query_parameter
from app.surfaces.rest.parameters import beyond_schema, only, parameter_problem
from app.surfaces.rest.problem_types import INVALID_PARAMETER, NOT_FOUND, NOT_READY
from app.surfaces.rest.problems import ProblemError
from app.surfaces.rest.services import ServicesDep
from app.surfaces.rest.trend_models import GapAnswer, TrendAnswer, TrendsAnswer
from app.views.growth.answer import UnknownTrendError, trend_answer, trends_answer
from app.views.growth.gap import (
    FIRST,
    LAST,
    NAMES,
    DeviceOrderError,
    UnknownDeviceError,
    gap_answer,
)

router = APIRouter(prefix="/trends", tags=["trends"])

BASE = "/api/v1/trends"
Key = Annotated[str, Path(description="A trend, as /trends lists them.", examples=["frontier_compute"])]
GivenEnds = Annotated[dict[str, str], only("from", "to", "precision")]
ENDS = [
    query_parameter("from", "Key of the earlier accelerator.", {"type": "string", "default": FIRST}),
    query_parameter("to", "Key of the later accelerator.", {"type": "string", "default": LAST}),
    query_parameter(
        "precision",
        "The factor of arithmetic that is wanted; all of them without it.",
        {"type": "string", "enum": list(NAMES)},
    ),
    IF_NONE_MATCH,
]
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"headers": ETAG},
    304: NOT_MODIFIED,
    **problem_answers(INVALID_PARAMETER, NOT_READY),
}


@router.get(
    "",
    summary="List the trends",
    response_model=TrendsAnswer,
    response_description="Every trend.",
    responses=ANSWERS,
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def list_trends(request: Request, found: ServicesDep) -> Response:
    """Growth trends: training runs, clusters and devices, each fitted to the dated figures that are shipped,
    with doubling time and 90 % interval, beside the rates that others published.
    """
    content = trends_answer(found.builtin_catalog())
    content["items"] = [one | {"href": f"{BASE}/{one['key']}"} for one in content["items"]]
    return conditional(request, content_etag(content), lambda: (content, {}))


@router.get(
    "/gap",
    summary="Compare two devices",
    response_model=GapAnswer,
    response_description="Factors by precision and link.",
    responses=ANSWERS,
    openapi_extra={"parameters": ENDS},
)
def read_gap(request: Request, found: ServicesDep, given: GivenEnds) -> Response:
    """Ratio of a later device to an earlier one in arithmetic, memory bandwidth, node bus and network, and over all
    pairs of devices some eight years apart, where "40 times, 9 times, 4 times" is closest to true.
    """
    precision = given.get("precision")
    if precision is not None and precision not in NAMES:
        message = f"{shorten(precision)} is not a precision of this comparison."
        raise parameter_problem("precision", "one_of", message, f"Precisions: {', '.join(NAMES)}.")
    try:
        content = gap_answer(found.builtin_catalog(), given.get("from", FIRST), given.get("to", LAST))
    except UnknownDeviceError as error:
        raise beyond_schema(error.name, "one_of", error.said, error.hint) from None
    except DeviceOrderError as error:
        raise beyond_schema(error.name, "order", error.said, error.hint) from None
    if precision:
        content["compute"] = [one for one in content["compute"] if one["key"] == precision]
    return conditional(request, content_etag(content), lambda: (content, {}))


@router.get(
    "/{key}",
    summary="Read a trend",
    response_model=TrendAnswer,
    response_description="The trend.",
    responses=ANSWERS | problem_answers(NOT_FOUND),
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_trend(key: Key, request: Request, found: ServicesDep) -> Response:
    """One trend: every dated figure, the line with the band of the line and that of single figures to 2030, and the
    published limits: no projection goes beyond the lowest, and `limits` say when each would be met.
    """
    try:
        content = trend_answer(found.builtin_catalog(), key)
    except UnknownTrendError as error:
        raise ProblemError(NOT_FOUND, str(error)) from None
    content["href"] = f"{BASE}/{key}"
    return conditional(request, content_etag(content), lambda: (content, {}))
