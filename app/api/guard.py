"""Around every request of the API: an id, a body of bounded size, and never a naked error."""

from __future__ import annotations

import logging
import re
import uuid
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.limits import Limits
from app.api.problem_types import BODY_TOO_LARGE, INTERNAL_ERROR, ProblemType
from app.api.problems import PROBLEM_JSON, json_bytes, problem_content

logger = logging.getLogger(__name__)

OWN_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


class DisconnectedError(Exception):
    """The caller went away before the body was whole."""


class Guard:
    """Reads the body before the application sees the request, so that routes get all of it or none."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self.app = app
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        request_id = _request_id(headers)
        scope.setdefault("state", {})["request_id"] = request_id
        started = False

        async def send_with_id(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                MutableHeaders(scope=message)["x-request-id"] = request_id
            await send(message)

        async def refuse(kind: ProblemType, detail: str, extra: Iterable[tuple[bytes, bytes]] = ()) -> None:
            content = problem_content(kind, detail, instance=scope["path"], request_id=request_id)
            start: Message = {
                "type": "http.response.start",
                "status": kind.status,
                "headers": [(b"content-type", PROBLEM_JSON.encode()), *extra],
            }
            await send_with_id(start)
            await send_with_id({"type": "http.response.body", "body": json_bytes(content)})

        try:
            body = await self._body(headers, receive)
        except DisconnectedError:
            return
        if body is None:
            detail = f"The body has more than {self.limits.most_body_bytes:,} bytes."
            await refuse(BODY_TOO_LARGE, detail, [(b"connection", b"close")])
            return
        try:
            await self.app(scope, _replay(body, receive), send_with_id)
        except Exception:
            logger.exception("request %s: %s %s failed", request_id, scope["method"], scope["path"])
            if not started:
                await refuse(INTERNAL_ERROR, f"The server log says why, under {request_id}.")

    async def _body(self, headers: Headers, receive: Receive) -> bytes | None:
        """The body, None when it is too large.

        What is too large is still taken off the line, within reason: a sender who is cut off in the
        middle sees a broken connection instead of the answer.
        """
        length = headers.get("content-length", "")
        declared = int(length) if length.isdigit() and len(length) < 16 else 0
        if declared > self.limits.most_drained_bytes:
            return None
        chunks: list[bytes] = []
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise DisconnectedError
            chunk = message.get("body", b"")
            size += len(chunk)
            more = message.get("more_body", False)
            if size > self.limits.most_drained_bytes:
                return None
            if max(size, declared) <= self.limits.most_body_bytes:
                chunks.append(chunk)
            else:
                chunks.clear()
        return b"".join(chunks) if max(size, declared) <= self.limits.most_body_bytes else None


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _request_id(headers: Headers) -> str:
    """The caller's own id where it is a harmless one, so that logs of both sides can be joined."""
    asked = headers.get("x-request-id", "")
    return asked if OWN_ID.fullmatch(asked) else uuid.uuid4().hex
