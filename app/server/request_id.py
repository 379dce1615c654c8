"""A name for every request, in its answer, in each line logged meanwhile, and in what it says of an error."""

from __future__ import annotations

import re
import uuid
from contextvars import ContextVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

OWN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")

_current: ContextVar[str] = ContextVar("request_id", default="")


def current_request_id() -> str:
    """The id of the request that is being answered; "" outside of one."""
    return _current.get()


def request_id_of(scope: Scope) -> str:
    """The id of a request; "" where the middleware was left out."""
    return str(scope.get("state", {}).get("request_id", ""))


class RequestIds:
    """Outside of all that logs or answers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _request_id(Headers(scope=scope))
        scope.setdefault("state", {})["request_id"] = request_id

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["x-request-id"] = request_id
            await send(message)

        before = _current.set(request_id)
        try:
            await self.app(scope, receive, send_with_id)
        finally:
            _current.reset(before)


def _request_id(headers: Headers) -> str:
    """The caller's own id where it is a harmless one, so that logs of both sides can be joined."""
    asked = headers.get("x-request-id", "")
    return asked if OWN_ID.fullmatch(asked) else uuid.uuid4().hex
