"""Reference for writing a scenario: its schema, and worked examples."""

from __future__ import annotations

import functools
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from app.likeness import nearest_names
from app.scenarios.document.scenario import scenario_schema
from app.scenarios.errors import shorten
from app.scenarios.examples import Example, example, list_examples
from app.surfaces.rest.bodies import JSON, YAML
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.conditional import conditional, content_etag, etag, is_known, prefers_yaml
from app.surfaces.rest.documented import ETAG, IF_NONE_MATCH, NOT_MODIFIED, json_answer, problem_answers
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import INVALID_PARAMETER, NOT_FOUND
from app.surfaces.rest.problems import ProblemError

router = APIRouter()

SCHEMA_JSON = "application/schema+json"
BASE = "/api/v1/examples"
ExampleKey = Annotated[str, Path(description="As /examples lists them.", examples=[list_examples()[0].key])]
ANSWERS: dict[int | str, dict[str, Any]] = {304: NOT_MODIFIED, **problem_answers(INVALID_PARAMETER)}


class ExampleAnswer(Answer):
    """A worked example in short."""

    key: str
    name: str
    description: str
    illustrative: bool = Field(description="True for a design without published results.")
    href: str


class ExamplesAnswer(Answer):
    """All worked examples, in reading order."""

    items: list[ExampleAnswer]


@router.get(
    "/schemas/scenario",
    tags=["scenarios"],
    summary="Read the schema of a scenario",
    responses={
        200: {
            "description": "JSON Schema, draft 2020-12.",
            "content": {SCHEMA_JSON: {"schema": {"type": "object"}}},
            "headers": ETAG,
        },
        **ANSWERS,
    },
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_scenario_schema(request: Request) -> Response:
    """The JSON Schema of the scenario document: every field with its type, limits, default and meaning."""
    content = scenario_schema()
    return conditional(request, content_etag(content), lambda: (content, {}), SCHEMA_JSON)


@router.get(
    "/examples",
    tags=["scenarios"],
    summary="List the worked examples",
    response_model=ExamplesAnswer,
    response_description="Every example.",
    responses={200: {"headers": ETAG}, **ANSWERS},
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def list_examples_of_scenarios(request: Request) -> Response:
    """Worked examples, published runs first."""
    items = [_example_answer(one) for one in list_examples()]
    return conditional(request, content_etag(items), lambda: ({"items": items}, {}))


@router.get(
    "/examples/{key}",
    tags=["scenarios"],
    summary="Read a worked example",
    responses={
        200: {
            **json_answer("ScenarioDocument", "The scenario, every field stated.", headers=ETAG),
            "content": {
                JSON: {"schema": {"$ref": "#/components/schemas/ScenarioDocument"}},
                YAML: {"schema": {"type": "string", "description": "As it was written, with comments."}},
            },
        },
        **ANSWERS,
        **problem_answers(NOT_FOUND),
    },
    openapi_extra={"parameters": [IF_NONE_MATCH]},
    dependencies=[only()],
)
def read_example(key: ExampleKey, request: Request) -> Response:
    """A scenario that can be posted as it is: JSON with every default written out, or with
    `Accept: application/yaml` the file itself.
    """
    try:
        found = example(key)
    except KeyError:
        keys = [one.key for one in list_examples()]
        detail = f"There is no example {shorten(key)}. Nearest: {nearest_names(key[:80], keys)}."
        raise ProblemError(NOT_FOUND, detail) from None
    text = found.path.read_text(encoding="utf-8")
    wanted = "yaml" if prefers_yaml(request.headers.get("accept", "")) else "json"
    tag = etag(wanted, text)
    if wanted == "json":
        return conditional(request, tag, lambda: (found.read().as_dict(), {"vary": "accept"}))
    headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept"}
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    return Response(text, headers=headers, media_type=YAML)


@functools.cache
def _example_answer(found: Example) -> dict[str, Any]:
    document = found.read()
    return {
        "key": found.key,
        "name": document.name,
        "description": document.description,
        "illustrative": document.illustrative,
        "href": f"{BASE}/{found.key}",
    }
