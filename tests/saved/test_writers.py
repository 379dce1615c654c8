"""Many who save at once: no one is turned away by the database, and nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from sqlalchemy import Engine, text
from sqlmodel import Session

from app.db.tables import CatalogSnapshotRow
from app.saved.check import check_database
from app.saved.errors import ChangedMeanwhileError
from app.saved.store import SavedWork
from tests.saved.support import document, supernode_design

pytestmark = pytest.mark.slow

WRITERS = 24


def together(save: Callable[[int], None]) -> list[BaseException]:
    """Run `save` in as many threads as there are writers; what they raised."""
    raised: list[BaseException] = []

    def run(number: int) -> None:
        try:
            save(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


@pytest.mark.slow
def test_as_many_revisions_as_acknowledged_saves(work: SavedWork, engine: Engine) -> None:
    saved = work.create("supernode", supernode_design())
    acknowledged: list[int] = []
    overtaken: list[int] = []

    def save(number: int) -> None:
        for attempt in range(6):
            version = work.get("supernode", saved.id).version
            try:
                after = work.replace(
                    "supernode",
                    saved.id,
                    supernode_design(f"By writer {number}"),
                    version=version,
                    note=f"{number} {attempt}",
                )
            except ChangedMeanwhileError as error:
                overtaken.append(error.current.version - version)
            else:
                acknowledged.append(after.revision)

    assert together(save) == []
    assert min(overtaken) > 0
    assert sorted(acknowledged) == list(range(2, len(acknowledged) + 2))
    assert work.get("supernode", saved.id).revision == len(acknowledged) + 1
    with engine.connect() as connection:
        assert (
            connection.execute(text("SELECT count(*) FROM design_revision")).scalar() == len(acknowledged) + 1
        )
    assert check_database(engine) == []


@pytest.mark.parametrize("rounds", [4])
def test_everybody_gets_a_turn(work: SavedWork, rounds: int) -> None:
    def save(number: int) -> None:
        for attempt in range(rounds):
            work.create("supernode", supernode_design(f"{number:02} {attempt}"), tags=[f"writer {number}"])

    assert together(save) == []
    assert len(work.listed("supernode", limit=500).items) == WRITERS * rounds
    assert dict(work.tags("supernode")) == {f"writer {number}": rounds for number in range(WRITERS)}


def test_what_another_has_just_kept_is_shared(
    work: SavedWork, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = work.create("scenario", document("First"))
    look_up = Session.get

    def not_yet(session: Session, row: type, key: object, **options: object) -> object:
        """As if the row came between looking for it and writing it."""
        return None if row is CatalogSnapshotRow else look_up(session, row, key, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Session, "get", not_yet)
        second = work.create("scenario", document("Second"))
    for saved in (first, second):
        assert work.reopened(saved.id, 1).from_today == ()
    assert check_database(engine) == []


def test_lines_are_forgotten_when_nobody_stands_in_them(work: SavedWork) -> None:
    saved = work.create("supernode", supernode_design())
    work.replace("supernode", saved.id, supernode_design("B"), version=1)
    assert len(work._turns) == 0


def test_of_many_who_make_the_same_id_one_does(work: SavedWork, engine: Engine) -> None:
    raised = together(lambda number: work.create("supernode", supernode_design(f"{number}"), id="a" * 32))
    assert len(raised) == WRITERS - 1
    assert {type(error) for error in raised} == {ChangedMeanwhileError}
    assert len(work.listed("supernode").items) == 1
    assert check_database(engine) == []
