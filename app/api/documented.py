"""What route declarations share: problem answers, request bodies and the examples in them."""

from __future__ import annotations

import functools
from typing import Any

from app.api.bodies import JSON, YAML
from app.api.problems import (
    BODY_TOO_LARGE,
    MALFORMED_BODY,
    PROBLEM_JSON,
    TOOK_TOO_LONG,
    UNSUPPORTED_MEDIA_TYPE,
    ProblemType,
)
from app.scenarios.examples import list_examples
from app.scenarios.yaml_text import read_yaml

OF_A_BODY = (MALFORMED_BODY, BODY_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, TOOK_TOO_LONG)
RETRY_AFTER = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
ETAG = {"ETag": {"description": "Of what the answer depends on.", "schema": {"type": "string"}}}
NOT_MODIFIED: dict[str, Any] = {"description": "The caller has this answer already.", "headers": ETAG}
IF_NONE_MATCH: dict[str, Any] = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "description": "ETags of answers that the caller has.",
    "schema": {"type": "string"},
}


def problem_answers(*kinds: ProblemType) -> dict[int | str, dict[str, Any]]:
    """Declared answers for these problems; several of one status share one."""
    found: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        words = found[kind.status]["description"] + ", or: " if kind.status in found else ""
        found[kind.status] = {
            "description": f"{words}{kind.title}",
            "content": {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problem"}}},
            **({"headers": RETRY_AFTER} if kind.status == 503 else {}),
        }
    return found


def json_answer(reference: str, description: str, *, headers: dict[str, Any] | None = None) -> dict[str, Any]:
    """A declared JSON answer by the name of its schema."""
    content = {JSON: {"schema": {"$ref": f"#/components/schemas/{reference}"}}}
    return {"description": description, "content": content, **({"headers": headers} if headers else {})}


def scenario_body() -> dict[str, Any]:
    """A scenario as request body, with every worked example to try."""
    reference = {"$ref": "#/components/schemas/ScenarioDocument"}
    first = list_examples()[0]
    return {
        "required": True,
        "description": "A scenario, schema version 1.",
        "content": {
            JSON: {
                "schema": reference,
                "examples": {key: {"$ref": f"#/components/examples/{key}"} for key in example_scenarios()},
            },
            YAML: {
                "schema": reference,
                "examples": {first.key: {"summary": "As YAML", "value": first.path.read_text("utf-8")}},
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
