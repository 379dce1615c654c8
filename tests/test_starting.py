"""The server while the application is loaded: alive, not ready, and every other request waits."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import threading
from contextlib import asynccontextmanager

import httpx
import pytest
from fastapi import FastAPI

from app import __version__
from app.starting import Starting
from app.surfaces.rest.problem_types import NOT_READY

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Application:
    """Loaded when it is let; `told` is what happened in order."""

    def __init__(self):
        self.let, self.told = threading.Event(), []

    def load(self):
        self.told.append(f"loads, collecting {gc.isenabled()}")
        assert self.let.wait(10)

        @asynccontextmanager
        async def lifespan(_):
            self.told.append("starts")
            yield
            self.told.append("ends")

        app = FastAPI(lifespan=lifespan)
        app.get("/page")(lambda: "here")
        app.get("/healthz")(lambda: "of the application")
        return app


@asynccontextmanager
async def served(starting):
    transport = httpx.ASGITransport(app=starting)
    async with (
        starting._listening.router.lifespan_context(starting._listening),
        httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client,
    ):
        yield client


async def test_a_server_is_alive_at_once_ready_later_and_loses_no_request():
    application = Application()
    async with served(Starting(application.load)) as client:
        alive, ready = await client.get("/healthz"), await client.get("/readyz")
        assert alive.json() == {"status": "ok", "version": __version__}
        assert (ready.status_code, ready.headers["retry-after"]) == (503, "1")
        assert ready.headers["content-type"] == "application/problem+json"
        assert (ready.json()["type"], ready.json()["title"]) == (NOT_READY.uri, NOT_READY.title)
        waiting = asyncio.create_task(client.get("/page"))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        application.let.set()
        assert (await waiting).json() == "here"
        assert (await client.get("/healthz")).json() == "of the application"
        assert gc.isenabled()
    assert application.told == ["loads, collecting False", "starts", "ends"]


async def test_a_process_whose_application_cannot_be_loaded_ends(monkeypatch, caplog):
    ended, sent = asyncio.Event(), []
    monkeypatch.setattr(os, "kill", lambda *signalled: (sent.append(signalled), ended.set()))

    def broken():
        raise ImportError("no module of that name")

    async with served(Starting(broken)) as client:
        async with asyncio.timeout(10):
            await ended.wait()
        assert (await client.get("/readyz")).status_code == 503
    assert "no module of that name" in caplog.text
    assert sent == [(os.getpid(), signal.SIGTERM)]
