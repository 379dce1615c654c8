"""`/metrics`, for those who may read it; to all others there is nothing at that address."""

from __future__ import annotations

import hmac
from urllib.parse import urlsplit

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from app.server.metrics import exposition
from app.settings import is_loopback

PATH = "/metrics"
ROUTE = Route(PATH, endpoint=lambda _: Response())  # what it is called in logs
PASSED_ON = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")


class MetricsPage:
    """Before who asks is found out: the token is no account's. Without one, only this machine itself may read."""

    def __init__(self, app: ASGIApp, token: str, local: bool) -> None:
        """`local` says that the server can be reached from this machine only."""
        self.app = app
        self.token = token
        self.local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != PATH or not self._may_read(scope):
            await self.app(scope, receive, send)
            return
        scope["route"] = ROUTE
        if scope["method"] not in ("GET", "HEAD"):
            await Response(status_code=405, headers={"allow": "GET, HEAD"})(scope, receive, send)
            return
        content = await run_in_threadpool(exposition)
        headers = {"cache-control": "no-store"}
        await Response(content, media_type=CONTENT_TYPE_LATEST, headers=headers)(scope, receive, send)

    def _may_read(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        if self.token:
            scheme, _, given = headers.get("authorization", "").partition(" ")
            return scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), self.token.encode())
        return self.local and _is_from_here(scope, headers)


def _is_from_here(scope: Scope, headers: Headers) -> bool:
    """Return whether this machine asks under one of its own names; a proxy on it, or a page, may speak for others."""
    name = urlsplit(f"//{headers.get('host', '')}").hostname or ""
    address = scope["client"][0] if scope.get("client") else ""
    return is_loopback(name) and is_loopback(address) and not any(one in headers for one in PASSED_ON)
