"""`/api/v1/saved-studies`: studies that last, and their reviews."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from app.saved.documents import build_saved
from app.saved.records import Kind, Page, Saved
from app.saved.writing import LONGEST_NOTE
from app.scenarios.fields import Paragraph, Part
from app.scenarios.load import build_document
from app.surfaces.rest.bodies import JSON, Body, BodyDep, BodyValues, read_body
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import IF_NONE_MATCH, problem_answers
from app.surfaces.rest.parameters import only
from app.surfaces.rest.preconditions import required_precondition
from app.surfaces.rest.problem_types import FORBIDDEN, INVALID_STUDY
from app.surfaces.rest.problems import json_bytes
from app.surfaces.rest.saved.answers import Item, Links, time_text
from app.surfaces.rest.saved.declared import CHANGING, IF_MATCH, Id, body_problems, reading
from app.surfaces.rest.saved.filters import COMMON, common_filters, shared_page
from app.surfaces.rest.saved.routes import shelf_router
from app.surfaces.rest.saved.saving import PRIVATE, in_a_worker, yaml_etag
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services, ServicesDep
from app.teams.reviews import Move, Review, State, Step

HERE = "/api/v1/saved-studies/{id}"
EXAMPLES: dict[str, dict[str, Any]] = {
    "two": {
        "name": "Eight or sixteen",
        "question": "How many servers train Llama 3.1 8B in a week?",
        "workload": {
            "training": {
                "kind": "training",
                "model": "llama_3_1_8b",
                "tokens": 1e12,
                "sequence_length": 8192,
                "global_batch_sequences": 256,
            }
        },
        "limits": {"finish_within_days": 7},
        "chosen": [
            {"name": "Eight", "candidate": {"system": "dgx_h100", "supernodes": 8}},
            {"name": "Sixteen", "candidate": {"system": "dgx_h100", "supernodes": 16}},
        ],
    },
}


def check(read: BodyValues) -> Kind:
    """A study that can be saved, its faults told with their lines."""
    build_saved("study", read.values, read.positions)
    return "study"


def listed(found: Services, given: Mapping[str, str]) -> Page[Saved]:
    """A page of studies."""
    shared = shared_page(found, ("study",), "study", given)
    return shared or found.saved.listed("study", **common_filters(given, found.limits))


def body() -> dict[str, Any]:
    """A study with a name, with an example to try."""
    return {
        "required": True,
        "description": "A study with a name: question, workload, limits, candidates and the columns of its board.",
        "content": {
            JSON: {
                "schema": {"$ref": "#/components/schemas/StudyDocument"},
                "examples": {
                    key: {"summary": str(value["name"]), "value": value} for key, value in EXAMPLES.items()
                },
            },
        },
    }


class StudySummary(Answer):
    """A study in short; of its answer null where none was kept with it."""

    question: str
    model: str | None
    trains: bool
    serves: bool
    objective: str
    columns: int = Field(description="Columns of the board that were kept by hand.")
    decided: str | None
    winner: str | None
    verdict: str | None


class StudyLinks(Links):
    """Addresses of what belongs to it; page is for people."""

    diff: str
    review: str
    page: str


class StudyItem(Item):
    """A saved study in short."""

    summary: StudySummary
    links: StudyLinks


class StudyRecord(StudyItem):
    """A saved study."""

    document: dict[str, Any] = Field(description="The study as it was written.")


class StudiesPage(Answer):
    """A page of saved studies."""

    items: list[StudyItem]
    next: str | None = Field(description="Value of `after` for the next page; null at the end.")


class StudyReviewStep(Answer):
    """Someone moved a revision to a state."""

    revision: int
    state: State
    by: str
    at: str
    note: str


class StudyReview(Answer):
    """State of the newest revision, the approved baseline, and what the caller may do."""

    revision: int
    state: State
    baseline: StudyReviewStep | None = Field(
        description="The newest approved revision, which is locked; null without one."
    )
    steps: list[StudyReviewStep] = Field(description="Every step, the newest first.")
    moves: list[Move]
    waits_for: str = Field(description="Why the caller may not approve what is in review.")


class ReviewBody(Part):
    """A step of a review."""

    move: Literal["send", "withdraw", "return", "approve"] = Field(
        description="What is done with the newest revision."
    )
    note: Paragraph = Field(default="", max_length=LONGEST_NOTE, description="Why; needed to return it.")


STUDIES = Shelf(
    address="/api/v1/saved-studies",
    one="study",
    many="studies",
    kinds=("study",),
    answer=StudyRecord,
    page=StudiesPage,
    invalid=INVALID_STUDY,
    links={
        "self": HERE,
        "revisions": f"{HERE}/revisions",
        "diff": f"{HERE}/diff",
        "review": f"{HERE}/review",
        "page": "/studies/{id}",
    },
    filters=COMMON,
    making_body=body(),
    changing_body=body(),
    check=check,
    listed=listed,
)
REVIEW_BODY: dict[str, Any] = {
    "required": True,
    "description": "A step of the review.",
    "content": {
        JSON: {
            "schema": ReviewBody.model_json_schema(),
            "examples": {"send": {"summary": "Send for review", "value": {"move": "send", "note": "Ready"}}},
        }
    },
}

router: APIRouter = shelf_router(STUDIES)


@router.get(
    "/{id}/review",
    name="read_study_review",
    summary="Read the review of a study",
    description="State of the newest revision, the approved baseline and every step.",
    responses=reading(StudyReview, "The review."),
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_review(id: Id, request: Request, found: ServicesDep) -> Response:
    saved = STUDIES.find(found, id)
    content = review_answer(found.reviews.of(saved.kind, id))
    return conditional(request, content_etag(content), lambda: (content, {}), cache_control=PRIVATE)


@router.post(
    "/{id}/review",
    name="move_study_review",
    summary="Send a study for review, withdraw, return or approve it",
    description="The newest revision changes its state; If-Match says which one was looked at. An approved revision is "
    "locked: saving a change makes a new draft. Approving and returning need the role owner.",
    responses={
        200: {"model": StudyReview, "description": "The review as it is now."},
        **problem_answers(*dict.fromkeys((*CHANGING, FORBIDDEN, *body_problems(INVALID_STUDY)))),
    },
    openapi_extra={"requestBody": REVIEW_BODY, "parameters": [IF_MATCH]},
    dependencies=[only()],
)
async def move_review(id: Id, request: Request, body: BodyDep, found: ServicesDep) -> Response:
    return await in_a_worker(found, _move, found, id, request, body)


def _move(found: Services, id: str, request: Request, body: Body) -> Response:
    saved = STUDIES.find(found, id)
    read = read_body(body, found.limits)
    with STUDIES.faults(found.limits):
        wanted = build_document(ReviewBody, read.values, read.positions)
        seen = required_precondition(request)
        seen.check(saved.etag, yaml_etag(saved))
        version = None if seen.anything else saved.version
        review = found.reviews.move(saved.kind, id, wanted.move, version=version, note=wanted.note)
    return Response(json_bytes(review_answer(review)), headers={"cache-control": PRIVATE}, media_type=JSON)


def review_answer(review: Review) -> dict[str, Any]:
    """A review as an answer."""
    return {
        "revision": review.revision,
        "state": review.state,
        "baseline": _step(review.baseline) if review.baseline else None,
        "steps": [_step(one) for one in review.steps],
        "moves": list(review.moves),
        "waits_for": review.waits_for,
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "revision": step.revision,
        "state": step.state,
        "by": step.by,
        "at": time_text(step.at),
        "note": step.note,
    }
