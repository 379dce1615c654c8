"""Parts common to route declarations: problem answers, request bodies and the examples in them."""

from __future__ import annotations

import functools
from typing import Any

from app.scenarios.examples import list_examples
from app.scenarios.reading.yaml_text import read_yaml
from app.surfaces.rest.bodies import JSON
from app.surfaces.rest.problem_types import (
    BODY_TOO_LARGE,
    MALFORMED_BODY,
    TOOK_TOO_LONG,
    UNSUPPORTED_MEDIA_TYPE,
    ProblemType,
)
from app.surfaces.rest.problems import PROBLEM_JSON

OF_A_BODY = (MALFORMED_BODY, BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, TOOK_TOO_LONG)
RETRY_AFTER = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
ETAG = {"ETag": {"description": "Hash of all inputs of the answer.", "schema": {"type": "string"}}}
HEADERS_OF = {409: RETRY_AFTER, 412: ETAG, 429: RETRY_AFTER, 503: RETRY_AFTER}
"""What problems of a status carry."""
NOT_MODIFIED: dict[str, Any] = {"description": "The caller has this answer already.", "headers": ETAG}


def query_parameter(name: str, description: str, schema: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A declared parameter of the address that may be left out."""
    return _parameter("query", name, description, schema) | more


def header_parameter(name: str, description: str, schema: dict[str, Any] | None = None) -> dict[str, Any]:
    """A declared header that may be left out."""
    return _parameter("header", name, description, schema or {"type": "string"})


def _parameter(place: str, name: str, description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": place, "required": False, "description": description, "schema": schema}


IF_NONE_MATCH = header_parameter("If-None-Match", "ETags of answers that the caller has.")


def problem_answers(*kinds: ProblemType) -> dict[int | str, dict[str, Any]]:
    """Declared answers for these problems; several of one status share one."""
    found: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        words = found[kind.status]["description"] + ", or: " if kind.status in found else ""
        found[kind.status] = {
            "description": f"{words}{kind.title}",
            "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
            **({"headers": HEADERS_OF[kind.status]} if kind.status in HEADERS_OF else {}),
        }
    return found


def json_answer(reference: str, description: str, *, headers: dict[str, Any] | None = None) -> dict[str, Any]:
    """A declared JSON answer by the name of its schema."""
    content = {JSON: {"schema": {"$ref": f"#/components/schemas/{reference}"}}}
    return {"description": description, "content": content, **({"headers": headers} if headers else {})}


def scenario_body() -> dict[str, Any]:
    """A scenario as request body, with every worked example to try."""
    reference = {"$ref": "#/components/schemas/ScenarioDocument"}
    return {
        "required": True,
        "description": "A scenario, schema version 1.",
        "content": {
            JSON: {
                "schema": reference,
                "examples": {key: {"$ref": f"#/components/examples/{key}"} for key in example_scenarios()},
            },
        },
    }


@functools.cache
def example_scenarios() -> dict[str, Any]:
    """The worked examples as they are written, by key."""
    found = {}
    for example in list_examples():
        values = read_yaml(example.path.read_text("utf-8")).values
        found[example.key] = {"summary": values["name"], "value": values}
    return found
