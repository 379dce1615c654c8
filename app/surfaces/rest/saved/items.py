"""One thing that is saved: read, duplicated, and brought back when it was deleted."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from app.saved.records import Saved
from app.saved.team_catalog.own_rows import OwnRows
from app.saved.team_catalog.received import Conflicts, Received
from app.scenarios.document.scenario import OWN_ROWS
from app.scenarios.errors import ScenarioError
from app.scenarios.reading.write_yaml import write_yaml
from app.surfaces.rest.accept import prefers_yaml
from app.surfaces.rest.bodies import YAML
from app.surfaces.rest.conditional import conditional, is_known
from app.surfaces.rest.documented import IF_NONE_MATCH, problem_answers
from app.surfaces.rest.idempotency import IDEMPOTENCY_KEY
from app.surfaces.rest.parameters import only, parameter_fault
from app.surfaces.rest.problem_types import FORBIDDEN
from app.surfaces.rest.saved.declared import (
    CONFLICT,
    NAME,
    OWN_PRICES,
    WRITING,
    Id,
    making,
    reading,
    restoring,
)
from app.surfaces.rest.saved.filters import flag
from app.surfaces.rest.saved.saving import PRIVATE, Once, changed, conflicts_of, in_a_worker, made, yaml_etag
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services, ServicesDep


def add_items(router: APIRouter, shelf: Shelf) -> None:
    """What can be done with one thing on a shelf without changing it, and bringing it back."""
    of_own_rows = [OWN_PRICES, CONFLICT] if "scenario" in shelf.kinds else []
    read_answers = reading(shelf.answer, f"The {shelf.one}; as YAML only its document.")
    read_answers[200]["content"] = {YAML: {"schema": {"type": "string", "description": "The document."}}}

    @router.get(
        "/{id}",
        name=f"read_{shelf.one}",
        summary=f"Read a saved {shelf.one}",
        description="The newest revision. With `Accept: application/yaml` the answer is its document alone, "
        f"ready to be sent again. The ETag is what a change of the {shelf.one} needs as If-Match.",
        responses=read_answers,
        openapi_extra={"parameters": [IF_NONE_MATCH]},
        dependencies=[only()],
    )
    def read(id: Id, request: Request, found: ServicesDep) -> Response:
        saved = shelf.find(found, id)
        if prefers_yaml(request.headers.get("accept", "")):
            return _document(request, saved)
        return conditional(
            request, saved.etag, lambda: (shelf.answer_of(saved), {"vary": "accept"}), cache_control=PRIVATE
        )

    @router.post(
        "/{id}/duplicate",
        name=f"duplicate_{shelf.one}",
        status_code=201,
        summary=f"Duplicate a saved {shelf.one}",
        description="The newest revision becomes revision 1 of a new one, which knows where it comes from. "
        "It is made in the workspace that is asked for, wherever the original is; designs that this workspace does "
        "not have are written out in it, own rows of the catalog that it rests on are added to that of the workspace, and "
        "its note says so. No body is read.",
        responses=making(shelf.answer, "The duplicate."),
        openapi_extra={"parameters": [NAME, *of_own_rows, IDEMPOTENCY_KEY]},
        dependencies=[only("name", *(one["name"] for one in of_own_rows))],
    )
    async def duplicate(id: Id, request: Request, found: ServicesDep) -> Response:
        given = request.query_params
        conflicts = conflicts_of(given.get("conflicts", "refuse"))
        prices = bool(flag(given, "own_prices"))
        return await in_a_worker(
            found, _duplicate, shelf, found, id, Once.of(request), given.get("name"), prices, conflicts
        )

    @router.post(
        "/{id}/restore",
        name=f"restore_{shelf.one}",
        summary=f"Bring a deleted {shelf.one} back",
        description="As it was when it was deleted, all its revisions included. What was not deleted stays as "
        "it is. No body is read.",
        responses=restoring(shelf.answer, f"The {shelf.one}."),
        dependencies=[only()],
    )
    def restore(id: Id, found: ServicesDep) -> Response:
        deleted = shelf.find(found, id, deleted=True)
        return changed(shelf, found.saved.restore(deleted.kind, id))

    @router.post(
        "/{id}/erase",
        name=f"erase_{shelf.one}",
        status_code=204,
        summary=f"Delete a {shelf.one} for good",
        description=f"A {shelf.one} that was deleted goes with its revisions, comments, tags, links and shares; "
        "only a backup brings it back. It needs the role owner, and is refused while other saved work names it. "
        "No body is read.",
        responses={
            204: {"description": "It is gone."},
            **problem_answers(*dict.fromkeys((*WRITING, FORBIDDEN, shelf.invalid))),
        },
        dependencies=[only()],
    )
    def erase(id: Id, found: ServicesDep) -> Response:
        saved = shelf.find(found, id, deleted=True)
        with shelf.faults(found.limits):
            found.saved.erase(saved.kind, id)
        return Response(status_code=204)


def _document(request: Request, saved: Saved) -> Response:
    headers = {"etag": yaml_etag(saved), "cache-control": PRIVATE, "vary": "accept"}
    if is_known(request, headers["etag"]):
        return Response(status_code=304, headers=headers)
    return Response(write_yaml(saved.document), headers=headers, media_type=YAML)


def _duplicate(
    shelf: Shelf,
    found: Services,
    id: str,
    once: Once,
    name: str | None,
    own_prices: bool,
    conflicts: Conflicts,
) -> Response:
    def receive(rows: OwnRows, document: dict[str, Any]) -> Received:
        return found.team_catalog.receive(rows, document, conflicts=conflicts)

    def work() -> Saved:
        source = shelf.find(found, id)
        try:
            return found.saved.duplicate(source.kind, id, name=name, receive=receive, own_prices=own_prices)
        except ScenarioError as error:
            fault = error.errors[0]
            parameter = "workspace" if fault.path == "workspace" else "name"
            parameter = "conflicts" if fault.path.startswith(OWN_ROWS) else parameter
            raise parameter_fault(parameter, fault) from None

    return made(shelf, *once.done(found, work))
