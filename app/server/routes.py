"""Which route a request went to, without what its address holds: keys, links and tokens stay out of logs."""

from __future__ import annotations

import re

from starlette.applications import Starlette
from starlette.routing import Match
from starlette.types import Scope

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
UNMATCHED = "unmatched"
ROUTED = "podwright.route"
"""Of a scope: the route as another process found it."""


def route_of(scope: Scope) -> str:
    """The address as the route writes it, such as `/designs/{key}`; known once a route has been found.

    A route does not know below which prefix it was included, but its pattern ends where the address ends.
    """
    if ROUTED in scope:
        return str(scope[ROUTED])
    route = scope.get("route")
    pattern, words = getattr(route, "path_regex", None), getattr(route, "path_format", None)
    if pattern is None or words is None:
        return UNMATCHED
    found = re.search(pattern.pattern.removeprefix("^"), scope["path"])
    return f"{scope['path'][: found.start()]}{words}" if found else UNMATCHED


def allowed_methods(app: Starlette, scope: Scope) -> list[str]:
    """What may be done at an address: each of its methods is a route of its own, and one route knows no other."""
    return [
        method
        for method in METHODS
        if any(route.matches({**scope, "method": method})[0] is Match.FULL for route in app.routes)
    ]
