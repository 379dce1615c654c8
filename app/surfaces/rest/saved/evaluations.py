"""Figures of saved scenarios: at the save, today, and the changes in between."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from app.scenarios.load import build_scenario
from app.surfaces.rest.conditional import conditional, content_etag, etag
from app.surfaces.rest.documented import IF_NONE_MATCH, json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import INVALID_SCENARIO, TOO_BUSY, TOOK_TOO_LONG
from app.surfaces.rest.saved.answers import MovedAnswer, change_answers
from app.surfaces.rest.saved.declared import Id, Number, Responses, reading
from app.surfaces.rest.saved.items import FOR_EVER
from app.surfaces.rest.saved.saving import PRIVATE
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services, ServicesDep

COMPUTED = (INVALID_SCENARIO, TOO_BUSY, TOOK_TOO_LONG)


def add_evaluations(router: APIRouter, shelf: Shelf) -> None:
    """Figures of saved scenarios."""

    @router.get(
        "/{id}/evaluation",
        name="evaluate_saved_scenario",
        summary="Evaluate a saved scenario today",
        description="The newest revision with today's catalog and engine; saved designs that it names as they "
        "are today.",
        responses=_evaluation("Every figure; unknown ones are null."),
        openapi_extra={"parameters": [IF_NONE_MATCH]},
        dependencies=[only()],
    )
    async def today(id: Id, request: Request, found: ServicesDep) -> Response:
        return await found.workers.run(_today, shelf, found, id, request)

    @router.get(
        "/{id}/revisions/{number}/evaluation",
        name="read_revision_evaluation",
        summary="Read the evaluation of a revision",
        description="Every figure as it was computed when the revision was saved; nothing is recomputed.",
        responses=_evaluation("Every figure as it was; unknown ones are null."),
        openapi_extra={"parameters": [IF_NONE_MATCH]},
        dependencies=[only()],
    )
    async def then(id: Id, number: Number, request: Request, found: ServicesDep) -> Response:
        return await found.workers.run(_then, shelf, found, id, number, request)

    @router.get(
        "/{id}/revisions/{number}/moved",
        name="read_moved",
        summary="Changes since a revision",
        description="Values of the catalog that are others today than when the revision was saved, designs "
        "that were changed since, and figures that today's engine computes otherwise from the values of then.",
        responses=reading(MovedAnswer, "Changes.", also=COMPUTED),
        openapi_extra={"parameters": [IF_NONE_MATCH]},
        dependencies=[only()],
    )
    async def moved(id: Id, number: Number, request: Request, found: ServicesDep) -> Response:
        return await found.workers.run(_moved, shelf, found, id, number, request)


def _evaluation(description: str) -> Responses:
    answers = reading(None, description, also=COMPUTED)
    answers[200] |= {"content": json_answer("Evaluation", description)["content"]}
    return answers


def _today(shelf: Shelf, found: Services, id: str, request: Request) -> Response:
    saved = shelf.find(found, id)
    content = found.evaluated(build_scenario(saved.document), saved).as_json
    tag = etag(content["provenance"]["inputs_hash"])
    return conditional(request, tag, lambda: (content, {}), cache_control=PRIVATE)


def _then(shelf: Shelf, found: Services, id: str, number: int, request: Request) -> Response:
    shelf.find(found, id, number=number)
    content = found.saved.results(id, number)
    return conditional(request, content_etag(content), lambda: (content, {}), cache_control=FOR_EVER)


def _moved(shelf: Shelf, found: Services, id: str, number: int, request: Request) -> Response:
    shelf.find(found, id, number=number)
    reopened = found.saved.reopened(id, number)
    content = {
        "revision": number,
        "catalog": change_answers(reopened.moved),
        "engine": change_answers(reopened.engine_moved),
        "from_today": list(reopened.from_today),
    }
    return conditional(request, content_etag(content), lambda: (content, {}), cache_control=PRIVATE)
