"""The application while it is loaded: alive at once, ready when it can answer.

Loading imports the whole product, which takes seconds. Meanwhile the server listens: `/healthz` says that the process
lives, `/readyz` that it is not ready, and every other request waits until the application can answer it.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app import __version__

if TYPE_CHECKING:
    from fastapi import FastAPI  # which takes a moment to import, and here nothing but its name is needed

logger = logging.getLogger(__name__)

COLLECTED_EVERY = (10_000, 20, 20)
"""An evaluation makes tens of thousands of records, none in a cycle: looked for garbage as often as usual, it
takes 5 % longer."""


def starting_app() -> ASGIApp:
    """What the server runs: the application of `app.main`, loaded while the server listens already."""

    def load() -> FastAPI:
        from app.main import create_app

        return create_app()

    return Starting(load)


class Starting:
    """Loads an application in a thread and hands requests to it.

    A process whose application cannot be loaded is of no use: the fault is logged and the process ends.
    """

    def __init__(self, load: Callable[[], FastAPI]) -> None:
        self._load = load
        self._loaded: FastAPI | None = None
        self._there = asyncio.Event()
        self._listening = Starlette(lifespan=self._lifespan)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._listening(scope, receive, send)
            return
        if self._loaded is None and scope["path"] in ("/healthz", "/readyz"):
            await _still_loading(scope["path"])(scope, receive, send)
            return
        await self._there.wait()
        assert self._loaded is not None
        await self._loaded(scope, receive, send)

    @asynccontextmanager
    async def _lifespan(self, _: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            loading = asyncio.create_task(self._begin(stack))
            yield
            if not loading.done():
                loading.cancel()

    async def _begin(self, stack: AsyncExitStack) -> None:
        start = time.perf_counter()
        try:
            app = await asyncio.to_thread(_without_collecting, self._load)
            await stack.enter_async_context(app.router.lifespan_context(app))
        except Exception:
            logger.critical("the application could not be loaded", exc_info=True)
            os.kill(os.getpid(), signal.SIGTERM)
            return
        logger.info("ready after %.1f s", time.perf_counter() - start)
        self._loaded = app
        self._there.set()


def _without_collecting(load: Callable[[], FastAPI]) -> FastAPI:
    """Imports leave no garbage, and looking for it takes a third of their time."""
    gc.disable()
    try:
        app = load()
        gc.freeze()  # modules and routes live as long as the process
        gc.set_threshold(*COLLECTED_EVERY)
        return app
    finally:
        gc.enable()


def _still_loading(path: str) -> JSONResponse:
    if path == "/healthz":
        return JSONResponse({"status": "ok", "version": __version__})
    problem = {
        "type": "/docs/problems#not-ready",
        "title": "The server is not ready",
        "status": 503,
        "detail": "The application is being loaded.",
        "instance": path,
    }
    return JSONResponse(
        problem,
        status_code=503,
        media_type="application/problem+json",
        headers={"cache-control": "no-store", "retry-after": "1"},
    )
