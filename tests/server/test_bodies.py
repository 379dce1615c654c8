"""Bodies: whole or not at all, of bounded size, not compressed, and not a byte a second."""

from __future__ import annotations

import asyncio
import gzip

import httpx
import pytest

from app.server.bodies import Bodies, BodyLimits
from tests.server.conftest import answering


async def counting(scope, receive, send):
    """Answers with the length of the body that it got."""
    message = await receive()
    assert not message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(len(message["body"])).encode()})


def send_in(chunks, *, headers=None, pause_s=0.0, **limits):
    async def content():
        for chunk in chunks:
            await asyncio.sleep(pause_s)
            yield chunk

    async def story():
        app = Bodies(counting, BodyLimits(**limits), answering)
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            return await client.post("/", content=content(), headers=headers)

    return asyncio.run(story())


def test_a_body_comes_whole():
    assert send_in([b"a" * 10, b"b" * 10], most_bytes=20).text == "20"
    assert send_in([]).text == "0"


@pytest.mark.parametrize("headers", [None, {"content-length": "21"}, {"content-length": "9" * 30}])
def test_a_body_that_is_too_large_is_refused_however_it_is_declared(headers):
    answer = send_in([b"a" * 10, b"b" * 11], headers=headers, most_bytes=20)
    assert (answer.status_code, answer.json()["reason"]) == (413, "body-too-large")
    assert "more than 20 bytes" in answer.json()["detail"]
    assert answer.headers["connection"] == "close"


def test_what_says_that_it_is_huge_is_not_even_read():
    read = []

    def chunks():
        read.append(1)
        yield b"a"

    answer = send_in(chunks(), headers={"content-length": "65000000"})
    assert (answer.status_code, read) == (413, [])


def test_what_never_ends_is_cut_off():
    taken = []

    def chunks():
        while True:
            taken.append(1)
            yield b"a" * 1_000

    assert send_in(chunks(), most_bytes=10, most_drained_bytes=50_000).status_code == 413
    assert len(taken) < 60


@pytest.mark.parametrize("coding", ["gzip", "br", "GZIP, identity", "deflate"])
def test_a_compressed_body_is_refused(coding):
    answer = send_in([gzip.compress(b"a" * 100)], headers={"content-encoding": coding})
    assert (answer.status_code, answer.json()["reason"]) == (415, "unsupported-media-type")


def test_no_body_is_not_compressed_and_identity_is_none():
    assert send_in([b"ab"], headers={"content-encoding": "Identity"}).text == "2"
    assert send_in([], headers={"content-encoding": "gzip"}).text == "0"


def test_a_byte_now_and_then_is_not_waited_for():
    answer = send_in([b"a"] * 100, pause_s=0.02, grace_s=0.1, least_bytes_per_s=1_000_000)
    assert (answer.status_code, answer.json()["reason"]) == (408, "body-too-slow")
    assert answer.headers["connection"] == "close"


def test_a_steady_body_may_take_longer_than_the_grace():
    assert send_in([b"a" * 100] * 10, pause_s=0.06, grace_s=0.5, least_bytes_per_s=100).text == "1000"


def test_all_bodies_together_are_held_within_bounds_and_let_go_again():
    app = Bodies(counting, BodyLimits(most_bytes=100, most_held_bytes=150), answering)

    async def story():
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as client:
            taken, refused = asyncio.Event(), asyncio.Event()

            async def slowly():
                yield b"a" * 90
                taken.set()
                await refused.wait()
                yield b"a" * 10

            first = asyncio.create_task(client.post("/", content=slowly()))
            await taken.wait()
            second = await client.post("/", content=b"b" * 80)
            too_large = await client.post("/", content=b"b" * 200)
            refused.set()
            return second, too_large, await first, await client.post("/", content=b"c" * 100)

    second, too_large, first, third = asyncio.run(story())
    assert (second.status_code, second.json()["reason"]) == (503, "too-busy")
    assert second.headers["retry-after"]
    assert too_large.status_code == 413
    assert (first.text, third.text) == ("100", "100")


def test_a_caller_who_goes_away_is_answered_by_nobody():
    sent = []

    async def gone():
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    app = Bodies(counting, BodyLimits(), answering)
    asyncio.run(app({"type": "http", "path": "/", "headers": []}, gone, send))
    assert sent == []
