"""The units of each request: from the cookie of the browser, else from the account; base units for files and
REST."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from app.charts.unit_choice import BASE, Units, choose_units, read_units
from app.surfaces.pages.units.rates import rate_of
from app.teams.asking import Asking

UNITS_COOKIE = "podwright-units"
IN_BASE_UNITS = ("/api/", "/static/", "/studio/export/")


class ChosenUnits:
    """Sets the units before a page is made. Every request sets them, so that none has those of another."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            units = units_of(scope)
            choose_units(units, rate_of(units))
        await self.app(scope, receive, send)


def units_of(scope: Scope) -> Units:
    """Units of one request."""
    path: str = scope["path"]
    if path.startswith(IN_BASE_UNITS) or path.endswith("/file") or "/export/" in path:
        return BASE
    cookies = cookie_parser(Headers(scope=scope).get("cookie", ""))
    if UNITS_COOKIE in cookies:
        return read_units(cookies[UNITS_COOKIE])
    asking: Asking = scope.get("state", {}).get("asking", Asking())
    return read_units(asking.units)
