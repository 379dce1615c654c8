"""Streams of events, which have no end of their own: counted while open, closed when the server ends."""

from __future__ import annotations

import asyncio

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.ending import Ending
from app.server.metrics import EVENT_STREAMS


def is_event_stream(start: Message) -> bool:
    """Return whether an answer that begins so is a stream of events."""
    return Headers(raw=start["headers"]).get("content-type", "").startswith("text/event-stream")


class EventStreams:
    """To a stream, the end of the server looks like a reader who goes away; to the reader, like a whole answer."""

    def __init__(self, app: ASGIApp, ending: Ending) -> None:
        self.app = app
        self.ending = ending

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_read, is_stream, is_whole = False, False, False

        async def watched(message: Message) -> None:
            nonlocal is_stream, is_whole
            if message["type"] == "http.response.start":
                is_stream = is_event_stream(message)
                EVENT_STREAMS.inc(is_stream)
            else:
                is_whole = not message.get("more_body", False)
            await send(message)

        async def receive_or_end() -> Message:
            nonlocal is_read
            if not is_read:  # the body, which is there already
                is_read = True
                return await receive()
            reader, end = asyncio.ensure_future(receive()), asyncio.ensure_future(self.ending.closing())
            try:
                await asyncio.wait({reader, end}, return_when=asyncio.FIRST_COMPLETED)
                if reader.done() or not is_stream:
                    return await reader
                return {"type": "http.disconnect"}
            finally:
                reader.cancel()
                end.cancel()

        try:
            await self.app(scope, receive_or_end, watched)
        finally:
            EVENT_STREAMS.dec(is_stream)
        if is_stream and not is_whole and self.ending.has_begun:
            await send({"type": "http.response.body", "body": b"", "more_body": False})
