"""An empty query parameter is held to its schema, at every operation: what chance finds seldom, tried each time."""

from __future__ import annotations

import re

import pytest

from app.surfaces.rest.saved.declared import EXAMPLE_ID
from tests.contract.test_schemathesis import app, client, keep_examples_saved, roles, saved, settings
from tests.support import described_api

__all__ = ["app", "client", "roles", "saved", "settings"]  # as fixtures


def refuses_empty(schema: dict) -> bool:
    """Whether an empty text is against the schema of a query parameter."""
    if "anyOf" in schema:
        return all(refuses_empty(one) for one in schema["anyOf"])
    if schema.get("type") in ("integer", "number", "boolean"):
        return True
    return (
        "" not in schema.get("enum", [""])
        or schema.get("minLength", 0) > 0
        or ("pattern" in schema and re.search(schema["pattern"], "") is None)
    )


CASES = [
    pytest.param(method, path, parameter["name"], id=f"{method.upper()} {path} {parameter['name']}")
    for path, item in described_api()["paths"].items()
    for method, operation in item.items()
    for parameter in operation.get("parameters", [])
    if parameter["in"] == "query" and refuses_empty(parameter["schema"])
]


@pytest.mark.parametrize(("method", "path", "name"), CASES)
def test_an_empty_value_is_refused_where_the_schema_has_none(client, roles, saved, method, path, name):
    filled = re.sub(r"\{[^}]+\}", "1", path.replace("{id}", EXAMPLE_ID))
    keep_examples_saved(saved)
    answer = client.request(method, filled, params={name: ""}, headers=roles["owner"])
    assert 400 <= answer.status_code < 500, f"{answer.status_code}: {answer.text[:200]}"
