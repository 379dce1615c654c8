"""The log of changes as a follower reads it: in the order of commits, with concurrent writers."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
import sqlalchemy as sa

from app.db.session import read_session, write_session
from app.db.tables import ChangeRow
from app.db.tables.base import now
from app.saved.access import LOCAL, NOBODY, Actor
from app.saved.change_log import log_change
from app.teams.together.changes import (
    KEPT_FOR,
    Change,
    changes_after,
    clear_old_changes,
    newest_id,
    oldest_id,
)

WRITERS = 6
EACH = 15


def log(session, saved_id="a", event="saved", **more):
    log_change(session, LOCAL, event, kind="scenario", saved_id=saved_id, workspace_id=1, **more)


@pytest.mark.slow
def test_a_follower_meets_every_change_once(engine):
    """A row that became visible after a later one would be passed over for ever."""
    over = threading.Event()

    def write(writer):
        for number in range(EACH):
            with write_session(engine) as session:
                log(session, detail={"name": f"{writer}-{number}"})
                time.sleep(0.002)  # between the id and the commit: here others could overtake

    def follow():
        found, position = [], 0
        while True:
            was_over = over.is_set()
            with read_session(engine) as session:
                changes = changes_after(session, position, 7)
            found += changes
            if changes:
                position = changes[-1].id
            elif was_over:
                return found

    with ThreadPoolExecutor(WRITERS + 1) as pool:
        following = pool.submit(follow)
        for done in [pool.submit(write, writer) for writer in range(WRITERS)]:
            done.result()
        over.set()
        found = following.result()
    wanted = {f"{writer}-{number}" for writer in range(WRITERS) for number in range(EACH)}
    assert [change.id for change in found] == sorted({change.id for change in found})
    assert {change.detail["name"] for change in found} == wanted
    assert len(found) == len(wanted)


def test_changes_of_one_thing(engine):
    with write_session(engine) as session:
        for saved_id in "abab":
            log(session, saved_id)
    with read_session(engine) as session:
        assert [change.saved_id for change in changes_after(session, 0, 10, "b")] == ["b", "b"]
        assert newest_id(session, "a") < newest_id(session, "b") == newest_id(session)
        assert oldest_id(session) <= newest_id(session, "a")
        assert newest_id(session, "c") == 0


def test_old_changes_are_cleared(engine):
    with write_session(engine) as session:
        log(session, "old")
        log(session, "new")
        session.execute(
            sa.update(ChangeRow)
            .where(ChangeRow.saved_id == "old")
            .values(at=now() - KEPT_FOR - timedelta(minutes=1))
        )
    assert clear_old_changes(engine) == 1
    with read_session(engine) as session:
        assert [change.saved_id for change in changes_after(session, 0, 10)] == ["new"]


@pytest.mark.parametrize(
    ("actor", "you"),
    [(Actor(account_id="1"), True), (Actor(account_id="2"), False), (NOBODY, False), (LOCAL, True)],
)
def test_who_is_told_of_their_own(actor, you):
    change = Change(
        id=1,
        at=now(),
        kind="scenario",
        saved_id="a",
        event="shared",
        revision=1,
        version=2,
        by="Ada",
        account_id="1",
        detail={"with": "a secret team"},
    )
    told = change.told_to(actor)
    assert told["you"] is you
    assert "with" not in told
