"""A database server that cannot, or goes away: a clear message with a way out, and nothing half written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine, event, text
from sqlmodel import Session

from app.catalog.lookup import Catalog
from app.db.engine import open_engine
from app.saved.check import check_database
from app.saved.errors import StorageError, StorageReason
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from tests.databases import address_in, engine_in, only_on_postgresql, refuse_rows
from tests.saved.support import document, supernode_design
from tests.saved.test_faults import refused, rows

pytestmark = [pytest.mark.slow, only_on_postgresql()]


def on_every_connection(engine: Engine, statement: str) -> None:
    """Run a statement on each connection that is made from now on."""
    engine.dispose()

    @event.listens_for(engine, "connect")
    def given(connection: object, _record: object) -> None:
        connection.execute(statement)  # type: ignore[attr-defined]
        connection.commit()  # type: ignore[attr-defined]


def cut_off(engine: Engine, data_dir: Path) -> None:
    """The server ends every connection of an engine."""
    others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    with engine_in(data_dir).connect() as connection:
        connection.execute(text(f"{others} AND pid <> pg_backend_pid()"))


@pytest.mark.parametrize(
    ("state", "reason", "words"),
    [
        ("53100", "full", "free some space"),
        ("XX001", "damaged", "the log of its server"),
        ("57014", "busy", "wait a moment"),
    ],
)
@pytest.mark.parametrize("table", ["scenario_revision", "scenario_tag", "catalog_snapshot"])
def test_what_fails_in_the_middle_leaves_nothing(
    work: SavedWork, engine: Engine, data_dir: Path, table: str, state: str, reason: StorageReason, words: str
) -> None:
    before = rows(data_dir)
    refuse_rows(engine, table, state)
    error = refused(work, lambda: work.create("scenario", document(), tags=["a"]))
    assert error.reason == reason
    assert words in error.message
    assert rows(data_dir) == before
    assert check_database(engine) == []


def test_a_standby_is_read_and_says_so(work: SavedWork, engine: Engine, data_dir: Path) -> None:
    saved = work.create("scenario", document())
    before = rows(data_dir)
    on_every_connection(engine, "SET default_transaction_read_only = on")
    for save in (
        lambda: work.create("scenario", document()),
        lambda: work.replace("scenario", saved.id, document(), version=1),
        lambda: work.delete("scenario", saved.id, version=1),
    ):
        error = refused(work, save)
        assert error.reason == "read_only"
        assert "standby" in error.message
    assert rows(data_dir) == before
    assert work.listed("scenario").items == (saved,)


def test_who_holds_a_row_for_too_long(work: SavedWork, engine: Engine, data_dir: Path) -> None:
    saved = work.create("scenario", document())
    on_every_connection(engine, "SET lock_timeout = '20ms'")
    with engine_in(data_dir).begin() as other:
        other.execute(text("SELECT 1 FROM scenario FOR UPDATE"))
        assert refused(work, lambda: work.delete("scenario", saved.id, version=1)).reason == "busy"
        assert work.get("scenario", saved.id) == saved  # readers do not wait
        assert work.create("supernode", supernode_design()).revision == 1  # nor do writers of other rows
    assert work.delete("scenario", saved.id, version=1).version == 2


def test_a_server_that_is_not_there(data_dir: Path, catalog: Catalog, tmp_path: Path) -> None:
    engine = open_engine(f"postgresql://someone:secret@/podwright?host={tmp_path}")
    work = SavedWork(engine, lambda: catalog)
    actions: tuple[Callable[[], object], ...] = (
        lambda: work.listed("scenario"),
        lambda: work.create("supernode", supernode_design()),
    )
    for action in actions:
        error = refused(work, action)
        assert error.reason == "unreachable"
        assert "see whether its server runs" in error.message
        assert "secret" not in error.message
    with pytest.raises(StorageError, match="see whether its server runs"):
        check_database(engine)


def test_a_server_that_goes_away_and_comes_back(work: SavedWork, engine: Engine, data_dir: Path) -> None:
    saved = work.create("scenario", document())
    before = rows(data_dir)
    lost = []

    def server_stops(_session: object, _context: object) -> None:
        lost.append(cut_off(engine, data_dir))

    event.listen(Session, "after_flush", server_stops, once=True)
    with pytest.raises(StorageError) as caught:
        work.create("scenario", document("At the median"))
    assert len(lost) == 1
    assert caught.value.reason == "lost"
    assert "look whether your change is there" in caught.value.message
    assert rows(data_dir) == before
    assert work.replace("scenario", saved.id, document(), version=1).revision == 2  # without another start


def test_a_server_that_was_started_again_meanwhile(work: SavedWork, engine: Engine, data_dir: Path) -> None:
    saved = work.create("scenario", document())
    cut_off(engine, data_dir)
    assert work.get("scenario", saved.id) == saved
    cut_off(engine, data_dir)
    assert work.delete("scenario", saved.id, version=1).version == 2


def test_more_connections_than_the_server_has(data_dir: Path, catalog: Catalog) -> None:
    engine = open_engine(address_in(data_dir), connections=1)
    work = SavedWork(engine, lambda: catalog)
    engine.pool._timeout = 0.01  # type: ignore[attr-defined]
    with engine.connect():
        assert refused(work, lambda: work.listed("scenario")).reason == "busy"
    assert work.listed("scenario").items == ()
    engine.dispose()


def test_nul_is_refused_wherever_it_gets_through(work: SavedWork) -> None:
    with pytest.raises(ScenarioError, match="NUL"):
        work.listed("scenario", model="a\0b")


def test_a_column_that_is_sorted_otherwise_is_found(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text('ALTER TABLE scenario ALTER sort_name TYPE varchar(600) COLLATE "de-x-icu"'))
    (finding,) = check_database(engine)
    assert finding.severity == "warning"
    assert finding.place == "scenario, sort_name"
