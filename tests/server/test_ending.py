"""The end in order: streams are closed, what was opened is closed last first, and a failure stops nothing."""

from __future__ import annotations

import asyncio
import signal

import httpx
import pytest

from app.server.ending import Ending
from app.server.metrics import EVENT_STREAMS
from tests.server.conftest import small_app


def test_what_was_named_last_is_done_first_and_a_failure_stops_nothing(caplog):
    done = []
    ending = Ending()
    ending.finally_do("the database", lambda: done.append("database"))
    ending.finally_do("a lamp", lambda: 1 / 0)
    ending.finally_do("the jobs", lambda: done.append("jobs"))

    async def story():
        async with ending.lifespan(None):
            assert done == []

    asyncio.run(story())
    assert done == ["jobs", "database"]
    assert "a lamp could not be ended" in caplog.text


@pytest.mark.parametrize("notice_s", [0.0, 0.1])
def test_a_signal_is_heard_first_here_and_then_by_the_server(notice_s):
    heard = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    ending = Ending(notice_s)

    async def story():
        async with ending.lifespan(None):
            assert not ending.has_begun
            signal.raise_signal(signal.SIGTERM)
            assert ending.has_begun
            assert heard == []  # the server still accepts
            await ending.closing()
            assert heard == [signal.SIGTERM]

    try:
        asyncio.run(story())
        assert signal.getsignal(signal.SIGTERM) is not before
        signal.raise_signal(signal.SIGTERM)
        assert len(heard) == 2  # the server's own handler is back
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_second_signal_ends_the_notice():
    heard = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))

    async def story():
        ending = Ending(notice_s=600)
        async with ending.lifespan(None):
            signal.raise_signal(signal.SIGTERM)
            signal.raise_signal(signal.SIGTERM)
            await ending.closing()

    try:
        asyncio.run(story())
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [signal.SIGTERM]


def test_open_streams_are_counted_and_end_as_a_whole_answer():
    """Called as a server would: parts are seen as they come."""
    ending, parts = Ending(), []

    async def story():
        app = small_app(ending=ending)
        before = EVENT_STREAMS._value.get()
        begun, never = asyncio.Event(), asyncio.Event()

        async def receive():
            if parts:
                await never.wait()
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message):
            parts.append(message)
            if len(parts) == 3:
                begun.set()

        scope = {
            "type": "http", "method": "GET", "path": "/events", "raw_path": b"/events", "query_string": b"",
            "headers": [], "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "scheme": "http",
            "root_path": "", "http_version": "1.1", "asgi": {"version": "3.0", "spec_version": "2.3"},
        }  # fmt: skip
        async with ending.lifespan(None):
            answering = asyncio.create_task(app(scope, receive, send))
            await begun.wait()
            assert EVENT_STREAMS._value.get() == before + 1
            ending.has_begun = True
            ending._closing.set()
            await answering
        assert EVENT_STREAMS._value.get() == before

    asyncio.run(asyncio.wait_for(story(), 60))
    assert parts[0]["status"] == 200
    assert parts[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


def test_a_reader_who_goes_away_ends_the_stream():
    async def story():
        app = small_app()
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await client.get("/events")
        return EVENT_STREAMS._value.get()

    before = EVENT_STREAMS._value.get()
    assert asyncio.run(story()) == before
