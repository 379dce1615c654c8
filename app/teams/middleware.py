"""Every request of the application begins with the question who asks."""

from __future__ import annotations

import functools
import logging
from urllib.parse import parse_qs

from anyio.to_thread import run_sync
from sqlalchemy.exc import SQLAlchemyError
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from app.catalog.ready import ready_engine
from app.settings import Settings
from app.teams.asking import Asking, set_asked
from app.teams.identify import BadTokenError, Identify
from app.teams.secrets import secrets_of

logger = logging.getLogger(__name__)


def identify_of(settings: Settings) -> Identify:
    """Finds out who asks, with these settings; the database and the secret are read when they are needed."""
    return Identify(
        lambda: ready_engine(settings),
        functools.cache(lambda: secrets_of(settings)),
        required=settings.asks_to_sign_in,
    )


class Identified:
    """Puts `asking` into the state of each request, and says why where it could not be found out.

    It refuses nobody: pages and the API each do so in their own words (`refusal` is what they say of a
    token that cannot be used, `unknown` is true where the database could not be read).
    """

    def __init__(self, app: ASGIApp, identify: Identify) -> None:
        self.app = app
        self._identify = identify

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        try:
            asking = await self._asking(scope)
        except BadTokenError as error:
            asking, state["refusal"] = Asking(), str(error)
        except (SQLAlchemyError, OSError) as error:
            logger.error("who asks cannot be found out", exc_info=error)
            asking, state["unknown"] = Asking(), True
        state["asking"], state["actor"] = asking, asking.actor
        set_asked(asking)
        await self.app(scope, receive, send)

    async def _asking(self, scope: Scope) -> Asking:
        headers = Headers(scope=scope)
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        if kind.lower() != "bearer":
            bearer = ""
        cookies = cookie_parser(headers.get("cookie", ""))
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        workspace = query.get("workspace", [""])[-1]

        def work() -> Asking:
            return self._identify.asking(bearer=bearer.strip(), cookies=cookies, workspace=workspace)

        if not (self._identify.required or bearer):
            return work()  # reads nothing
        return await run_sync(work)
