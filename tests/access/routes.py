"""Every route of the application, so that none is forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.routing import Mount


def routes_of(app: FastAPI, prefix: str = "") -> Iterator[str]:
    """`METHOD /path` of each, those of mounted applications too."""
    app.state.on_demand.load()
    for context in iter_route_contexts(app.routes):
        for method in sorted(getattr(context, "methods", None) or ()):
            if method != "HEAD":
                yield f"{method} {prefix}{context.path}"
    for route in app.routes:
        if isinstance(route, Mount) and isinstance(route.app, FastAPI):
            yield from routes_of(route.app, prefix + route.path)
