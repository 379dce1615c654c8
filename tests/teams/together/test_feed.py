"""The feed of a process: its thread comes and goes with its streams, and no one holds up the others."""

from __future__ import annotations

import asyncio

import pytest

from app.db.session import write_session
from app.saved.access import LOCAL
from app.saved.change_log import log_change
from app.teams.together.feed import MOST_WAITING, Feed, Subscription, TooManyStreamsError
from app.teams.together.presence import here_of
from tests.streams import eventually


def feed_of(engine, **limits):
    return Feed(lambda: engine, every_s=0.02, **{"most": 3, "most_of_one": 2, **limits})


def test_the_thread_lives_as_long_as_a_stream(engine):
    async def follow():
        feed = feed_of(engine)
        one = feed.subscribe(here_of("1", "a", LOCAL), "ada", asyncio.get_running_loop())
        thread = feed._thread
        with write_session(engine) as session:
            for saved_id in "ba":
                log_change(session, LOCAL, "saved", kind="scenario", saved_id=saved_id, workspace_id=1)
        told = []
        while not any(getattr(item, "event", "") == "saved" for item in told):
            told += await one.next(5)
        assert {item.saved_id for item in told if hasattr(item, "event")} == {"a"}
        feed.unsubscribe(one)
        feed.unsubscribe(one)  # twice does no harm
        assert len(feed) == 0
        await asyncio.to_thread(thread.join, 5)
        assert not thread.is_alive()

    asyncio.run(follow())


def test_so_many_and_no_more(engine):
    async def follow():
        loop, feed = asyncio.get_running_loop(), feed_of(engine)
        there = [feed.subscribe(here_of(id, id, LOCAL), "ada", loop) for id in "ab"]
        with pytest.raises(TooManyStreamsError, match="You have 2"):
            feed.subscribe(here_of("3", "a", LOCAL), "ada", loop)
        there.append(feed.subscribe(here_of("4", "a", LOCAL), "", loop))
        with pytest.raises(TooManyStreamsError, match="This server has 3"):
            feed.subscribe(here_of("5", "a", LOCAL), "", loop)
        feed.close_all()
        for one in there:
            assert await one.next(5) == [] or one.is_closed
            feed.unsubscribe(one)
        assert all(one.is_closed for one in there)
        feed.subscribe(here_of("6", "a", LOCAL), "ada", loop)  # there is room again
        feed.unsubscribe(next(iter(feed._by_saved["a"])))

    asyncio.run(follow())


def test_whoever_does_not_read_is_let_go():
    async def tell():
        one = Subscription(here_of("1", "a", LOCAL), "", asyncio.get_running_loop())
        one.tell([()] * MOST_WAITING)
        assert not one.is_closed
        one.tell([()])
        assert one.is_closed
        assert len(await one.next(0)) == MOST_WAITING + 1

    asyncio.run(tell())


def test_a_database_that_cannot_be_read_for_a_while(engine, monkeypatch, caplog):
    """The feed tries again, and tells then what it could not tell before."""

    async def follow():
        feed = feed_of(engine)
        one = feed.subscribe(here_of("1", "a", LOCAL), "", asyncio.get_running_loop())
        await one.next(5)
        with monkeypatch.context() as patch:
            patch.setattr("app.teams.together.feed.changes_after", lambda *_: 1 / 0)
            with write_session(engine) as session:
                log_change(session, LOCAL, "saved", kind="scenario", saved_id="a", workspace_id=1)
            await asyncio.to_thread(eventually, lambda: "tried again" in caplog.text)
        told = []
        while not told:
            told = [item for item in await one.next(5) if hasattr(item, "event")]
        assert told[0].event == "saved"
        feed.unsubscribe(one)

    asyncio.run(follow())
