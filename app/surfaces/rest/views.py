"""The views of rooms as operations: scenarios and options in, a report out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse

from app.surfaces.files.file_name import content_disposition
from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import example_scenarios, json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.saved.saving import PRIVATE
from app.surfaces.rest.scenario_requests import PROBLEMS, asked_of, examples_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import REFERENCE, answer_shapes, request_shapes, with_unknown
from app.views.plain import report_json
from app.views.view import ALL, File, Resources, View

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
        response_class=Response,
        responses={200: _declared(view), **PROBLEMS},
        openapi_extra=examples_body(view.request_schema, view.asks, _examples(view)),
        dependencies=[only()],
    )


def _declared(view: View[Any, Any]) -> dict[str, Any]:
    """The answer with the forms that it may be sent in."""
    found = json_answer(view.schema, view.answers)
    found["content"] |= {
        file.format.media_type.partition(";")[0]: {"schema": {"type": "string"}}
        for file in view.files
        if file.sent_as is not None
    }
    return found


def _examples(view: View[Any, Any]) -> dict[str, Any]:
    design = view.example_design
    scenario = example_scenarios()[design.of]["value"]
    changed = {**scenario, **design.changes}
    scenarios = (scenario, changed) if len(view.scenarios) > 1 else (changed,)
    value = {**dict(zip(view.scenarios, scenarios, strict=True)), **view.example}
    return {design.name or design.of: {"summary": design.title, "value": value}}


def example_of(view: View[Any, Any]) -> dict[str, Any]:
    """The body that the documentation shows."""
    (example,) = _examples(view).values()
    value: dict[str, Any] = example["value"]
    return value


def _answer(view: View[Any, Any], body: Body, found: Services) -> Response:
    options, scenarios = asked_of(view.options, body, found, view.scenarios)
    resources = Resources(catalog=found.catalog(), evaluated=found.evaluated, searches=found.searches)
    answer = view.answer(*scenarios, resources, options)
    for file in view.files:
        if file.sent_as is not None and file.name == getattr(options, "format", None):
            return file_response(file, answer)
    return json_response(report_json(view.report(answer)))


def file_response(file: File[Any], answer: Any) -> Response:
    """A form of an answer as a download."""
    headers = {
        "cache-control": PRIVATE,
        "content-disposition": content_disposition(f"{answer.name} {file.sent_as}", file.format.suffix),
    }
    content = file.format.write(answer)
    if isinstance(content, bytes):
        return Response(content, headers=headers, media_type=file.format.media_type)
    return StreamingResponse(content, headers=headers, media_type=file.format.media_type)


def view_schemas(views: Iterable[View[Any, Any]]) -> dict[str, Any]:
    """JSON Schemas of requests and answers, by name."""
    found: dict[str, Any] = {}
    for view in views:
        shapes = answer_shapes(view.schema, view.report_type, view.names)
        if view.problems:
            shapes[view.schema]["properties"]["problems"]["items"] = {
                "$ref": REFERENCE.format(model="DesignProblem")
            }
            shapes = {name: shape for name, shape in shapes.items() if name not in OF_DESIGNS}
        found |= {
            name: with_unknown(shape, view.known) if view.unknown == ALL or name in view.unknown else shape
            for name, shape in shapes.items()
        }
        found |= request_shapes(view.request_schema, view.options, view.scenarios)
    return found
