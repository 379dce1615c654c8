"""Requests that take too long are given up, whatever they wait for."""

from __future__ import annotations

import asyncio
import threading

import httpx
import pytest
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from app.server.time_limit import TimeLimit
from tests.server.conftest import answering


def get(endpoint, *, limit_s=0.05, finally_do=lambda: None):
    """The answer; `finally_do` is done only when it is there."""

    async def story():
        app = TimeLimit(Starlette(routes=[Route("/", endpoint)]), limit_s, answering)
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            answer = await client.get("/")
            finally_do()
            return answer

    return asyncio.run(story())


def test_what_waits_too_long_is_given_up_and_says_so(caplog):
    ended = []

    async def waits(_):
        try:
            await asyncio.sleep(20)
        finally:
            ended.append(1)

    answer = get(waits)
    assert (answer.status_code, answer.json()["reason"]) == (504, "gave-up")
    assert answer.headers["retry-after"]
    assert ended == [1]
    assert "GET / was given up after 0.05 s" in caplog.text


def test_a_thread_that_cannot_be_stopped_keeps_nobody_waiting():
    released = threading.Event()

    async def waits(_):
        await run_in_threadpool(released.wait, 20)
        return PlainTextResponse("late")

    assert get(waits, finally_do=released.set).status_code == 504


def test_an_answer_that_has_begun_may_take_its_time():
    async def parts():
        for _ in range(4):
            yield b"x"
            await asyncio.sleep(0.3)

    async def slowly(_):
        return StreamingResponse(parts())

    answer = get(slowly, limit_s=1)
    assert (answer.status_code, answer.text) == (200, "xxxx")


def test_a_failure_is_passed_on():
    async def fails(_):
        raise RuntimeError("in the dark")

    with pytest.raises(RuntimeError, match="in the dark"):
        get(fails, limit_s=5)
