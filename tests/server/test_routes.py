"""What a request is called in logs and counts: its route, never what stands in the address."""

from __future__ import annotations

import pytest
from starlette.routing import Route

from app.server.routes import UNMATCHED, route_of


def scope(path: str, pattern: str | None) -> dict:
    if pattern is None:
        return {"path": path}
    return {"path": path, "route": Route(pattern, endpoint=lambda _: None)}


@pytest.mark.parametrize(
    ("path", "pattern", "called"),
    [
        ("/healthz", "/healthz", "/healthz"),
        ("/designs/secret", "/designs/{key}", "/designs/{key}"),
        ("/designs/a/explain/b.c/d", "/designs/{key}/explain/{path:path}", "/designs/{key}/explain/{path}"),
        ("/api/v1/parts/secret", "/parts/{id}", "/api/v1/parts/{id}"),
        ("/api/v1/parts", "/parts", "/api/v1/parts"),
        ("/static/abc/js/a.js", "/static/{version}/{path:path}", "/static/{version}/{path}"),
        ("/parts/parts", "/parts/{id}", "/parts/{id}"),
        ("/nowhere/secret", None, UNMATCHED),
        ("/elsewhere", "/designs/{key}", UNMATCHED),
    ],
)
def test_a_request_is_called_after_its_route(path, pattern, called):
    assert route_of(scope(path, pattern)) == called
