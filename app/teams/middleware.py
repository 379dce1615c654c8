"""Every request of the application begins with the question who asks."""

from __future__ import annotations

import functools
import logging
import re
from collections.abc import Mapping
from typing import TypedDict
from urllib.parse import parse_qs

from anyio.to_thread import run_sync
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Receive, Scope, Send

from app.catalog.ready import ready_engine
from app.db.address import read_address
from app.saved.faults import DATABASE_ERRORS, storage_fault
from app.settings import Settings
from app.teams.asking import Asking, Whence, set_asked, set_whence
from app.teams.identify import BadTokenError, Identify
from app.teams.secrets import LINK, secrets_of

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

    It refuses no one: pages and the API each do so in their own words (`refusal` is what they say of a
    token that cannot be used, `unknown` what keeps the database from being read).
    """

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self._identify = identify_of(settings)
        self._database = read_address(settings.database_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        try:
            asking = await self._asking(scope)
        except BadTokenError as error:
            asking, state["refusal"] = Asking(), str(error)
        except DATABASE_ERRORS as error:
            fault = storage_fault(error, self._database)
            if fault is None:
                raise
            logger.error("who asks cannot be found out: %s", fault.message)
            asking, state["unknown"] = Asking(), fault
        state["asking"], state["actor"] = asking, asking.actor
        set_asked(asking)
        set_whence(_whence_of(scope))
        await self.app(scope, receive, send)

    async def _asking(self, scope: Scope) -> Asking:
        found = credentials_of(scope)
        if not (self._identify.required or found["bearer"]):
            return self._identify.asking(**found)  # reads nothing
        return await run_sync(lambda: self._identify.asking(**found))


FRAMED = re.compile(rf"/s/({LINK.pattern})/embed/[a-z_]+")
"""Addresses of one chart of what a link leads to."""


class Credentials(TypedDict):
    """What a request has of its sender, as `Identify.asking` takes it."""

    bearer: str
    cookies: Mapping[str, str]
    workspace: str


def credentials_of(scope: Scope) -> Credentials:
    """The token, the cookies and the workspace that a request names."""
    headers = Headers(scope=scope)
    kind, _, bearer = headers.get("authorization", "").partition(" ")
    framed = FRAMED.fullmatch(scope["path"]) if scope["method"] in ("GET", "HEAD") else None
    if framed:  # a frame of another site sends no cookies, and needs none: its address is its right to look
        return {"bearer": framed[1], "cookies": {}, "workspace": ""}
    query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    return {
        "bearer": bearer.strip() if kind.lower() == "bearer" else "",
        "cookies": cookie_parser(headers.get("cookie", "")),
        "workspace": query.get("workspace", [""])[-1],
    }


def _whence_of(scope: Scope) -> Whence:
    """From where a request comes; behind a proxy that is trusted, the server has put in who asked the proxy."""
    client = scope.get("client")
    return Whence(
        address=str(client[0])[:64] if client else "",
        browser=Headers(scope=scope).get("user-agent", "")[:300],
        request_id=str(scope.get("state", {}).get("request_id", ""))[:64],
    )
