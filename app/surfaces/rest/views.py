"""The views of rooms as operations: a scenario and options in, a report out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, Response

from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked, options_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import REFERENCE, answer_shapes, request_shapes, with_unknown
from app.views.plain import report_json
from app.views.view import ALL, View

OF_DESIGNS = ("Problem", "Fix", "Suggestion")
"""Parts of a problem of a design, which the API describes once, as DesignProblem."""


def add_view(router: APIRouter, view: View[Any, Any]) -> None:
    """Let a view be asked for at its name."""

    async def ask(body: BodyDep, found: ServicesDep) -> Response:
        return await found.workers.run(_answer, view, body, found)

    router.add_api_route(
        f"/{view.name}",
        ask,
        methods=["POST"],
        name=view.operation,
        summary=view.summary,
        description=view.description,
        responses={200: json_answer(view.schema, view.answers), **PROBLEMS},
        openapi_extra=options_body(view.request, view.asks, **view.example),
        dependencies=[only()],
    )


def _answer(view: View[Any, Any], body: Body, found: Services) -> Response:
    options, scenario = asked(view.options, body, found)
    report = view.report(view.answer(scenario, found.catalog(), options))
    return json_response(report_json(report))


def view_schemas(views: Iterable[View[Any, Any]]) -> dict[str, Any]:
    """JSON Schemas of requests and answers, by name."""
    found: dict[str, Any] = {}
    for view in views:
        shapes = answer_shapes(view.schema, view.report_type)
        if view.problems:
            shapes[view.schema]["properties"]["problems"]["items"] = {
                "$ref": REFERENCE.format(model="DesignProblem")
            }
            shapes = {name: shape for name, shape in shapes.items() if name not in OF_DESIGNS}
        found |= {
            name: with_unknown(shape, view.known) if view.unknown == ALL or name in view.unknown else shape
            for name, shape in shapes.items()
        }
        found |= request_shapes(view.request, view.options)
    return found
