"""The longest that a caller waits for an answer to begin."""

from __future__ import annotations

import asyncio
import logging

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.refusals import Answering, Refusal, refuse
from app.server.routes import route_of

logger = logging.getLogger(__name__)


class TimeLimit:
    """Gives up at the limit. Work in a thread cannot be stopped: it ends by itself, and unseen.

    An answer that has begun may take as long as it needs: files, and streams of events.
    """

    def __init__(self, app: ASGIApp, limit_s: float, answering: Answering) -> None:
        self.app = app
        self.limit_s = limit_s
        self.answering = answering

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, given_up = asyncio.get_running_loop().create_future(), False

        async def send_in_time(message: Message) -> None:
            if given_up:
                return
            if not begun.done():
                begun.set_result(None)
            await send(message)

        work = asyncio.ensure_future(self.app(scope, receive, send_in_time))
        try:
            await asyncio.wait({work, begun}, timeout=self.limit_s, return_when=asyncio.FIRST_COMPLETED)
            if begun.done() or work.done():
                await work
                return
        finally:
            if not work.done():
                work.cancel()
        given_up = True
        work.add_done_callback(_forget)
        logger.warning("%s %s was given up after %g s", scope["method"], route_of(scope), self.limit_s)
        refusal = Refusal(
            reason="gave-up",
            status=504,
            detail=f"There was no answer after {self.limit_s:g} s, and it is waited for no longer.",
            headers={"retry-after": "10"},
        )
        await refuse(self.answering, refusal, scope, receive, send)


def _forget(work: asyncio.Future[None]) -> None:
    """No one waits for it: what it may still raise is logged and has no other effect."""
    if not work.cancelled() and (error := work.exception()):
        logger.warning("what was given up has failed since", exc_info=error)
