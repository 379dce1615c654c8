"""What tests of the API share: the flagship scenario as plain values, and what every problem must be."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from app.scenarios.examples import example
from app.scenarios.reading.yaml_text import read_yaml
from app.surfaces.rest.problem_types import PROBLEM_TYPES
from tests.asgi import AsgiClient
from tests.every_view import AnyView, address_of

FLAGSHIP = "llama_3_1_405b_on_2048_dgx_h100"
EVALUATIONS = "/api/v1/evaluations"


def flagship_text() -> str:
    return example(FLAGSHIP).path.read_text(encoding="utf-8")


@pytest.fixture
def scenario() -> dict[str, Any]:
    """The flagship scenario, to be changed at will."""
    return copy.deepcopy(read_yaml(flagship_text()).values)


@pytest.fixture
def post_text(asgi_client: AsgiClient) -> Callable[..., httpx.Response]:
    """Posts a text as an evaluation."""

    def post(text: str | bytes, kind: str = "application/yaml", path: str = EVALUATIONS) -> httpx.Response:
        return asgi_client.post(path, content=text, headers={"content-type": kind})

    return post


Ask = Callable[[AnyView, dict[str, Any]], Any]


@pytest.fixture
def ask(reading_client: AsgiClient) -> Ask:
    """Asks a view with a body; gives the answer."""

    def post(view: AnyView, body: dict[str, Any]) -> Any:
        answer = reading_client.post(address_of(view), json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    return post


def assert_problem(answer: httpx.Response, status: int, slug: str = "") -> dict[str, Any]:
    """A problem document of a known type, consistent with the answer it came in.

    What is invalid may be so by the schema or beyond it: tests/contract holds that apart.
    """
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    content: dict[str, Any] = answer.json()
    assert content["status"] == status
    assert content["type"] in {kind.uri for kind in PROBLEM_TYPES if kind.status == status}
    found = content["type"].rpartition("#")[2]
    assert not slug or found == slug or (slug.startswith("invalid-") and found == "beyond-schema")
    assert content["detail"]
    assert content["instance"] == answer.request.url.path
    assert content["request_id"] == answer.headers["x-request-id"]
    for error in content.get("errors", []):
        assert error["message"]
        assert error["code"]
        assert ("pointer" in error) != ("parameter" in error)
    return content
