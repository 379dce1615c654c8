"""The gallery: reference designs, and what others published of them beside our figures."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response

from app.scenarios.errors import ScenarioError
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import ETAG, IF_NONE_MATCH, NOT_MODIFIED, problem_answers
from app.surfaces.rest.gallery_models import GalleryAnswer, ReferenceAnswer
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
