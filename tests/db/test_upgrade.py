"""A database of the first version, with scenarios in it, is brought up to date and loses nothing."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from sqlalchemy import Engine, text

from app.db.migrate import HEAD, alembic_config, current_revision, migrate
from app.db.session import write_connection
from tests.databases import ON_POSTGRESQL, engine_in

DOCUMENT = {"name": "Öld pod", "workload": {"kind": "training"}, "tokens": 15.6e12}
MOMENT = "2026-01-02 03:04:05.000006"


@pytest.fixture
def first_version(tmp_path: Path) -> Engine:
    """What version 0001 would have left: a scenario of two revisions, a copy of it, one put away."""
    engine = engine_in(tmp_path)
    scenario = text(
        "INSERT INTO scenario (id, workspace_id, name, revision, forked_from_id, created_at, updated_at, archived_at)"
        " VALUES (:id, 1, :name, :revision, :forked, :moment, :moment, :archived)"
    )
    revision = text(
        "INSERT INTO scenario_revision (scenario_id, revision, schema_version, document, resolved,"
        " catalog_revision, engine_version, note, created_at)"
        " VALUES (:id, :revision, 1, :document, '{}', 'abc', '0.1.0', :note, :moment)"
    )
    with write_connection(engine) as connection:
        command.upgrade(alembic_config(connection), "0001")
    with write_connection(engine) as connection:
        for id, name, count, forked, archived in (
            ("a" * 32, "Öld pod", 2, None, None),
            ("b" * 32, "Copy", 1, "a" * 32, None),
            ("c" * 32, "Put away", 1, None, MOMENT),
        ):
            values = {"id": id, "name": name, "revision": count, "forked": forked, "archived": archived}
            connection.execute(scenario, {**values, "moment": MOMENT})
            for number in range(1, count + 1):
                saved = {"id": id, "revision": number, "note": f"note {number}", "moment": MOMENT}
                connection.execute(revision, {**saved, "document": json.dumps({**DOCUMENT, "name": name})})
    return engine


def assert_whole(engine: Engine) -> None:
    """A server keeps its references itself; SQLite says what it found."""
    if not ON_POSTGRESQL:
        assert rows(engine, "PRAGMA foreign_key_check") == []
        assert rows(engine, "PRAGMA integrity_check") == [("ok",)]


def rows(engine: Engine, query: str) -> list[tuple[object, ...]]:
    """Moments and JSON as the text that SQLite keeps them as."""

    def plain(value: object) -> object:
        if isinstance(value, datetime):
            return value.astimezone(UTC).replace(tzinfo=None).isoformat(" ")
        return json.dumps(value) if isinstance(value, dict | list) else value

    with engine.connect() as connection:
        return [tuple(map(plain, row)) for row in connection.execute(text(query))]


def test_scenarios_and_revisions_are_kept(first_version: Engine) -> None:
    assert migrate(first_version) is True
    with first_version.connect() as connection:
        assert current_revision(connection) == HEAD
    assert rows(
        first_version,
        "SELECT id, name, revision, forked_from_id, updated_at, deleted_at FROM scenario ORDER BY id",
    ) == [
        ("a" * 32, "Öld pod", 2, None, MOMENT, None),
        ("b" * 32, "Copy", 1, "a" * 32, MOMENT, None),
        ("c" * 32, "Put away", 1, None, MOMENT, MOMENT),
    ]
    kept = rows(
        first_version, "SELECT scenario_id, revision, note, document FROM scenario_revision ORDER BY id"
    )
    assert [row[:3] for row in kept] == [
        ("a" * 32, 1, "note 1"),
        ("a" * 32, 2, "note 2"),
        ("b" * 32, 1, "note 1"),
        ("c" * 32, 1, "note 1"),
    ]
    assert json.loads(str(kept[1][3])) == DOCUMENT
    assert rows(first_version, "SELECT version, tags, summary FROM scenario") == [(1, "[]", "{}")] * 3
    assert_whole(first_version)


def test_old_scenarios_can_be_worked_with(first_version: Engine) -> None:
    from app.catalog.lookup import Catalog
    from app.saved.store import SavedWork

    def no_catalog() -> Catalog:
        raise AssertionError("nothing here needs the catalog")

    migrate(first_version)
    work = SavedWork(first_version, no_catalog)
    saved = work.get("scenario", "a" * 32)
    assert (saved.name, saved.revision, saved.version, saved.note) == ("Öld pod", 2, 1, "note 2")
    assert saved.summary["mfu"] is None
    assert saved.document == DOCUMENT
    assert [found.name for found in work.listed("scenario", sort="name").items] == ["Copy", "Öld pod"]
    assert [found.name for found in work.listed("scenario", search="LD POD").items] == ["Öld pod"]
    assert [found.name for found in work.listed("scenario", deleted=True).items] == ["Put away"]
    assert work.update("scenario", saved.id, version=1, tags=["old"]).tags == ("old",)
    assert work.restore("scenario", "c" * 32).name == "Put away"


def test_down_and_up_again_keeps_them_too(first_version: Engine) -> None:
    migrate(first_version)
    with write_connection(first_version) as connection:
        command.downgrade(alembic_config(connection), "0001")
    assert len(rows(first_version, "SELECT archived_at, resolved FROM scenario, scenario_revision")) == 12
    migrate(first_version)
    assert len(rows(first_version, "SELECT * FROM scenario_revision")) == 4


def test_what_was_saved_before_there_were_projections_stays(first_version: Engine) -> None:
    from app.catalog.ready import ready_catalog
    from app.saved.store import SavedWork

    with write_connection(first_version) as connection:
        command.upgrade(alembic_config(connection), "0003")
    kept = "SELECT id, name, revision FROM scenario ORDER BY id"
    before = rows(first_version, kept)
    assert migrate(first_version) is True
    assert rows(first_version, kept) == before
    work = SavedWork(first_version, ready_catalog)
    assert work.listed("projection").items == ()
    saved = work.create("projection", {"name": "Chinchilla", "flops": 5.76e23}, tags=["law"])
    assert work.projection(saved.id, 1)["model"]["tokens_per_parameter"] == pytest.approx(18.4, abs=0.05)
    assert_whole(first_version)
    with write_connection(first_version) as connection:
        command.downgrade(alembic_config(connection), "0003")
    assert rows(first_version, kept) == before
