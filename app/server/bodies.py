"""Bodies of requests: read whole before a route sees them, of bounded size, at a bearable pace, not compressed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.refusals import Answering, Reason, Refusal, refuse

CLOSE = {"connection": "close"}  # what was not read would be taken for the next request


@dataclass(frozen=True, slots=True, kw_only=True)
class BodyLimits:
    """What is too large is still taken off the line, within reason, and thrown away: a sender who is cut off in
    the middle sees a broken connection instead of the answer."""

    most_bytes: int = 8_000_000  # a workbook with what a form adds to it; many routes read less
    most_drained_bytes: int = 64_000_000
    most_held_bytes: int = 256_000_000  # of all bodies of this process together
    grace_s: float = 10.0
    least_bytes_per_s: float = 10_000.0  # once the grace is over


class _GoneError(Exception):
    """The caller went away before the body was whole."""


class _RefusedError(Exception):
    """The body is not taken."""

    def __init__(self, reason: Reason, status: int, detail: str, headers: Mapping[str, str] = CLOSE) -> None:
        super().__init__(detail)
        self.refusal = Refusal(reason=reason, status=status, detail=detail, headers=headers)


@dataclass(slots=True)
class _Reading:
    """The body of one request as far as it has come."""

    chunks: list[bytes] = field(default_factory=list)
    held_bytes: int = 0


class Bodies:
    """Routes get all of a body, or are not called."""

    def __init__(self, app: ASGIApp, limits: BodyLimits, answering: Answering) -> None:
        self.app = app
        self.limits = limits
        self.answering = answering
        self._held_bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        reading = _Reading()
        try:
            body = await self._body(Headers(scope=scope), receive, reading)
            await self.app(scope, _replay(body, receive), send)
        except _GoneError:
            return
        except _RefusedError as error:
            await refuse(self.answering, error.refusal, scope, receive, send)
        finally:
            self._held_bytes -= reading.held_bytes

    async def _body(self, headers: Headers, receive: Receive, reading: _Reading) -> bytes:
        length = headers.get("content-length", "")
        declared = int(length) if length.isdigit() and len(length) < 16 else 0
        most, most_drained = self.limits.most_bytes, self.limits.most_drained_bytes
        too_large = _RefusedError("body-too-large", 413, f"The body has more than {most:,} bytes.")
        if declared > most_drained:
            raise too_large
        start = time.monotonic()
        size, more = 0, True
        while more:
            message = await self._next(receive, start, size)
            chunk = message.get("body", b"")
            size += len(chunk)
            more = message.get("more_body", False)
            if size > most_drained:
                raise too_large
            if max(size, declared) <= most:
                self._keep(chunk, reading)
            else:
                self._let_go(reading)
        if max(size, declared) > most:
            raise too_large
        if size and headers.get("content-encoding", "identity").strip().lower() != "identity":
            detail = "The body is compressed, which is not read; send it as it is, without Content-Encoding."
            raise _RefusedError("unsupported-media-type", 415, detail, {"accept-encoding": "identity"})
        return b"".join(reading.chunks)

    def _keep(self, chunk: bytes, reading: _Reading) -> None:
        if self._held_bytes + len(chunk) > self.limits.most_held_bytes:
            detail = "Too many large bodies are under way. Nothing was changed."
            raise _RefusedError("too-busy", 503, detail, {**CLOSE, "retry-after": "10"})
        reading.chunks.append(chunk)
        reading.held_bytes += len(chunk)
        self._held_bytes += len(chunk)

    def _let_go(self, reading: _Reading) -> None:
        reading.chunks.clear()
        self._held_bytes -= reading.held_bytes
        reading.held_bytes = 0

    async def _next(self, receive: Receive, start: float, size: int) -> Message:
        """The next part of the body, due by what came before it."""
        due = start + self.limits.grace_s + size / self.limits.least_bytes_per_s
        try:
            async with asyncio.timeout(due - time.monotonic()):
                message = await receive()
        except TimeoutError:
            detail = "The body came too slowly, and was not waited for. Nothing was changed."
            raise _RefusedError("body-too-slow", 408, detail) from None
        if message["type"] == "http.disconnect":
            raise _GoneError
        return message


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
