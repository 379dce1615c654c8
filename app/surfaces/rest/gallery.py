"""The gallery: reference designs, with published and computed figures."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from app.scenarios.errors import ScenarioError
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import ETAG, IF_NONE_MATCH, NOT_MODIFIED, problem_answers
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import INVALID_PARAMETER, NOT_FOUND, NOT_READY
from app.surfaces.rest.problems import ProblemError
from app.surfaces.rest.services import ServicesDep
from app.views.gallery.answer import gallery_answer, reference_answer

router = APIRouter(prefix="/gallery", tags=["gallery"])

BASE = "/api/v1/gallery"
PATIENCE_S = 0.5
"""Longest wait for figures that are not computed yet [s]."""
Key = Annotated[str, Path(description="A design, as /gallery lists them.", examples=["gb200_nvl72"])]
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {"headers": ETAG},
    304: NOT_MODIFIED,
    **problem_answers(INVALID_PARAMETER, NOT_READY),
}


class ReferenceFigures(Answer):
    """Our figures of a reference design; what is unknown is null."""

    accelerators: float | None
    peak_bf16_flop_per_s: float | None = Field(description="Dense, of the whole machine.")
    mfu: float | None
    elapsed_time_s: float | None = Field(description="Of the job that the design states.")
    utility_peak_w: float | None
    capex_usd: float | None
    usd_per_run: float | None
    usd_per_accelerator_hour: float | None


class RentedFigures(Answer):
    """Rent of a design whose parts are rent only: on demand, else reserved; else null."""

    usd_per_run: float | None
    usd_per_accelerator_hour: float | None


class PublishedBesideOurs(Answer):
    """A figure that others published, beside ours."""

    label: str
    figure: str = Field(description="Its place in the evaluation or headline.NAME; empty where we have none.")
    compare: Literal["equals", "at_least", "at_most"]
    published: float | None
    ours: float | None
    ratio: float | None = Field(description="Computed / published.")
    unit: str
    tolerance: float = Field(description="As a fraction, within which the two agree.")
    verdict: Literal["agrees", "stated", "differs", "unknown"] = Field(
        description="stated: the figure is an input of the design, equal to the published one, and not a prediction."
    )
    source: str
    note: str = Field(description="Explanation of the difference.")


class RequirementOfArticles(Answer):
    """Requirements of an article on a SuperNode and its site."""

    key: str
    title: str
    asked: str
    ours: float | None
    unit: str
    figure: str = Field(description="Its place in the evaluation; empty where it is of several.")
    verdict: Literal["pass", "fail", "does not apply", "unknown"]
    remedy: str = Field(description="Change to pass, or the reason why it does not apply.")
    source: str


class ReferenceProvenance(Answer):
    engine_version: str
    catalog_revision: str
    seed: int | None
    inputs_hash: str


class ReferenceBrief(Answer):
    """A reference design in brief."""

    key: str
    group: str
    name: str
    description: str
    illustrative: bool
    feasible: bool | None = Field(description="This and what follows is null while it is computed.")
    system: str | None
    accelerator: str | None
    figures: ReferenceFigures
    rent_only: bool | None = Field(
        description="Whether it cannot be bought, so that costs of owning stay null."
    )
    rented: RentedFigures
    agrees: int | None = Field(description="Published figures that agree within their tolerance.")
    stated: int | None = Field(description="Those that the design states as inputs.")
    differs: int | None
    unknown: int | None
    href: str


class GalleryAnswer(Answer):
    """The gallery."""

    catalog_revision: str
    computing: int = Field(description="Designs whose figures are still computed; ask again in some seconds.")
    items: list[ReferenceBrief]


class ReferenceAnswer(Answer):
    """A reference design with all its published figures."""

    key: str
    group: str
    name: str
    description: str
    approximation: str = Field(
        description="Values of the design that are assumed by Podwright or are placeholders."
    )
    illustrative: bool
    feasible: bool
    system: str
    accelerator: str
    figures: ReferenceFigures
    rent_only: bool = Field(description="Whether it cannot be bought, so that costs of owning stay null.")
    rented: RentedFigures
    published: list[PublishedBesideOurs]
    requirements: list[RequirementOfArticles]
    problems: list[str] = Field(description="Why it cannot be built as it is.")
    provenance: ReferenceProvenance


@router.get(
    "",
    summary="List the reference designs",
    response_model=GalleryAnswer,
    response_description="Every design.",
    responses=ANSWERS,
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def list_gallery(request: Request, found: ServicesDep) -> Response:
    """Reference designs with our figures in brief, and how many published figures agree with ours. A server that has
    just started is still computing some: `computing` says how many, and their figures are null until then.
    """
    content = gallery_answer(found.builtin_catalog(), PATIENCE_S)
    content["items"] = [one | {"href": f"{BASE}/{one['key']}"} for one in content["items"]]
    return conditional(request, content_etag(content), lambda: (content, {}))


@router.get(
    "/{key}",
    summary="Read a reference design",
    response_model=ReferenceAnswer,
    response_description="The design.",
    responses=ANSWERS | problem_answers(NOT_FOUND),
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_reference(key: Key, request: Request, found: ServicesDep) -> Response:
    """A reference design with every published figure beside ours, their ratio, and what explains a difference."""
    try:
        content = reference_answer(found.builtin_catalog(), key)
    except ScenarioError as error:
        raise ProblemError(NOT_FOUND, str(error)) from None
    return conditional(request, content_etag(content), lambda: (content, {}))
