"""Growth: trends of dated figures beside published rates, their projection, and the gap between two devices."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from app.scenarios.errors import shorten
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import ETAG, IF_NONE_MATCH, NOT_MODIFIED, problem_answers, query_parameter
from app.surfaces.rest.parameters import beyond_schema, only, parameter_problem
from app.surfaces.rest.problem_types import INVALID_PARAMETER, NOT_FOUND, NOT_READY
from app.surfaces.rest.problems import ProblemError
from app.surfaces.rest.services import ServicesDep
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
        "The factor of arithmetic that is wanted; all without it.",
        {"type": "string", "enum": list(NAMES)},
    ),
    IF_NONE_MATCH,
]
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"headers": ETAG},
    304: NOT_MODIFIED,
    **problem_answers(INVALID_PARAMETER, NOT_READY),
}


DOUBLING = "Years; null where the trend may not grow."
Group = Literal["models", "clusters", "devices"]


class TrendFitAnswer(Answer):
    """A log-linear fit, with the 90 % interval of a seeded bootstrap over its rows."""

    annual_factor: float = Field(description="Growth per year.")
    low: float
    high: float
    doubling_years: float | None = Field(description=DOUBLING)
    doubling_low_years: float | None = Field(description=DOUBLING)
    doubling_high_years: float | None = Field(description=DOUBLING)
    r_squared: float = Field(description="Of the logarithms.")


class RateAnswer(Answer):
    """The rate of someone else, and how ours stands to it."""

    key: str
    quantity: str
    annual_factor: float
    low: float | None
    high: float | None
    probability: float | None = Field(description="That low and high hold the rate, where the source says.")
    doubling_years: float | None = Field(description=DOUBLING)
    window: str
    basis: Literal["published", "whole_data"] = Field(
        description="whole_data: the same kind of fit, on the whole data of which a part is shipped."
    )
    confidence: str
    source: str
    agreement: Literal["within", "overlap", "apart", "unknown"] = Field(
        description="Ours lies in their interval; the intervals overlap; they do not."
    )
    says: str = Field(description="The same in words, and why.")


class TrendSummaryAnswer(Answer):
    """Growth rates by trend."""

    key: str
    name: str
    group: Group
    unit: str
    what: str
    n: int = Field(description="Dated figures.")
    first_year: float | None
    last_year: float | None
    fit: TrendFitAnswer | None = Field(description="Null where there are too few figures; `unknown` says so.")
    unknown: str
    rates: list[RateAnswer]
    differs: str = Field(description="Why others may find another rate; empty where nothing is known of it.")
    source: str
    href: str


class QuartileAnswer(Answer):
    share: float
    value: float
    low: float
    high: float


class MfuAnswer(Answer):
    """Quartiles of the model FLOPs utilisation that training runs report."""

    n: int
    quartiles: list[QuartileAnswer]
    published: list[float]
    published_source: str
    source: str


class TrendsAnswer(Answer):
    """Every trend."""

    probability: float = Field(description="That an interval holds the rate.")
    seed: int
    resamples: int
    items: list[TrendSummaryAnswer]
    mfu: MfuAnswer


class TrendPointAnswer(Answer):
    """A dated figure. Of devices and clusters the year is known, and its middle given."""

    key: str
    name: str
    year: float
    value: float


class ProjectionBandAnswer(Answer):
    """The trend over years, never above the lowest of its limits."""

    years: list[float]
    central: list[float]
    low: list[float] = Field(description="Of the line, 5 %.")
    high: list[float] = Field(description="Of the line, 95 %.")
    least: list[float] = Field(description="Of a single figure, 5 %.")
    most: list[float] = Field(description="Of a single figure, 95 %.")


class TrendLimitAnswer(Answer):
    """Published limit of a trend."""

    key: str
    name: str
    value: float
    unit: str
    year: int
    confidence: str
    source: str
    note: str
    binds_first: bool
    met_year: float | None
    met_early: float | None
    met_late: float | None
    says: str


class TrendAnswer(TrendSummaryAnswer):
    """One trend with its figures."""

    points: list[TrendPointAnswer]
    projection: ProjectionBandAnswer | None
    limits: list[TrendLimitAnswer]


class DeviceEndAnswer(Answer):
    key: str
    name: str
    year: int
    source: str
    in_catalog: bool


class FactorAnswer(Answer):
    """Growth between two devices; null where one has no such figure."""

    key: str
    name: str
    factor: float | None
    factor_per_year: float | None


class LinkFactorAnswer(FactorAnswer):
    basis: str = Field(description="Counting convention: one way, per port, a share.")


class CloseAnswer(Answer):
    """Two devices that come close to the claim."""

    from_: DeviceEndAnswer = Field(alias="from")
    to: DeviceEndAnswer
    years: int
    precision: str
    precision_name: str
    network_basis: str
    network_basis_name: str
    compute: float
    bus: float
    network: float
    distance: float = Field(description="Root mean square of the logarithms of factor over claim.")
    holds: list[str] = Field(description="Which of the three are within the tolerance.")


class ClaimedFactors(Answer):
    compute: float
    bus: float
    network: float


class TrendClaimAnswer(Answer):
    """Where "40x compute, 9x bus, 4x RDMA in eight years" holds, over all pairs of devices."""

    claimed: ClaimedFactors
    claimed_years: int
    within_years: int
    tolerance: float
    combinations: int
    all_hold: int
    compute_holds: int
    bus_holds: int
    network_holds: int
    closest: list[CloseAnswer]


class GapAnswer(Answer):
    """Ratio of the later to the earlier device."""

    from_: DeviceEndAnswer = Field(alias="from")
    to: DeviceEndAnswer
    years: int
    compute: list[FactorAnswer]
    links: list[LinkFactorAnswer]
    claim: TrendClaimAnswer


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
