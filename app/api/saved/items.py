"""One thing that is saved: read, duplicated, and brought back when it was deleted."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from app.api.accept import prefers_yaml
from app.api.bodies import YAML
from app.api.conditional import conditional, is_known
from app.api.documented import IF_NONE_MATCH, problem_answers
from app.api.idempotency import IDEMPOTENCY_KEY
from app.api.parameters import only, parameter_fault
from app.api.problem_types import FORBIDDEN
from app.api.saved.declared import CONFLICT, NAME, OWN_PRICES, WRITING, Id, making, reading, restoring
from app.api.saved.filters import flag
from app.api.saved.saving import PRIVATE, Once, changed, conflicts_of, in_a_worker, made, yaml_etag
from app.api.saved.shelf import Shelf
from app.api.services import Services, ServicesDep
from app.scenarios.document import OWN_ROWS
from app.scenarios.errors import ScenarioError
from app.scenarios.saved.records import Saved
from app.scenarios.team_catalog.own_rows import OwnRows
from app.scenarios.team_catalog.received import Conflicts, Received
from app.scenarios.write_yaml import write_yaml


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
