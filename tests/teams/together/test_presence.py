"""Who is there: written, refreshed and forgotten."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from app.db.session import read_session, write_session
from app.db.tables import PresenceRow
from app.db.tables.base import now
from app.saved.access import LOCAL, Actor
from app.teams.together.presence import (
    GONE_AFTER,
    MOST_TOLD,
    Here,
    here_of,
    move,
    present,
    refresh,
    told_to,
    write_presence,
)
from tests.clock import clock_moved


def here(id, account_id=None, name="", place=""):
    return Here(id=id, saved_id="s", account_id=account_id, name=name or id, place=place)


def at(engine, *saved_ids):
    with read_session(engine) as session:
        return present(session, saved_ids)


def test_pages_come_and_go(engine):
    one, other = here("1", "ada"), here("2", "bob")
    write_presence(engine, [one, other], set())
    assert at(engine, "s", "t") == {"s": (one, other)}
    write_presence(engine, [here("3")], {"1", "3"})  # the third was gone before it was written
    assert at(engine, "s") == {"s": (other,)}


def test_a_page_that_is_not_refreshed_is_forgotten(engine):
    one, other = here("1"), here("2")
    write_presence(engine, [one, other], set())
    with write_session(engine) as session:
        session.execute(sa.update(PresenceRow).values(last_seen_at=now() - GONE_AFTER - timedelta(seconds=1)))
    assert at(engine, "s") == {}
    refresh(engine, {"1": one})
    assert at(engine, "s") == {"s": (one,)}
    with write_session(engine) as session:
        session.execute(sa.update(PresenceRow).values(last_seen_at=now() - 3 * GONE_AFTER))
    refresh(engine, {"2": other})  # another process has been away for long, and comes back
    assert at(engine, "s") == {"s": (other,)}


def test_nobody_stays_behind_when_the_clock_is_put_back(engine):
    one, other = here("1"), here("2")
    with clock_moved(timedelta(days=1)):
        write_presence(engine, [one, other], set())
    assert at(engine, "s") == {}
    refresh(engine, {"2": other})  # a page that is still open
    assert at(engine, "s") == {"s": (other,)}


def test_only_ones_own_page_moves(engine):
    write_presence(engine, [here("1", "ada"), here("2")], set())
    with write_session(engine) as session:
        assert move(session, "1", "s", "ada", "pod.supernodes")
        assert move(session, "2", "s", None, "economics.wacc")
        assert not move(session, "1", "s", "bob", "")
        assert not move(session, "1", "t", "ada", "")
        assert not move(session, "1", "s", None, "")
    assert [one.place for one in at(engine, "s")["s"]] == ["pod.supernodes", "economics.wacc"]


def test_people_are_told_once_and_never_of_themselves():
    me = here("1", "ada")
    others = [me, here("2", "ada"), here("3", "bob", "Bob"), here("4", "bob", "Bob", "pod.supernodes"), here("5"), here("6")]  # fmt: skip
    assert told_to(me, others) == {
        "people": [
            {"name": "Bob", "place": "pod.supernodes"},
            {"name": "5", "place": ""},
            {"name": "6", "place": ""},
        ],
        "more": 0,
        "tabs": 1,
    }


def test_a_crowd_is_counted():
    crowd = [here(f"{number}") for number in range(MOST_TOLD + 6)]
    told = told_to(crowd[0], crowd)
    assert (len(told["people"]), told["more"]) == (MOST_TOLD, 5)


def test_names():
    guest = here_of("1", "s", Actor(name="Guest"))
    assert (guest.name, guest.account_id) == ("Guest", None)
    assert told_to(here_of("2", "s", LOCAL), [here_of("3", "s", LOCAL)])["tabs"] == 1
