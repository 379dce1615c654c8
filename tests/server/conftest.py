"""A small application with everything around it that stands around Podwright."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Iterator
from types import SimpleNamespace

import pytest
from fastapi import FastAPI, Request
from starlette.middleware import Middleware
from starlette.responses import JSONResponse, StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.server.ending import Ending
from app.server.refusals import Refusal
from app.server.stack import surround
from app.settings import Settings
from tests.asgi import AsgiClient, asgi_client_of


class Named:
    """Believes anyone who gives a name."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        names = [value.decode() for name, value in scope.get("headers", []) if name == b"x-name"]
        scope.setdefault("state", {})["actor"] = SimpleNamespace(account_id=names[0] if names else None)
        await self.app(scope, receive, send)


class Unchanged:
    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)


def answering(_scope: Scope, refusal: Refusal) -> ASGIApp:
    content = {"reason": refusal.reason, "detail": refusal.detail}
    return JSONResponse(content, refusal.status, headers=dict(refusal.headers))


def small_app(settings: Settings | None = None, ending: Ending | None = None) -> FastAPI:
    """`/things/{key}`, `/fails`, `/waits`, `/events`, `/body`, and `/below/v1/parts/{id}` in a mounted one."""
    end = ending or Ending()
    app, below = FastAPI(lifespan=end.lifespan), FastAPI()
    app.state.ending = end

    @app.get("/things/{key}")
    def thing(key: str, request: Request) -> dict[str, str]:
        logging.getLogger("app.things").info("looked at a thing")
        return {"key": key, "request_id": request.state.request_id}

    @app.get("/fails")
    def fails() -> None:
        raise RuntimeError("in the dark")

    @app.get("/waits")
    async def waits() -> str:
        logging.getLogger("app.things").info("waits now")
        await asyncio.sleep(30)
        return "late"

    @app.get("/events")
    async def events() -> StreamingResponse:
        async def ticks() -> AsyncIterator[str]:
            for number in range(10_000):
                yield f"data: {number}\n\n"
                await asyncio.sleep(0.01)

        return StreamingResponse(ticks(), media_type="text/event-stream")

    @app.post("/body")
    async def body(request: Request) -> int:
        return len(await request.body())

    def part(id: str) -> str:
        return id

    below.add_api_route("/parts/{id}", part)
    app.mount("/below/v1", below)
    surround(
        app,
        settings or Settings(),
        end,
        answering,
        who_asks=Middleware(Named),
        headers=Middleware(Unchanged),
    )
    return app


@pytest.fixture
def small() -> Iterator[AsgiClient]:
    with asgi_client_of(small_app()) as client:
        yield client
