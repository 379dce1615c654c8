"""Heavy requests: who is next, what a worker may take, and that nothing goes on when no one waits."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections import Counter
from contextlib import asynccontextmanager, suppress

import pytest
from starlette.responses import PlainTextResponse

from app.server.heavy import (
    HEAVY,
    LONG,
    MOST_WAITING,
    MOST_WAITING_OF_ONE,
    HeavyLimits,
    HeavyWork,
    TooManyWaitingError,
    Turn,
    Turns,
    Workers,
)
from app.server.rates import TokenBuckets

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend():
    return "asyncio"


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def until(said, patience_s: float = 10.0) -> None:
    end = time.monotonic() + patience_s
    while not said():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


# --- turns


async def test_callers_take_turns_and_none_takes_all():
    turns, order = Turns(slots=2, of_one=1, most_long=1), []

    async def work(caller: str, number: int) -> None:
        await turns.wait(Turn(caller))
        order.append((caller, number))
        await asyncio.sleep(0.01)
        turns.done(Turn(caller))

    asked = [("a", 1), ("a", 2), ("a", 3), ("b", 1), ("b", 2), ("c", 1)]
    await asyncio.gather(*(work(*one) for one in asked))
    assert sorted(order) == sorted(asked)
    assert order[:3] == [("a", 1), ("b", 1), ("c", 1)]  # nobody waits for the second of another
    assert [number for caller, number in order if caller == "a"] == [1, 2, 3]


async def test_too_many_that_wait_are_refused():
    turns = Turns(slots=1, of_one=1, most_long=1)
    await turns.wait(Turn("a"))
    waiting = [asyncio.ensure_future(turns.wait(Turn("a"))) for _ in range(MOST_WAITING_OF_ONE)]
    await asyncio.sleep(0)
    with pytest.raises(TooManyWaitingError) as refused:
        await turns.wait(Turn("a"))
    assert refused.value.of_one
    others = MOST_WAITING - MOST_WAITING_OF_ONE
    waiting += [asyncio.ensure_future(turns.wait(Turn(f"b{number}"))) for number in range(others)]
    await asyncio.sleep(0)
    with pytest.raises(TooManyWaitingError) as refused:
        await turns.wait(Turn("c"))
    assert not refused.value.of_one
    for one in waiting:
        one.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    turns.done(Turn("a"))
    await asyncio.wait_for(turns.wait(Turn("c")), 1)  # none of those who left is waited for


async def test_whoever_leaves_gives_the_turn_back():
    """200 callers that come and go at random, a third for long: in the end every slot is free again."""
    draw, turns, most, most_long = random.Random(22), Turns(slots=3, of_one=2, most_long=2), 0, 0
    under_way: Counter[Turn] = Counter()

    async def work(turn: Turn) -> None:
        nonlocal most, most_long
        with suppress(TooManyWaitingError):
            await turns.wait(turn)
            under_way[turn] += 1
            try:
                assert under_way[turn] <= 2
                most = max(most, under_way.total())
                most_long = max(most_long, sum(count for one, count in under_way.items() if one.is_long))
                await asyncio.sleep(draw.random() / 100)
            finally:
                under_way[turn] -= 1
                turns.done(turn)

    tasks = []
    for _ in range(200):
        tasks.append(asyncio.ensure_future(work(Turn(draw.choice("abcdef"), draw.random() < 1 / 3))))
        if draw.random() < 0.3:
            draw.choice(tasks).cancel()
        await asyncio.sleep(draw.random() / 500)
    await asyncio.gather(*tasks, return_exceptions=True)
    assert (most, most_long) == (3, 2)
    for number in range(3):
        await asyncio.wait_for(turns.wait(Turn("xyz"[number], number < 2)), 1)


async def test_long_requests_leave_a_slot_to_brief_ones():
    """Of one's own too: a page does not wait for the search that its reader began."""
    turns = Turns(slots=2, of_one=1, most_long=1)
    await turns.wait(Turn("a", True))
    second = asyncio.ensure_future(turns.wait(Turn("b", True)))
    await asyncio.wait_for(turns.wait(Turn("a")), 1)
    turns.done(Turn("a"))
    await asyncio.wait_for(turns.wait(Turn("b")), 1)
    assert not second.done()
    turns.done(Turn("a", True))
    await asyncio.wait_for(second, 1)


# --- workers


@pytest.fixture
async def pool():
    found = Workers("tests.server.heavy_target", "given", 2, 500_000_000)
    yield found
    found.close()


