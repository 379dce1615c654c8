"""A request that is sent twice is done once."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, text

from app.catalog.lookup import Catalog
from app.saved import idempotency
from app.saved.errors import KeyInFlightError, KeyReusedError
from app.saved.records import Saved
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from tests.databases import refuse_rows
from tests.saved.support import supernode_design


def count(engine: Engine, table: str) -> int:
    with engine.connect() as connection:
        return int(connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one())


def test_the_second_time_gives_what_the_first_saved(work: SavedWork, engine: Engine) -> None:
    def save() -> Saved:
        return work.create("supernode", supernode_design(), tags=["a"], note="once")

    first, replayed = work.idempotent("key", "hash", save)
    assert not replayed
    again, replayed = work.idempotent("key", "hash", save)
    assert replayed
    assert again == first
    assert count(engine, "design") == 1
    # what it became meanwhile does not show: the answer is that of the first time
    work.update("supernode", first.id, version=1, name="Renamed")
    assert work.idempotent("key", "hash", save) == (first, True)


def test_every_kind_of_save_can_be_repeated(work: SavedWork) -> None:
    saved = work.create("supernode", supernode_design())
    for number, save in enumerate(
        (
            lambda: work.replace("supernode", saved.id, supernode_design("B"), version=None),
            lambda: work.update("supernode", saved.id, version=None, name="C"),
            lambda: work.delete("supernode", saved.id, version=None),
            lambda: work.restore("supernode", saved.id),
            lambda: work.duplicate("supernode", saved.id),
        )
    ):
        first, _ = work.idempotent(f"key {number}", "hash", save)
        assert work.idempotent(f"key {number}", "hash", save) == (first, True)
    assert work.get("supernode", saved.id).version == 5


def test_another_request_with_the_same_key_is_refused(work: SavedWork, engine: Engine) -> None:
    work.idempotent("key", "hash", lambda: work.create("supernode", supernode_design()))
    with pytest.raises(KeyReusedError, match="new key"):
        work.idempotent("key", "other", lambda: work.create("supernode", supernode_design()))
    assert count(engine, "design") == 1


def test_a_key_in_flight_is_refused(work: SavedWork) -> None:
    started, finish = threading.Event(), threading.Event()

    def slow() -> Saved:
        started.set()
        assert finish.wait(30)
        return work.create("supernode", supernode_design())

    thread = threading.Thread(target=work.idempotent, args=("key", "hash", slow))
    thread.start()
    assert started.wait(30)
    try:
        with pytest.raises(KeyInFlightError, match="Try again"):
            work.idempotent("key", "hash", slow)
        with pytest.raises(KeyReusedError):
            work.idempotent("key", "other", slow)
        # others go on meanwhile
        assert (
            work.idempotent("key 2", "hash", lambda: work.create("supernode", supernode_design()))[1] is False
        )
    finally:
        finish.set()
        thread.join()
    assert work.idempotent("key", "hash", slow)[1] is True


def test_work_that_fails_leaves_the_key_free(work: SavedWork, engine: Engine) -> None:
    with pytest.raises(ScenarioError):
        work.idempotent("key", "hash", lambda: work.create("supernode", {"name": "a", "supernode": {}}))
    assert count(engine, "idempotency_key") == 0
    assert work.idempotent("key", "hash", lambda: work.create("supernode", supernode_design()))[1] is False


def test_key_and_save_are_there_together_or_not_at_all(work: SavedWork, engine: Engine) -> None:
    refuse_rows(engine, "idempotency_key")
    with pytest.raises(Exception, match="no"):
        work.idempotent("key", "hash", lambda: work.create("supernode", supernode_design()))
    assert (count(engine, "design"), count(engine, "design_revision")) == (0, 0)


def test_another_process_may_be_faster(work: SavedWork, engine: Engine, catalog: Catalog) -> None:
    other = SavedWork(engine, lambda: catalog)  # with keys in flight of its own, as another process has
    inner: list[Saved] = []

    def overtaken() -> Saved:
        saved, _ = other.idempotent(
            "key", "hash", lambda: other.create("supernode", supernode_design("First"))
        )
        inner.append(saved)
        return work.create("supernode", supernode_design("Second"))

    assert work.idempotent("key", "hash", overtaken) == (inner[0], True)
    assert [saved.name for saved in work.listed("supernode").items] == ["First"]


def test_keys_are_forgotten_after_a_day(
    work: SavedWork, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save() -> Saved:
        return work.create("supernode", supernode_design())

    first, _ = work.idempotent("key", "hash", save)
    later = idempotency.now() + timedelta(hours=24, seconds=1)
    monkeypatch.setattr(idempotency, "now", lambda: later)
    second, replayed = work.idempotent("key", "other", save)
    assert not replayed
    assert second.id != first.id
    assert count(engine, "idempotency_key") == 1


def test_a_save_without_a_key_notes_none(work: SavedWork, engine: Engine) -> None:
    work.idempotent("key", "hash", lambda: work.create("supernode", supernode_design()))
    work.create("supernode", supernode_design())
    assert count(engine, "idempotency_key") == 1


@pytest.mark.parametrize("key", ["", "k" * 256])
def test_a_key_has_a_length(work: SavedWork, key: str) -> None:
    with pytest.raises(ValueError, match="1 to 200"):
        work.idempotent(key, "hash", lambda: work.create("supernode", supernode_design()))


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, max_size=8))
def test_as_many_saves_as_different_keys(work: SavedWork, engine: Engine, keys: list[str]) -> None:
    before = count(engine, "design")
    run = f"{before}"
    for key in keys:
        work.idempotent(f"{run} {key}", "hash", lambda: work.create("supernode", supernode_design()))
    assert count(engine, "design") - before == len(set(keys))
