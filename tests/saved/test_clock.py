"""A clock that is put back changes no order of revisions, no tag and no answer to a key; nothing is cleared too early."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import Engine

from app.db.session import read_session
from app.saved import clearing
from app.saved.check import check_database
from app.saved.errors import ChangedMeanwhileError
from app.saved.store import SavedWork
from app.teams.together.changes import changes_after
from tests.clock import clock_moved
from tests.saved.support import document

BACK = timedelta(days=-400)


def test_revisions_and_changes_are_in_the_order_of_saving(work: SavedWork, engine: Engine) -> None:
    first = work.create("scenario", document("First"))
    with clock_moved(BACK):
        second = work.replace("scenario", first.id, document("Second"), version=first.version, note="Back")
    third = work.replace("scenario", first.id, document("Third"), version=second.version)
    assert [saved.revision for saved in (first, second, third)] == [1, 2, 3]
    assert (
        second.updated_at < first.created_at < third.updated_at
    )  # as the clock said; nothing follows from it
    assert len({saved.etag for saved in (first, second, third)}) == 3
    assert work.get("scenario", first.id) == third
    assert [one.revision for one in work.revisions("scenario", first.id).items] == [3, 2, 1]
    with clock_moved(BACK), pytest.raises(ChangedMeanwhileError):  # nor is an old state the present one then
        work.replace("scenario", first.id, document("Late"), version=second.version)
    with read_session(engine) as session:
        told = [change.revision for change in changes_after(session, 0, 10) if change.event == "saved"]
    assert told == [2, 3]
    assert check_database(engine) == []


def test_a_key_is_answered_once_whatever_the_clock_says(work: SavedWork) -> None:
    made, again = work.idempotent("key", "hash", lambda: work.create("scenario", document()))
    assert not again
    with clock_moved(BACK):
        assert work.idempotent("key", "hash", lambda: work.create("scenario", document())) == (made, True)
    assert len(work.listed("scenario").items) == 1


def test_what_was_deleted_is_not_cleared_early(work: SavedWork, engine: Engine) -> None:
    saved = work.create("scenario", document())
    work.delete("scenario", saved.id, version=1)
    with clock_moved(BACK):
        assert clearing.clear(engine, timedelta(days=30)) == 0
    with clock_moved(timedelta(days=29)):
        assert clearing.clear(engine, timedelta(days=30)) == 0
    assert work.restore("scenario", saved.id).name == saved.name