class Call:
    """One request, as a server hands it in: `leave` is the caller going away."""

    def __init__(self, path: str, body: bytes = b"", client: str = "192.0.2.1"):
        self.spent = []
        self.scope = {
            "type": "http", "method": "POST", "path": f"/explore/{path}", "query_string": b"", "headers": [],
            "client": (client, 1), "state": {"request_id": "r1", "spend": self.spent.append},
        }  # fmt: skip
        self.body, self.left, self.messages = body, asyncio.Event(), []
        self._given = False

    async def receive(self):
        if not self._given:
            self._given = True
            return {"type": "http.request", "body": self.body, "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        self.messages.append(message)

    @property
    def status(self):
        return self.messages[0]["status"]

    @property
    def content(self):
        return b"".join(message.get("body", b"") for message in self.messages)

    def by(self, pool):
        return pool.answer(self.scope, self.receive, self.send)


def pid_of(call: Call) -> int:
    return int(call.content.rpartition(b" ")[2])


async def test_a_worker_answers_one_request_after_another(pool):
    first, second, large = Call("a", b"x" * 1_000_000), Call("b"), Call("large")
    assert await first.by(pool)
    assert await second.by(pool)
    assert first.content.startswith(b"POST 1000000 by ")
    assert pid_of(first) == pid_of(second) != os.getpid()
    assert first.messages[0]["headers"] == [(b"x-id", b"r1")]
    assert await large.by(pool)
    assert len(large.content) == 3_000_000
    spending = Call("spend")
    await spending.by(pool)
    assert spending.spent == [7]


async def test_a_worker_ends_when_its_caller_goes_away(pool):
    warm = Call("a")
    await warm.by(pool)
    call = Call("endless")
    answering = asyncio.ensure_future(call.by(pool))
    await asyncio.sleep(0.2)
    call.left.set()
    assert await asyncio.wait_for(answering, 5)
    assert call.messages == []
    await until(lambda: not alive(pid_of(warm)))
    again = Call("a")
    assert await again.by(pool)  # by another
    assert pid_of(again) != pid_of(warm)


async def test_a_worker_ends_at_the_time_limit(pool):
    warm = Call("a")
    await warm.by(pool)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(Call("endless").by(pool), 0.3)
    await until(lambda: not alive(pid_of(warm)))


async def test_a_worker_that_ends_by_itself_is_told_apart_from_an_answer(pool):
    assert not await Call("crash").by(pool)
    with pytest.raises(EOFError):
        await Call("broken").by(pool)
    assert await Call("a").by(pool)


async def test_memory_is_bounded_and_what_is_left_of_it_is_not_kept(pool):
    call = Call("memory")
    assert await call.by(pool)
    assert (call.status, call.content) == (503, b"too much")
    first, second = Call("a"), Call("b")
    await first.by(pool)
    await second.by(pool)
    assert pid_of(first) == pid_of(second)


async def test_workers_end_with_the_pool(pool):
    call = Call("a")
    await call.by(pool)
    pool.close()
    await until(lambda: not alive(pid_of(call)))


# --- the middleware


@asynccontextmanager
async def heavy(pool, **limits):
    async def light(scope, receive, send):
        await PlainTextResponse("light")(scope, receive, send)

    def answering(scope, refusal):
        return PlainTextResponse(refusal.reason, refusal.status, dict(refusal.headers))

    usual = {"workers": 2, "of_one_caller": 1, "seconds_per_minute": 0}
    yield HeavyWork(light, pool, HeavyLimits(**{**usual, **limits}), answering)


async def answered(work, call: Call) -> Call:
    await work(call.scope, call.receive, call.send)
    return call


async def test_light_pages_do_not_wait_for_heavy_ones(pool):
    async with heavy(pool) as work:
        ends = [
            asyncio.ensure_future(answered(work, Call("endless", client=f"192.0.2.{n}"))) for n in range(4)
        ]
        await asyncio.sleep(0.2)
        page = Call("x")
        page.scope["path"] = "/designs/x"
        assert (await asyncio.wait_for(answered(work, page), 1)).content == b"light"
        for one in ends:
            one.cancel()
        await asyncio.gather(*ends, return_exceptions=True)
        assert (await asyncio.wait_for(answered(work, Call("a")), 10)).status == 200


async def test_one_caller_leaves_a_worker_to_the_others(pool):
    async with heavy(pool, workers=3) as work:
        abuse = [asyncio.ensure_future(answered(work, Call("endless"))) for _ in range(4)]
        await asyncio.sleep(0.2)
        other = await asyncio.wait_for(answered(work, Call("a", client="198.51.100.7")), 10)
        assert other.status == 200
        for one in abuse:
            one.cancel()
        await asyncio.gather(*abuse, return_exceptions=True)


async def test_computing_time_has_a_budget(pool, monkeypatch):
    async with heavy(pool, seconds_per_minute=30) as work:
        work._seconds = TokenBuckets(30, 0.1)
        assert (await answered(work, Call("slow"))).status == 200
        refused = await answered(work, Call("a"))
        assert (refused.status, refused.content) == (429, b"too-much-computing")
        assert int(dict(refused.messages[0]["headers"])[b"retry-after"]) >= 1
        assert (await answered(work, Call("a", client="198.51.100.7"))).status == 200


async def test_a_crash_is_an_answer(pool):
    async with heavy(pool) as work:
        call = await answered(work, Call("crash"))
        assert (call.status, call.content) == (504, b"gave-up")


@pytest.mark.parametrize(
    ("path", "is_heavy"),
    [
        ("/api/v1/searches", True), ("/api/v1/catalog/imports", True), ("/api/v1/economics/uncertainty", True),
        ("/explore/edge_node/answer", True), ("/economics/edge_node/uncertainty/sobol", True),
        ("/catalog/own/import/apply", True), ("/designs/edge_node", False), ("/", False), ("/api/v1/evaluations", False),
        ("/api/v1/scenarios", False), ("/healthz", False), ("/static/0/js/explore.js", False),
    ],
)  # fmt: skip
async def test_which_requests_are_heavy(path, is_heavy):
    assert bool(HEAVY.fullmatch(path)) == is_heavy


@pytest.mark.parametrize(
    ("path", "is_long"),
    [
        ("/api/v1/searches", True), ("/api/v1/catalog/imports", True), ("/explore/edge_node", True),
        ("/economics/edge_node/uncertainty/sobol", True), ("/import", True), ("/economics/edge_node/cost", False),
        ("/api/v1/economics/cost", False), ("/facility/edge_node/racks", False),
        ("/operations/edge_node/run", True), ("/api/v1/operations/spares", False),
    ],
)  # fmt: skip
def test_which_heavy_requests_are_long(path, is_long):
    assert HEAVY.fullmatch(path)
    assert bool(LONG.fullmatch(path)) == is_long
