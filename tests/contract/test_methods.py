"""Methods that an address does not have, and headers that a change needs."""

from __future__ import annotations

import re

import pytest

from app.settings import Settings
from tests.access.routes import routes_of
from tests.asgi import AsgiClient
from tests.support import described_api

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "FOO"}
VALUES = {"kind": "accelerators", "format": "yaml", "number": "1"}
PATHS = described_api()["paths"]


def filled(path: str) -> str:
    return re.sub(r"\{(\w+)(?::\w+)?\}", lambda found: VALUES.get(found[1], "a" * 32), path)


def allowed(answer) -> set[str]:
    return {method.strip() for method in answer.headers["allow"].split(",")} - {"HEAD"}


@pytest.mark.parametrize("path", PATHS)
def test_what_is_not_described_is_405_with_what_is(reading_client: AsgiClient, path: str) -> None:
    described = {method.upper() for method in PATHS[path]}
    for method in sorted(METHODS - described):
        answer = reading_client.request(method, filled(path))
        if method == "HEAD" and answer.status_code == 200:
            continue
        assert answer.status_code == 405, method
        assert allowed(answer) == described
        assert answer.headers["content-type"] == "application/problem+json"


def test_every_page_says_what_it_allows(reading_client: AsgiClient, own_settings) -> None:
    from app.main import create_app

    methods: dict[str, set[str]] = {}
    for route in routes_of(create_app(Settings(data_dir=own_settings))):
        method, path = route.split(" ", 1)
        methods.setdefault(filled(path), set()).add(method)
    for path, here in methods.items():
        answer = reading_client.request("FOO", path)
        assert answer.status_code == 405, path
        assert allowed(answer) >= here - {"HEAD"}, path
        assert "FOO" not in allowed(answer)


NEED_IF_MATCH = [
    (method.upper(), path)
    for path, item in PATHS.items()
    for method, operation in item.items()
    if any(one["name"] == "If-Match" and one["required"] for one in operation.get("parameters", ()))
]


assert len(NEED_IF_MATCH) > 10


@pytest.mark.parametrize(("method", "path"), NEED_IF_MATCH)
def test_a_change_without_if_match_is_not_made(reading_client: AsgiClient, method: str, path: str) -> None:
    """Of what is not there it is 404, before anything else is asked; of a body that cannot be read, 400."""
    assert reading_client.request(method, filled(path)).status_code in (404, 415, 428)
