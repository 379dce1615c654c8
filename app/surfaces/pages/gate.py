"""The gate before every page: callers sign in, except at the addresses listed here."""

from __future__ import annotations

import ipaddress
from urllib.parse import quote, urlsplit

from fastapi import Request
from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.surfaces.pages.errors import error_response, wants_page
from app.teams.asking import Asking

OPEN = (
    "/healthz",
    "/readyz",
    "/metrics",
    "/openapi.json",
    "/docs",
    "/docs/problems",
    "/sign-in",
    "/favicon.ico",
)
OPEN_BELOW = ("/static/", "/sign-in/", "/invitations/", "/s/", "/api/")
"""What anybody may ask for. The API asks by itself, and answers in its own words."""

FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
ELSEWHERE = (
    "This server does not require sign-in, so it answers only this machine, under localhost or "
    "127.0.0.1. To serve others, set PODWRIGHT_SIGN_IN=required; docs/deploy.md says how."
)


class Gate:
    """Sends those who are not known to sign in; where no one must sign in, lets only this machine ask."""

    def __init__(self, app: ASGIApp, *, required: bool) -> None:
        self.app = app
        self._required = required

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        path: str = scope["path"]
        if not self._required and not _from_here(request.headers):
            await error_response(request, 421, ELSEWHERE)(scope, receive, send)
            return
        state = scope.get("state", {})
        asking: Asking = state.get("asking", Asking())
        if path in OPEN or path.startswith(OPEN_BELOW) or not asking.actor.is_nobody:
            await self.app(scope, receive, send)
        elif "unknown" in state:
            await error_response(request, 503, state["unknown"].message)(scope, receive, send)
        elif scope["method"] in ("GET", "HEAD") and wants_page(request):
            back = f"{path}?{request.url.query}" if request.url.query else path
            await RedirectResponse(f"/sign-in?next={quote(back, safe='/')}", 303)(scope, receive, send)
        else:
            detail = state.get("refusal", "Sign in, or send a token.")
            await error_response(request, 401, detail)(scope, receive, send)


def _from_here(headers: Headers) -> bool:
    """Return whether a browser or program of this machine asks, by one of its own names.

    Another name would mean that a page of another site was given our address to talk to, and a header
    of a proxy that someone elsewhere asks.
    """
    if any(name in headers for name in FORWARDED):
        return False
    host = urlsplit(f"//{headers.get('host', '')}").hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
