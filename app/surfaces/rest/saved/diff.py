"""Differences between two revisions: fields and figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from app.saved.diff import input_changes, result_changes
from app.saved.records import Revision, Saved
from app.scenarios.errors import shorten
from app.scenarios.load import build_scenario
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import IF_NONE_MATCH, query_parameter
from app.surfaces.rest.parameters import given_parameters, only, parameter_problem
from app.surfaces.rest.problem_types import INVALID_SCENARIO, TOO_BUSY, TOOK_TOO_LONG
from app.surfaces.rest.saved.answers import DiffAnswer, change_answers
from app.surfaces.rest.saved.declared import Id, reading
from app.surfaces.rest.saved.saving import PRIVATE
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services, ServicesDep

WHOLE = {"type": "integer", "minimum": 1, "maximum": 1_000_000_000}
FROM = query_parameter("from", "A revision; without it the one before that of to.", WHOLE)
NOW = "now"


def add_diff(router: APIRouter, shelf: Shelf) -> None:
    """The comparison of two revisions."""
    computed = "scenario" in shelf.kinds
    has_figures = computed or "projection" in shelf.kinds
    to = query_parameter(
        "to",
        "A revision; without it the newest."
        + (" now: the newest, evaluated with today's catalog and engine." if computed else ""),
        {"anyOf": [WHOLE, {"type": "string", "const": NOW}]} if computed else WHOLE,
    )

    @router.get(
        "/{id}/diff",
        name=f"diff_{shelf.one}",
        summary=f"Compare two revisions of a {shelf.one}",
        description="Fields of the document that differ, defaults counted as stated"
        + (
            ", and every figure that differs. Figures are those computed at each save."
            if has_figures
            else "."
        ),
        responses=reading(
            DiffAnswer, "Differences.", also=(INVALID_SCENARIO, TOO_BUSY, TOOK_TOO_LONG) if computed else ()
        ),
        openapi_extra={"parameters": [FROM, to, IF_NONE_MATCH]},
        dependencies=[only("from", "to")],
    )
    async def diff(id: Id, request: Request, found: ServicesDep) -> Response:
        given = given_parameters(request)
        return await found.workers.run(_diff, shelf, found, id, given, request)


def _diff(shelf: Shelf, found: Services, id: str, given: Mapping[str, str], request: Request) -> Response:
    saved = shelf.find(found, id)
    now = saved.kind == "scenario" and given.get("to") == NOW
    last = saved.revision if now else _number(given, "to", saved.revision)
    first = _number(given, "from", saved.revision if now else max(1, last - 1))
    before = found.saved.revision(saved.kind, id, first)
    after = found.saved.revision(saved.kind, id, last)
    content: dict[str, Any] = {"before": _side(before), "after": _side(after), "results": []}
    content["inputs"] = change_answers(input_changes(before.document, after.document))
    if saved.kind == "scenario":
        figures = _today(found, saved) if now else found.saved.results(id, last)
        content["results"] = change_answers(result_changes(found.saved.results(id, first), figures))
        if now:
            content["after"] |= {
                name: figures["provenance"][name] for name in ("engine_version", "catalog_revision")
            }
    if saved.kind == "projection":
        figures, earlier = (found.saved.projection(id, number) for number in (last, first))
        content["results"] = change_answers(result_changes(earlier, figures))
    return conditional(request, content_etag(content), lambda: (content, {}), cache_control=PRIVATE)


def _today(found: Services, saved: Saved) -> dict[str, Any]:
    return found.evaluated(build_scenario(saved.document), saved).as_json


def _side(revision: Revision) -> dict[str, Any]:
    names = ("revision", "engine_version", "catalog_revision")
    return {name: getattr(revision, name) for name in names}


def _number(given: Mapping[str, str], name: str, usual: int) -> int:
    text = given.get(name)
    if text is None:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) <= 10 and 1 <= int(text) <= 1_000_000_000):
        message = f"{shorten(text)} is not the number of a revision."
        raise parameter_problem(name, "range", message, "Revisions are counted from 1.")
    return int(text)
